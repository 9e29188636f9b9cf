"""Comparison of two curves: one dominates the other, or they cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.curves._precision_recall import PrecisionRecallCurve
from hornbook.evaluation.curves._roc import RocCurve
from hornbook.params import Floats

__all__ = ["CurveComparison", "pr_comparison", "roc_comparison"]

_ROUNDING = 1e-12  # heights lie in [0, 1]


class _Curve(Protocol):
    @property
    def area(self) -> float: ...
    def at(self, x: ArrayLike, /) -> Floats: ...
    def limits(self, x: Floats) -> tuple[Floats, Floats]: ...


@dataclass(frozen=True, eq=False)
class CurveComparison:
    """Which of two curves is better: the one that dominates the other, else the one with the larger area.

    Parameters
    ----------
    relation : {"first", "second", "equal", "crossing"}
        Which curve is nowhere below the other, whether they are the same, or whether they cross.
    crossings : ndarray
        Where they cross: false positive rates of ROC curves, recalls of precision-recall curves.
    areas : tuple of two float
        The areas under the curves.
    names : tuple of two str
        Names of the curves.
    """

    relation: Literal["first", "second", "equal", "crossing"]
    crossings: Floats
    areas: tuple[float, float]
    names: tuple[str, str] = ("the first curve", "the second curve")

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        areas = f"areas {self.areas[0]:.4g} and {self.areas[1]:.4g}"
        one, other = self.names
        if self.relation == "equal":
            return f"The curves are the same ({areas})."
        if self.relation == "crossing":
            larger = one if self.areas[0] > self.areas[1] else other
            verdict = (
                "their areas are equal" if self.areas[0] == self.areas[1] else f"{larger} has the larger area"
            )
            places = ", ".join(f"{x:.4g}" for x in self.crossings[:5])
            more = " and further on" if len(self.crossings) > 5 else ""
            return (
                f"The curves cross at {places}{more}, so neither is better everywhere; {verdict} ({areas})."
            )
        if self.relation == "second":
            one, other = other, one
        return f"{one[0].upper()}{one[1:]} dominates {other}, so it is better at every threshold ({areas})."

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        return {
            "relation": self.relation,
            "crossings": self.crossings.tolist(),
            "areas": list(self.areas),
            "names": list(self.names),
            "sentence": self.sentence,
        }


def roc_comparison(
    first: RocCurve, second: RocCurve, *, names: tuple[str, str] = ("the first curve", "the second curve")
) -> CurveComparison:
    """Compare two ROC curves: one dominates the other, or they cross.

    Parameters
    ----------
    first, second : RocCurve
        The curves.
    names : tuple of two str, default ("the first curve", "the second curve")
        Their names in the sentence.

    Returns
    -------
    CurveComparison
        The relation, the crossings and both areas.

    Examples
    --------
    >>> from hornbook.evaluation import roc_curve
    >>> truth = [1, 1, 0, 1, 0, 0]
    >>> sharp = roc_curve(truth, [6, 5, 4, 3, 2, 1])
    >>> print(roc_comparison(sharp, roc_curve(truth, [1, 1, 1, 1, 1, 1]), names=("sharp", "blind")))
    Sharp dominates blind, so it is better at every threshold (areas 0.8889 and 0.5).
    """
    places = np.union1d(first.false_positive_rate, second.false_positive_rate)
    return _compared(first, second, places, names)


def pr_comparison(
    first: PrecisionRecallCurve,
    second: PrecisionRecallCurve,
    *,
    names: tuple[str, str] = ("the first curve", "the second curve"),
) -> CurveComparison:
    """Compare two precision-recall curves: one dominates the other, or they cross.

    Parameters
    ----------
    first, second : PrecisionRecallCurve
        The curves.
    names : tuple of two str, default ("the first curve", "the second curve")
        Their names in the sentence.

    Returns
    -------
    CurveComparison
        The relation, the crossings and both areas.

    Examples
    --------
    >>> from hornbook.evaluation import pr_curve
    >>> truth = [1, 1, 0, 0]
    >>> print(pr_comparison(pr_curve(truth, [4, 2, 3, 1]), pr_curve(truth, [3, 2, 4, 1])))
    The first curve dominates the second curve, so it is better at every threshold (areas 0.7973 and 0.4507).
    """
    return _compared(first, second, np.union1d(first.recall, second.recall), names)


def _compared(first: _Curve, second: _Curve, places: Floats, names: tuple[str, str]) -> CurveComparison:
    """Compare the curves just before and just after every point of either.

    Between two such points straight lines cross at most once, and so do the arcs of precision-recall curves:
    t / (A t + B) = t / (C t + D) is linear in t.
    """
    # both sides of every point, because a curve may jump there
    before = np.subtract(first.limits(places)[0], second.limits(places)[0])
    after = np.subtract(first.limits(places)[1], second.limits(places)[1])
    above = np.stack([before, after], axis=1).ravel()
    where = np.repeat(places, 2)
    signs = np.where(np.abs(above) <= _ROUNDING, 0, np.sign(above)).astype(np.intp)
    areas = (first.area, second.area)
    if (signs >= 0).all() or (signs <= 0).all():
        total = int(signs.sum())
        relation: Literal["first", "second", "equal"] = (
            "equal" if total == 0 else "first" if total > 0 else "second"
        )
        return CurveComparison(relation, np.empty(0), areas, names)
    nonzero = np.flatnonzero(signs)
    # Consecutive nonzero signs that differ; touching without crossing leaves a zero between equal
    # signs.
    turns = np.flatnonzero(signs[nonzero[1:]] != signs[nonzero[:-1]])
    lows, highs = where[nonzero[turns]], where[nonzero[turns + 1]]
    return CurveComparison("crossing", _meeting(first, second, lows, highs), areas, names)


def _meeting(first: _Curve, second: _Curve, low: Floats, high: Floats) -> Floats:
    """Bisect the intervals to the points where the curves meet."""
    low, high = low.copy(), high.copy()
    start = np.sign(first.limits(low)[1] - second.limits(low)[1])
    for _ in range(60):  # more halvings than a double in [0, 1] has bits
        middle = (low + high) / 2
        same = np.sign(first.at(middle) - second.at(middle)) == start
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.asarray((low + high) / 2)
