"""Each column against the target, by itself: how much it explains, and where the target is high and low."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.studies._explanation import ColumnTarget
from hornbook.studies.explain._column_parts import ColumnParts, column_parts

__all__ = ["column_targets"]

RANGES = 8  # of a column of numbers
MOST = 40  # columns
FEWEST = 5  # rows of a part that is said to be the highest or the lowest


def column_targets(
    table: Frame, target: NDArray[np.float64], classes: tuple[str, ...], positive: int | None = None
) -> list[ColumnTarget]:
    """Return what each column explains of the target, the strongest first.

    Parameters
    ----------
    table : Frame
        The columns.
    target : ndarray of shape (n_rows,)
        Numbers, or the positions of classes.
    classes : tuple of str
        Names of the classes; empty for numbers.
    positive : int, optional
        The class whose frequency is described; the second of two, else the one that changes most.

    Examples
    --------
    >>> table = Frame({"x": np.arange(80.0), "noise": np.arange(80) % 2.0})
    >>> one, other = column_targets(table, np.where(np.arange(80) < 40, 0.0, 1.0), ("no", "yes"))
    >>> one.column, one.strength, one.words, other.strength
    ('x', 0.9369, 'yes is most frequent for > 39.5 to 49.38 (1) and least for <= 9.875 (0)', 0.0)
    """
    related = []
    for place in range(len(table.schema)):
        parts = column_parts(table, place, RANGES)
        counts = np.bincount(parts.codes, minlength=len(parts.names))
        if classes:
            related.append(_against_classes(parts, counts, target.astype(np.intp), classes, positive))
        else:
            related.append(_against_numbers(parts, counts, target))
    return sorted(related, key=lambda one: -one.strength)[:MOST]


def _against_numbers(
    parts: ColumnParts, counts: NDArray[np.intp], target: NDArray[np.float64]
) -> ColumnTarget:
    n, used = len(target), int((counts > 0).sum())
    means = np.bincount(parts.codes, target, minlength=len(counts)) / np.maximum(counts, 1)
    whole = float(((target - target.mean()) ** 2).sum())
    within = float(((target - means[parts.codes]) ** 2).sum())
    # Kelley's epsilon squared: the share of the variance between parts, without what chance alone adds.
    strength = 1 - (within / max(n - used, 1)) / (whole / (n - 1)) if whole > 0 and n > used else 0.0
    return _related(parts, counts, means, strength, "the mean of the target", ("is highest", "is lowest"))


def _against_classes(
    parts: ColumnParts,
    counts: NDArray[np.intp],
    codes: NDArray[np.intp],
    classes: tuple[str, ...],
    positive: int | None,
) -> ColumnTarget:
    table = np.zeros((len(counts), len(classes)))
    np.add.at(table, (parts.codes, codes), 1.0)
    n = table.sum()
    shared = _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table)
    used = (table.sum(axis=1) > 0).sum(), (table.sum(axis=0) > 0).sum()
    # Miller and Madow (1955): chance alone adds about this much information.
    shared -= (used[0] - 1) * (used[1] - 1) / (2 * n)
    entropy = _entropy(table.sum(axis=0))
    shares = table / np.maximum(counts[:, None], 1)
    enough = counts >= min(FEWEST, counts.max())
    k = positive
    if k is None:
        k = 1 if len(classes) == 2 else int(np.argmax(np.ptp(shares[enough], axis=0)))
    strength = shared / entropy if entropy > 0 else 0.0
    return _related(parts, counts, shares[:, k], strength, classes[k], ("is most frequent", "least"))


def _entropy(counts: NDArray[np.float64]) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log(share)).sum())


def _related(
    parts: ColumnParts,
    counts: NDArray[np.intp],
    means: NDArray[np.float64],
    strength: float,
    meaning: str,
    verbs: tuple[str, str],
) -> ColumnTarget:
    shown = np.flatnonzero(counts > 0)
    enough = np.flatnonzero(counts >= min(FEWEST, counts.max()))
    high, low = enough[np.argmax(means[enough])], enough[np.argmin(means[enough])]
    words = "all rows are alike"
    if means[high] > means[low]:
        words = (
            f"{meaning} {verbs[0]} for {parts.names[high]} ({means[high]:.3g}) and {verbs[1]} for "
            f"{parts.names[low]} ({means[low]:.3g})"
        )
    # Four digits are enough for readers, and tell a value of 1 from 0.9999999999999998.
    return ColumnTarget(
        parts.column,
        round(min(1.0, max(0.0, float(strength))), 4),
        meaning,
        tuple(parts.names[k] for k in shown.tolist()),
        tuple(counts[shown].tolist()),
        tuple(means[shown].tolist()),
        words,
    )
