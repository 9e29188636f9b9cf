"""What a study of outliers found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.display import plain_data
from hornbook.studies.clusters._findings import ClusterPlane

__all__ = ["METHOD_WORDS", "OutlierFindings", "UnusualCell", "UnusualRow", "listed_words"]

METHOD_WORDS = {"mixture": "mixture density", "one_class": "one-class SVM", "forest": "forest proximity"}


@dataclass(frozen=True)
class UnusualCell:
    """A cell that makes a row unusual.

    Parameters
    ----------
    column : str
        Its column.
    value : str
        What it holds.
    usual : str
        What is usual in this column.
    share : float
        How much of what is unusual about the row goes away when this cell is replaced by those of other
        rows; all columns that help have 1 together.
    """

    column: str
    value: str
    usual: str
    share: float


@dataclass(frozen=True)
class UnusualRow:
    """A row that all methods call unusual.

    Parameters
    ----------
    row : int
        Its position in the original table.
    score : float
        The share of rows that are less unusual.
    low, high : float
        Its range over the resamples, without the share ``alpha`` at the ends.
    sure : float
        Share of the resamples in which all methods call it unusual.
    cells : tuple of UnusualCell
        What makes it so, the most important first.
    """

    row: int
    score: float
    low: float
    high: float
    sure: float
    cells: tuple[UnusualCell, ...] = ()

    @property
    def words(self) -> str:
        """What makes it unusual."""
        return "; ".join(f"{cell.column} {cell.value} ({cell.usual})" for cell in self.cells)


@dataclass(frozen=True, eq=False)
class OutlierFindings:
    """How unusual each row is, and which rows all methods call unusual.

    Parameters
    ----------
    share : float
        Share of the rows that a method calls unusual in each resample.
    methods : tuple of str
        The methods.
    n_splits : int, default 0
        Resamples that all methods have finished.
    rows : ndarray of int of shape (n_rows,), default empty
        Position of each row in the original table.
    scores, low, high : ndarray of shape (n_rows,), default empty
        How unusual each row is by all methods together, between 0 and 1, and its range over the resamples.
    sure : ndarray of shape (n_rows,), default empty
        Share of the resamples in which all methods call the row unusual.
    by_method : mapping of str to ndarray of shape (n_rows,), default {}
        How unusual each row is by each method: its mean rank over the resamples, between 0 and 1.
    agreement : mapping of str to mapping of str to float, default {}
        Rank correlation of the scores of every two methods.
    stability : mapping of str to float, default {}
        Mean rank correlation of the scores from different resamples, of each method and of all together.
    unusual : tuple of UnusualRow, default ()
        The rows that all methods call unusual in at least half of the resamples.
    plane : ClusterPlane, optional
        Rows for a picture; those called unusual have the label 1.
    """

    share: float
    methods: tuple[str, ...]
    n_splits: int = 0
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    scores: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    low: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    high: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    sure: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    by_method: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    agreement: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    stability: Mapping[str, float] = field(default_factory=dict)
    unusual: tuple[UnusualRow, ...] = ()
    plane: ClusterPlane | None = None

    @property
    def mean_agreement(self) -> float | None:
        """Mean rank correlation of two methods; None for a single one."""
        names = [name for name in self.methods if name in self.agreement]
        pairs = [self.agreement[a][b] for i, a in enumerate(names) for b in names[i + 1 :]]
        return float(np.mean(pairs)) if pairs else None

    def sentences(self, alpha: float) -> tuple[str, ...]:
        """Say which rows are unusual, and how sure that is.

        Parameters
        ----------
        alpha : float
            A row is sure if all methods call it unusual in all but this share of the resamples.
        """
        every = f"all {len(self.methods)} methods" if len(self.methods) > 1 else METHOD_WORDS[self.methods[0]]
        call = "call" if len(self.methods) > 1 else "calls"
        sure = sum(row.sure >= 1 - alpha for row in self.unusual)
        if not self.unusual:
            first_row = int(self.rows[int(self.scores.argmax())])
            words = [f"No row is unusual by {every} in half of {self.n_splits} resamples."]
            words.append(f"The most unusual is row {first_row}.")
        else:
            count = len(self.unusual)
            what = "1 row is" if count == 1 else f"{count} rows are"
            them = "it" if count == 1 else "them"
            often = f"in at least half of {self.n_splits} resamples"
            most = f"{100 * (1 - alpha):g} %"
            words = [f"{what} unusual: {every} {call} {them} so {often}, {sure} of them in {most}."]
            first = self.unusual[0]
            reason = f": {first.words}" if first.cells else ""
            words.append(f"The most unusual is row {first.row}{reason}.")
        if (mean := self.mean_agreement) is not None:
            words.append(f"The methods rank the rows {_agree(mean)}: mean rank correlation {mean:.2f}.")
        words.append(
            f"Each method calls {100 * self.share:.3g} % of the rows unusual, whatever the table: that a row "
            "is listed does not make it an error."
        )
        return tuple(words)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the scores of each row and the picture as plain data."""
        # Without scores and points, which would make the JSON as long as the table; scores.csv has them.
        data: dict[str, Any] = plain_data(
            {
                "share": self.share,
                "methods": self.methods,
                "n_splits": self.n_splits,
                "agreement": self.agreement,
                "stability": self.stability,
                "unusual": [{**asdict(row), "words": row.words} for row in self.unusual],
            }
        )
        return data


def _agree(correlation: float) -> str:
    if correlation >= 0.8:
        return "alike"
    return "in part alike" if correlation >= 0.5 else "differently"


def listed_words(methods: tuple[str, ...]) -> str:
    """Return the methods in words."""
    words = [METHOD_WORDS[name] for name in methods]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
