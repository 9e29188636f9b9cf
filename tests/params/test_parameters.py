"""The table of a learner's parameters, which drives documentation, program and tuning."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Literal

import pytest

from hornbook.params import Jobs, MaxDepth, Parameter, Range, Tune, parameters


class Model:
    """A learner with parameters of every sort."""

    def __init__(
        self,
        base: Any,
        *,
        alpha: Annotated[float, Range(low=0), Tune(1, 100, log=True)] = 1.0,
        depth: MaxDepth = None,
        subset: Annotated[int, Range(low=1), Tune(1, 8)] | Literal["sqrt"] | None = None,
        criterion: Annotated[Literal["gini", "entropy"], Tune(values=("gini", "entropy"))] = "gini",
        n_jobs: Jobs = None,
    ) -> None:
        self.all = (base, alpha, depth, subset, criterion, n_jobs)


def test_the_table():
    assert parameters(Model) == (
        Parameter("base", inspect.Parameter.empty, "anything", None),
        Parameter("alpha", 1.0, "a number in [0, inf)", Tune(1.0, 100.0, log=True)),
        Parameter("depth", None, "an integer in [1, inf) or None", Tune(2, 32, log=True)),
        Parameter("subset", None, "an integer in [1, inf), 'sqrt' or None", Tune(1, 8)),
        Parameter("criterion", "gini", "one of 'gini', 'entropy'", Tune(values=("gini", "entropy"))),
        Parameter("n_jobs", None, "an integer in (-inf, -1], an integer in [1, inf) or None", None),
    )


def test_a_number_parameter_is_tuned_over_real_numbers_and_an_integer_one_over_integers():
    tunes = {entry.name: entry.tune for entry in parameters(Model)}
    assert tunes["alpha"].grid(4) == pytest.approx((1.0, 4.641588833612779, 21.544346900318832, 100.0))
    assert tunes["subset"].grid(3) == (1, 4, 8)


def test_a_subclass_has_the_parameters_of_its_own_init():
    class Same(Model):
        pass

    class Other(Model):
        def __init__(self, size: int = 2) -> None:
            super().__init__(size)

    assert parameters(Same) == parameters(Model)
    assert parameters(Other) == (Parameter("size", 2, "an integer", None),)


def test_no_parameters():
    assert parameters(object) == ()
