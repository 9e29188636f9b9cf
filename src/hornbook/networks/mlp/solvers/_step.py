"""What solvers have in common: their options, and what they yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from hornbook.networks.mlp._objective import Objective
from hornbook.params import Floats

__all__ = ["Options", "Solver", "SolverStep"]


@dataclass(frozen=True)
class SolverStep:
    """One iteration of a solver.

    Parameters
    ----------
    weights : ndarray
        The weights after it.
    loss : float
        The objective: of batches before their steps in an epoch, of all rows at the new weights elsewhere.
    converged : bool, default False
        Whether the solver knows that it cannot improve further.
    rate : float, default nan
        The learning rate, where there is one for all weights.
    """

    weights: Floats
    loss: float
    converged: bool = False
    rate: float = float("nan")


@dataclass
class Options:
    """The numbers that solvers go by; the learner's parameters of the same names say what they are.

    ``sure`` is the number of iterations that will be asked for in any case, which a solver may make at once.
    """

    rate: float
    momentum: float
    nesterov: bool
    increase: float
    decrease: float
    tolerance: float
    beta_1: float
    beta_2: float
    epsilon: float
    batch: int
    shuffle: bool
    dropout: float
    single: bool
    power_t: float | None
    tol: float
    max_fun: int
    temperature: float
    cooling: float
    population: int
    mutation: float
    variance: float
    noise: float
    seed: int
    start: int
    n_threads: int
    sure: int = 1


Solver: TypeAlias = Callable[[Objective, Floats, Options], Iterator[SolverStep]]
