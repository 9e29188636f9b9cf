"""Parameters are checked against their annotations, and the sentence says what is allowed."""

from __future__ import annotations

import collections.abc
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Annotated, Any, Literal, Optional, Protocol, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from hornbook.params import (
    Jobs,
    MaxDepth,
    MaxIter,
    NEstimators,
    ParameterError,
    Range,
    Seed,
    Tol,
    Tune,
    Verbose,
    check,
    suggest,
)

T = TypeVar("T")


class Shape(Protocol):
    """A class that Python cannot check at run time."""

    corners: int


def learner(hint: Any, value: object) -> object:
    """Make a learner with one parameter ``p`` of the given annotation."""

    class Learner:
        def __init__(self, p) -> None:
            self.p = p

    Learner.__init__.__annotations__ = {"p": hint, "return": None}
    return Learner(value)


def refusal(hint: Any, value: object) -> str:
    with pytest.raises(ParameterError) as caught:
        check(learner(hint, value))
    return str(caught.value).removeprefix("Learner: parameter 'p' must be ")


GOOD: list[tuple[Any, object]] = [
    (bool, True),
    (bool, np.False_),
    (int, 3),
    (int, np.uint8(3)),
    (int, 10**30),
    (float, 1),
    (float, 1.5),
    (float, np.float32(1.5)),
    (float, np.int64(2)),
    (float, math.nan),
    (str, ""),
    (str, np.str_("a")),
    (None, None),
    (Literal["a", "b"], "b"),
    (Literal["a", "b"], np.str_("b")),
    (Literal[1, 2], np.int16(2)),
    (Literal[True, "auto"], True),
    (Optional[int], None),  # noqa: UP045 - both spellings of a union are read
    (int | str | None, "x"),
    (Annotated[int | None, Range(low=1)], None),
    (Annotated[int | None, Range(low=1)], 1),
    (Annotated[float, Range(0, math.inf)], math.inf),
    (Annotated[Annotated[int, Range(low=1)], "a remark"], 1),
    (Any, object()),
    (object, object()),
    (T, object()),
    (Shape, object()),
    (ArrayLike, [1, 2]),
    (ArrayLike, 1.0),
    (ArrayLike | None, None),
    (ArrayLike | None, np.zeros(2)),
    (Literal["uniform"] | ArrayLike, "uniform"),
    (Literal["uniform"] | ArrayLike, (0.5, 0.5)),
    (Callable[[float], float], math.sin),
    (Callable[[float], float] | None, None),
    (Literal["rbf"] | collections.abc.Callable, math.sin),
    (Mapping[str, float], {"a": 1.0}),
    (dict[str, float] | None, {}),
    (Sequence[str], ["a"]),
    (tuple[int, ...], (1, 2)),
    (NDArray[np.float64], np.zeros(2)),
    (Hashable, "a"),
    (np.random.RandomState, np.random.RandomState(0)),
]


def count_names(cases):
    """Names that do not depend on addresses, so that several workers collect the same tests."""
    return [str(i) for i in range(len(cases))]


@pytest.mark.parametrize(("hint", "value"), GOOD, ids=count_names(GOOD))
def test_allowed_values_pass(hint, value):
    check(learner(hint, value))


BAD: list[tuple[Any, object, str]] = [
    (bool, 1, "True or False; got 1."),
    (bool, "True", "True or False; got 'True'."),
    (bool | None, 0, "one of True, False, None; got 0."),
    (int, 1.0, "an integer; got 1.0."),
    (int, True, "an integer; got True."),
    (int, np.True_, "an integer; got True."),
    (int, None, "an integer; got None."),
    (int, "3", "an integer; got '3'."),
    (float, False, "a number; got False."),
    (float, np.bool_(0), "a number; got False."),
    (float, "1", "a number; got '1'."),
    (float, 1j, "a number; got 1j."),
    (float, np.zeros(1), "a number; got array([0.])."),
    (str, 1, "a string; got 1."),
    (None, 0, "None; got 0."),
    (Literal["a"], "b", "'a'; got 'b'."),
    (Literal["a", "b"], 1, "one of 'a', 'b'; got 1."),
    (Literal["a", "b"], ["a"], "one of 'a', 'b'; got ['a']."),
    (Literal["a", "b"], np.array(["a", "b"]), "one of 'a', 'b'; got array(['a', 'b'], dtype='<U1')."),
    (Literal["a", "b"] | None, "c", "one of 'a', 'b', None; got 'c'."),
    (Literal[1, 2], True, "one of 1, 2; got True."),
    (Literal[1, 2], 1.0, "one of 1, 2; got 1.0."),
    (Literal[True], 1, "True; got 1."),
    (
        Literal["sqrt"] | Annotated[int, Range(low=1)] | None,
        0,
        "'sqrt', an integer in [1, inf) or None; got 0.",
    ),
    (int | Literal["auto"], "aut", "an integer or 'auto'; got 'aut'. Did you mean 'auto'?"),
    (None | int, "x", "an integer or None; got 'x'."),
    (Annotated[float, Range(low=0)], -1, "a number in [0, inf); got -1."),
    (Annotated[float, Range(low=0)], np.float64(-1), "a number in [0, inf); got -1.0."),
    (Annotated[float, Range(low=0)], math.nan, "a number in [0, inf); got nan."),
    (Annotated[float, Range(low=0)], math.inf, "a number in [0, inf); got inf."),
    (Annotated[float | str, Range(0, 1)], 2, "a number in [0, 1] or a string; got 2."),
    (Annotated[int | None, Range(low=1)], 0, "an integer in [1, inf) or None; got 0."),
    (ArrayLike, "foo", "array-like; got 'foo'."),
    (ArrayLike | None, "foo", "array-like or None; got 'foo'."),
    (
        Literal["uniform"] | ArrayLike,
        "unifrom",
        "array-like or 'uniform'; got 'unifrom'. Did you mean 'uniform'?",
    ),
    (Callable[[float], float], 1, "a callable; got 1."),
    (Literal["rbf"] | Callable[[float], float], "rfb", "'rbf' or a callable; got 'rfb'. Did you mean 'rbf'?"),
    (Mapping[str, float], [1], "a Mapping; got [1]."),
    (Sequence[str], "ab", "a Sequence; got 'ab'."),
    (tuple[int, ...], [1], "a tuple; got [1]."),
    (NDArray[np.float64], [1], "a ndarray; got [1]."),
    (np.random.RandomState, 1, "a RandomState; got 1."),
]


