"""Rows of a fit, rows that are held out of it, and fits that go on from earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees import held_out

__all__ = ["BoostingRows", "GivenRows", "kept_by_warm_start", "require_same_table", "split_rows"]


@dataclass(frozen=True)
class GivenRows:
    """Validation rows that a user passed, not yet checked."""

    X: Any
    y: Any
    w: Any

    def checked(self, learner: str) -> GivenRows | None:
        """The rows, or None if there are none; an error if there is only a target."""
        if self.X is None and (self.y is not None or self.w is not None):
            raise ValueError(
                f"{learner}: y_val and sample_weight_val belong to X_val, which is missing: pass it, too."
            )
        return None if self.X is None else self


@dataclass(frozen=True)
class BoostingRows:
    """Rows with target and weights."""

    frame: Frame
    y: NDArray[Any]
    w: Floats | None

    def part(self, rows: NDArray[np.intp]) -> BoostingRows:
        """Some of the rows."""
        return BoostingRows(self.frame[rows], self.y[rows], None if self.w is None else self.w[rows])


def split_rows(
    rows: BoostingRows, share: float, seed: int, *, by_class: bool, learner: str
) -> tuple[BoostingRows, BoostingRows]:
    """Training rows and held-out ones; ``share`` is a fraction, or a number of rows."""
    n = len(rows.y)
    w = np.ones(n) if rows.w is None else rows.w
    if isinstance(share, int | np.integer):
        share = min(1.0, share / max(1, int((w > 0).sum())))
    out = held_out(rows.y, w, share, seed, by_class=by_class)
    if not out.any():
        raise ValueError(
            f"{learner}: early stopping holds out rows, but validation_fraction takes none of {n} rows: "
            "raise it, pass X_val and y_val to fit, or switch early stopping off."
        )
    return rows.part(np.flatnonzero(~out)), rows.part(np.flatnonzero(out))


_KEPT = (
    "forest_",
    "gains_",
    "estimators_",
    "factors_",
    "base_score_",
    "init_",
    "boosted_schema_",
    "n_iter_",
    "n_rows_",
    "seed_",
    "classes_",
    "train_score_",
    "validation_score_",
    "oob_scores_",
    "oob_improvement_",
)


def kept_by_warm_start(fitted: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that the next fit needs of this one; none before the first fit."""
    if "forest_" not in fitted and "factors_" not in fitted:
        return {}
    return {name: fitted[name] for name in _KEPT if name in fitted}


def require_same_table(
    before: Mapping[str, Any], now: Mapping[str, Any], learner: str, n_rounds: int
) -> None:
    """Reject a warm start on another table, with other members, or with fewer rounds than there are."""
    if not before:
        return
    same = (
        before["n_rows_"] == now["n_rows_"]
        and before["boosted_schema_"] == now["boosted_schema_"]
        and np.array_equal(before.get("classes_", ()), now.get("classes_", ()))
        and ("factors_" in before) == (now["estimator"] is not None)
    )
    if not same:
        raise ValueError(
            f"{learner}: warm_start=True adds rounds to a model of the same table, but its columns, classes, "
            "number of rows or kind of members have changed: pass the same ones, or set warm_start=False."
        )
    if n_rounds < before["n_iter_"]:
        raise ValueError(
            f"{learner}: {n_rounds} rounds are asked for, but warm_start=True and there are "
            f"{before['n_iter_']} already: raise the number, or set warm_start=False."
        )
