"""Settings of a forest, from its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.base import Learner
from hornbook.ensembles._out_of_bag import Scoring
from hornbook.ensembles.forests._bootstrap import MaxSamples
from hornbook.trees import GrowerSettings, settings_of

__all__ = ["ForestSettings", "forest_settings", "require_count", "votes_hard"]


@dataclass(frozen=True)
class ForestSettings:
    """How a forest is grown: the parameters of forests, under the same names, and those of its trees.

    Parameters
    ----------
    trees : GrowerSettings
        How its trees are grown.
    n_estimators, bootstrap, max_samples, oob_score, stop_when_stable, stable_tol
        Trees and rows, as the forest says.
    vote : {"soft", "hard"}
        Whether trees add class probabilities or one vote each.
    class_weight : object
        Weights of classes.
    """

    trees: GrowerSettings
    n_estimators: int
    bootstrap: bool
    max_samples: MaxSamples
    oob_score: bool | Scoring
    stop_when_stable: int | None
    stable_tol: float
    vote: str = "soft"
    class_weight: object = None

    @property
    def is_hard(self) -> bool:
        """Whether each tree has one vote."""
        return self.vote == "hard"

    @property
    def is_balanced(self) -> bool:
        """Whether classes are balanced within each tree's own sample."""
        return self.bootstrap and self.class_weight == "balanced_subsample"

    @property
    def uses_out_of_bag(self) -> bool:
        """Whether trees are evaluated on the rows they have not seen."""
        return bool(self.oob_score) or self.stop_when_stable is not None

    @property
    def grows_from_sums(self) -> bool:
        """Whether growth needs only sums over the rows."""
        return not self.trees.needs_all_rows and not self.uses_out_of_bag

    def refuse_contradictions(self) -> None:
        """Reject parameters that have no effect because of another one."""
        needs = {
            "oob_score": bool(self.oob_score),
            "stop_when_stable": self.stop_when_stable is not None,
            "max_samples": self.max_samples is not None,
        }
        for parameter, is_set in needs.items():
            if is_set and not self.bootstrap:
                known = (
                    "`max_sample` cannot be set if `bootstrap=False`. Either switch to `bootstrap=True` or "
                    "set `max_sample=None`."
                    if parameter == "max_samples"
                    else "Out of bag estimation only available if bootstrap=True"
                )
                raise ValueError(
                    f"{self.trees.learner}: parameter {parameter!r} applies to rows that are drawn or left "
                    f"out, but bootstrap is False ({known}): set bootstrap=True, or leave it out."
                )
        if self.trees.max_random_splits is not None and self.trees.split == "best":
            raise ValueError(
                f"{self.trees.learner}: parameter 'max_random_splits' bounds the splits that are drawn, but "
                "split is 'best': choose split='top_k' or 'proportional', or leave it out."
            )

    def refuse_several(self) -> None:
        """Reject votes for several targets, whose shares are averaged."""
        if self.is_hard:
            raise ValueError(
                f"{self.trees.learner}: vote='hard' is for one target, and y has several: set vote='soft', "
                "or fit one learner for each column of y."
            )

    def require_draws(self, otherwise: str) -> None:
        """Reject out-of-bag methods where every tree has seen every row."""
        if not self.bootstrap:
            raise ValueError(
                f"{self.trees.learner} was fitted with bootstrap=False, so every tree has seen every row: "
                f"fit with bootstrap=True, or {otherwise}."
            )


def forest_settings(forest: Learner) -> ForestSettings:
    """The settings that follow from the parameters of a forest."""
    chosen = vars(forest)  # get_params would read the signature each time
    names = ForestSettings.__dataclass_fields__.keys() & chosen.keys()
    return ForestSettings(settings_of(forest), **{name: chosen[name] for name in names})


def votes_hard(forest: Learner) -> bool:
    """Whether each tree of a forest has one vote; asked for with every prediction."""
    return getattr(forest, "vote", "soft") == "hard"


def require_count(name: str, value: Any) -> None:
    """Reject values that are not positive integers."""
    if not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"parameter {name!r} must be an integer in [1, inf); got {value!r}.")