@pytest.mark.parametrize(("hint", "value", "sentence"), BAD, ids=count_names(BAD))
def test_everything_else_is_refused_with_one_sentence(hint, value, sentence):
    assert refusal(hint, value) == sentence


def test_a_long_value_is_cut_to_one_line():
    sentence = refusal(int, np.arange(1000).reshape(50, 20))
    assert "\n" not in sentence
    assert sentence.startswith("an integer; got array([[ 0, 1, 2")
    assert sentence.endswith("....")
    assert len(sentence) < 120


@given(
    value=st.floats()
    | st.integers()
    | st.booleans()
    | st.floats().map(np.float64)
    | st.integers(-9, 9).map(np.int8)
)
@settings(derandomize=True, max_examples=300, deadline=None)
def test_a_ranged_number_passes_exactly_when_it_is_a_number_in_the_range(value):
    allowed = not isinstance(value, bool) and not math.isnan(value) and -2 < value <= 5
    try:
        check(learner(Annotated[float, Range(-2, 5, open_low=True)], value))
    except ParameterError:
        assert not allowed
    else:
        assert allowed


ALIASES: list[tuple[Any, list[object], list[object], str]] = [
    (NEstimators, [1, 500], [0, None, 1.0, True], "an integer in [1, inf)"),
    (MaxDepth, [None, 1], [0, 2.0], "an integer in [1, inf) or None"),
    (MaxIter, [1], [0, None], "an integer in [1, inf)"),
    (Tol, [0, 1e-4], [-1e-9, None, math.inf], "a number in [0, inf)"),
    (Verbose, [True, False, 0, 3], [-1, None, 1.5], "True, False or an integer in [0, inf)"),
    (
        Jobs,
        [None, -1, -3, 1, 4],
        [0, 1.0, True, "all"],
        "an integer in (-inf, -1], an integer in [1, inf) or None",
    ),
    (
        Seed,
        [None, 0, 2**64 - 1, np.random.RandomState(1)],
        [-1, 1.5, True, np.random.default_rng(1)],
        "an integer in [0, inf), a RandomState or None",
    ),
]


@pytest.mark.parametrize(("alias", "good", "bad", "words"), ALIASES)
def test_aliases_for_recurring_parameters(alias, good, bad, words):
    for value in good:
        check(learner(alias, value))
    for value in bad:
        assert refusal(alias, value).startswith(f"{words}; got ")


class Smoothed:
    """A class whose annotations are strings, as everywhere in this project."""

    def __init__(
        self, *, smoothing: Literal["laplace", "zero_only", "none"] = "laplace", k: NEstimators = 3
    ) -> None:
        self.smoothing = smoothing
        self.k = k


class Derived(Smoothed):
    """Inherits the parameters."""


def test_the_sentence_names_the_class_and_the_parameter():
    with pytest.raises(ParameterError) as caught:
        check(Derived(smoothing="foo"))
    assert str(caught.value) == (
        "Derived: parameter 'smoothing' must be one of 'laplace', 'zero_only', 'none'; got 'foo'."
    )


def test_a_parameter_error_is_a_value_error():
    with pytest.raises(
        ValueError, match=r"^Smoothed: parameter 'k' must be an integer in \[1, inf\); got 0\.$"
    ):
        check(Smoothed(k=0))


def test_parameters_set_after_construction_are_checked_and_nothing_is_changed():
    good = Smoothed()
    check(good)
    assert vars(good) == {"smoothing": "laplace", "k": 3}
    good.k = -1
    with pytest.raises(ParameterError, match="got -1"):
        check(good)


def test_a_class_without_parameters_passes():
    class Plain:
        pass

    class CatchAll:
        def __init__(self, *args: int, **kwargs: int) -> None:
            pass

    check(Plain())
    check(CatchAll(1, a=2))


def test_a_parameter_without_annotation_may_be_anything():
    class Loose:
        def __init__(self, p=1) -> None:
            self.p = p

    check(Loose(object()))


@pytest.mark.parametrize(
    ("name", "allowed", "text"),
    [
        ("colr", ["color", "root"], " Did you mean 'color'?"),
        ("entorpy", ("gini", "entropy"), " Did you mean 'entropy'?"),
        ("zzz", ["color", "root"], ""),
        ("x", [], ""),
    ],
)
def test_suggest(name, allowed, text):
    assert suggest(name, allowed) == text


def test_tune_does_not_limit_the_value():
    check(learner(Annotated[float, Tune(0.1, 1.0)], 1e9))


def test_a_range_reads_the_same_with_whole_numbers_and_with_floats():
    assert str(Range(0, 1)) == str(Range(0.0, 1.0)) == "[0, 1]"
    assert str(Range(low=1e-3, high=0.25)) == "[0.001, 0.25]"
    assert str(Range(low=1, high=65535)) == "[1, 65535]"
