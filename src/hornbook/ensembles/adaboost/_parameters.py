"""The parameters that both learners of this room take."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, Literal, TypeAlias

from hornbook.params import Jobs, NEstimators, Range, Seed, Tune, parameter_group

__all__ = ["BoostingRounds", "Method"]

LearningRate: TypeAlias = Annotated[float, Range(low=0.0, open_low=True), Tune(0.01, 1.0, log=True)]
Method: TypeAlias = Literal["weights", "resample"]


@parameter_group
class BoostingRounds:
    """Members, rounds, draws and threads.

    Parameters
    ----------
    n_estimators : int
        Most rounds.
    learning_rate : float
        Factor of what each round adds.
    method : {"weights", "resample"}
        Members are fitted with the weights, or on as many rows as there are, drawn with replacement in
        proportion to the weights. Members that take no weights are always fitted on drawn rows.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: NEstimators = 50
    learning_rate: LearningRate = 1.0
    method: Method = "weights"
    random_state: Seed = None
    n_jobs: Jobs = None
