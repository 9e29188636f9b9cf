"""Rows of a fit, rows that are held out of it, and fits that go on from earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.random import Stream, mixed_bits

__all__ = [
    "BoostingRows",
    "GivenRows",
    "HeldRows",
    "hashes_of",
    "held_count",
    "kept_by_warm_start",
    "refuse_none_held",
    "require_same_table",
    "share_of",
    "split_rows",
]

_HELD_OUT = 1  # random stream of the rows that are held out


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
                f"{learner}: {'sample_weight_val' if self.y is None else 'y_val'} is provided, but X_val was "
                "not provided: pass both."
            )
        return None if self.X is None else self

    def target(self, learner: str) -> Any:
        """The target of the rows, which a Frame may have."""
        target = getattr(self.X, "y", None) if self.y is None else self.y
        if target is None:
            raise ValueError(
                f"{learner}: X_val is provided, but y_val was not provided: pass it, or a Frame with a "
                "target."
            )
        return target


@dataclass(frozen=True)
class BoostingRows:
    """Rows with target and weights."""

    frame: Frame
    y: NDArray[Any]
    w: Floats | None

    def part(self, rows: NDArray[np.intp]) -> BoostingRows:
        """Some of the rows."""
        return BoostingRows(self.frame[rows], self.y[rows], None if self.w is None else self.w[rows])


@dataclass(frozen=True)
class HeldRows:
    """Which rows are held out: those with the smallest hashes of seed and row number, in each group.

    Parameters
    ----------
    seed : int
        Seed of the hashes.
    some : ndarray of bool of shape (n_groups,)
        Groups of which any are held out: the classes, or a single one for all rows.
    limit : ndarray of uint64 of shape (n_groups,)
        Largest hash of those.
    """

    seed: int
    some: NDArray[np.bool_]
    limit: NDArray[np.uint64]

    def among(self, rows: NDArray[np.intp], y: NDArray[Any], w: Floats | None) -> NDArray[np.bool_]:
        """Whether rows are held out, by their number among all."""
        group = y if len(self.limit) > 1 else np.zeros(len(rows), dtype=np.intp)
        # A hash, not a permutation: a row is held out or not by its own number alone, wherever it is
        # stored.
        held = self.some[group] & (hashes_of(rows, self.seed) <= self.limit[group])
        return np.asarray(held if w is None else held & (w > 0))


def hashes_of(rows: NDArray[np.intp], seed: int) -> NDArray[np.uint64]:
    """Hashes of the seed and the numbers of rows among all: the choice does not depend on where rows are."""
    return mixed_bits(rows.astype(np.uint64) ^ Stream(seed, _HELD_OUT).bits(1)[0])


def share_of(share: float, n_rows: int, learner: str) -> float:
    """A share of the rows of positive weight, given as such or as a number of rows."""
    if not isinstance(share, int | np.integer):
        return share
    if share >= n_rows:
        raise ValueError(
            f"{learner}: validation_fraction={share} holds out as many rows as there are, or more ({n_rows} "
            "of positive weight): lower it, or pass X_val and y_val to fit."
        )
    return float(share / n_rows)


def held_count(share: float, size: int) -> int:
    """How many rows of a group are held out: never all."""
    return max(0, min(int(share * size), size - 1))


def refuse_none_held(n_rows: int, learner: str) -> None:
    """Say that the share is too small."""
    raise ValueError(
        f"{learner}: early stopping holds out rows, but validation_fraction takes none of {n_rows} rows: "
        "raise it, pass X_val and y_val to fit, or switch early stopping off."
    )


def split_rows(
    rows: BoostingRows, share: float, seed: int, *, n_classes: int, learner: str
) -> tuple[BoostingRows, BoostingRows]:
    """Training rows and held-out ones; ``share`` is a fraction, or a number of rows."""
    n = len(rows.y)
    used = np.arange(n) if rows.w is None else np.flatnonzero(rows.w > 0)
    share, hashes = share_of(share, len(used), learner), hashes_of(used, seed)
    groups = [rows.y[used] == k for k in range(n_classes)] if n_classes > 1 else [slice(None)]
    members = [hashes[group] for group in groups]
    wanted = [held_count(share, len(group)) for group in members]
    # The k-th smallest hash of each class is its limit.
    limits = [np.partition(group, k - 1)[k - 1] if k else 0 for group, k in zip(members, wanted, strict=True)]
    held = HeldRows(seed, np.array(wanted) > 0, np.array(limits, dtype=np.uint64))
    if not any(wanted):
        refuse_none_held(n, learner)
    out = held.among(np.arange(n), rows.y, rows.w)
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
            f"{learner}: {n_rounds} rounds are requested, but warm_start=True and there are "
            f"{before['n_iter_']} already: raise the number, or set warm_start=False."
        )
