"""Parameters that classes declare, inherit and explain."""

from __future__ import annotations

import inspect
from dataclasses import field
from typing import Annotated, get_type_hints

import pytest
from sklearn.base import BaseEstimator, clone

from hornbook.params import ParameterError, Range, check, declared, parameter_group, parameters

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
    assert [entry.name for entry in parameters(far)] == ["size", "share", "seed"]
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


@parameter_group
class Draws:
    """How much is drawn.

    Parameters
    ----------
    size : int
        How many.
    share : float
        What part of them.
    """

    size: int = field(default=10, kw_only=False)
    share: Share = 0.5


@parameter_group
class Seeded(Draws):
    """Draws that can be repeated.

    Parameters
    ----------
    seed : int, optional
        Seed.
    """

    seed: int | None = None
    share: Share = 0.25


class Methods(Seeded, BaseEstimator):
    """Methods."""

    found_: float


@declared
class Composed(Methods):
    """Takes groups.

    Parameters
    ----------
    mode : str
        How.
    """

    mode: str = "a"
    seed: int | None = 3


@declared
class Heir(Composed):
    """Inherits."""

    mode: str = "b"


def test_groups_give_parameters_and_texts_but_no_ancestors():
    assert str(inspect.signature(Composed)) == (
        "(size: 'int' = 10, *, share: 'Share' = 0.25, seed: 'int | None' = 3, mode: 'str' = 'a') -> None"
    )
    own = [cls.__name__ for cls in Composed.__mro__ if cls.__module__ == __name__]
    assert own == ["Composed", "Methods"]
    assert Composed(4, share=0.1).get_params() == {"mode": "a", "seed": 3, "share": 0.1, "size": 4}
    assert "share : float, default 0.25\n    What part of them.\nseed : int, optional" in Composed.__doc__
    with pytest.raises(ParameterError, match=r"Composed: parameter 'share' must be a number in \[0, 1\]"):
        check(Composed(share=2.0))


def test_parameters_of_groups_are_inherited_with_the_nearest_default():
    assert str(inspect.signature(Heir)) == str(inspect.signature(Composed)).replace("'a'", "'b'")
    assert (Heir().seed, Heir().share) == (3, 0.25)
    assert get_type_hints(Heir, include_extras=True)["share"] is Share
    assert get_type_hints(Heir)["found_"] is float
    assert 'mode : str, default "b"' in Heir.__doc__


def test_hints_of_groups_are_those_of_their_own_module():
    far = declared(type("Far", (Methods,), {"__module__": "math", "__doc__": "Far."}))
    assert get_type_hints(far.__init__, include_extras=True)["share"] is Share


def test_a_parameter_without_a_default_has_none_in_the_docstring():
    @declared
    class Around:
        """A learner around another.

        Parameters
        ----------
        estimator : learner
            The other one.
        """

        estimator: object = field(kw_only=False)

    assert "estimator : learner\n" in Around.__doc__
    assert Around(3).estimator == 3
