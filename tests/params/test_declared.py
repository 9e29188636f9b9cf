"""Parameters that classes declare, inherit and explain."""

from __future__ import annotations

import inspect
from dataclasses import field
from typing import Annotated, get_type_hints

import pytest
from sklearn.base import BaseEstimator, clone

from hornbook.params import ParameterError, Range, check, declared, parameters

Share = Annotated[float, Range(0.0, 1.0)]


@declared
class Rows:
    """Which rows.

    Parameters
    ----------
    size : int
        How many.
    share : float, default 0.9
        What part of them.

        More about it.
    seed : int, optional
        Seed.
    """

    size: int = field(default=10, kw_only=False)
    share: Share = 0.5
    seed: int | None = None


class Work(Rows, BaseEstimator):
    """Methods.

    Attributes
    ----------
    found_, lost_ : float
        Both.
    """


@declared
class Careful(Work):
    """Takes few rows.

    And says so.

    Parameters
    ----------
    mode : {"a", "b"}
        How.

    Attributes
    ----------
    own_ : float
        Its own.

    Notes
    -----
    Careful.
    """

    mode: str = "a"
    share: Share = 0.1
    kind = "no parameter"


def test_constructors_have_all_parameters_with_the_nearest_default():
    assert str(inspect.signature(Careful)) == (
        "(size: 'int' = 10, *, share: 'Share' = 0.1, seed: 'int | None' = None, mode: 'str' = 'a') -> None"
    )
    model = Careful(3, mode="b")
    assert model.get_params() == {"mode": "b", "seed": None, "share": 0.1, "size": 3}
    assert Rows().share == 0.5
    with pytest.raises(TypeError, match="positional argument"):
        Careful(3, 0.2)
    again = clone(model.set_params(seed=7))
    assert again is not model
    assert again.get_params() == model.get_params()
    assert repr(model) == "Careful(mode='b', seed=7, size=3)"
    assert Careful() != Careful()
    assert len({model, again}) == 2


def test_hints_are_there_in_whatever_module_the_base_was_written():
    far = declared(type("Far", (Work,), {"__module__": "math", "__doc__": "Far."}))
    assert get_type_hints(far.__init__, include_extras=True)["share"] is Share
    assert [each.name for each in parameters(far)] == ["size", "share", "seed"]
    with pytest.raises(ParameterError, match=r"Far: parameter 'share' must be a number in \[0, 1\]; got 2.0"):
        check(far(share=2.0))


def test_texts_are_inherited_with_the_defaults_of_the_class():
    assert Careful.__doc__ == (
        """Takes few rows.

And says so.

Parameters
----------
size : int, default 10
    How many.
share : float, default 0.1
    What part of them.

    More about it.
seed : int, optional
    Seed.
mode : {"a", "b"}, default "a"
    How.

Attributes
----------
found_, lost_ : float
    Both.
own_ : float
    Its own.

Notes
-----
Careful."""
    )
