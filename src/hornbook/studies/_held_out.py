"""How good the recommended model of a study is on rows that nothing else has seen."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hornbook.display import Table

__all__ = ["HeldOutScore", "HeldOutScores"]


@dataclass(frozen=True)
class HeldOutScore:
    """One measure on the rows of a test table.

    Parameters
    ----------
    measure : str
        Its name.
    value : float
        Of the recommended model.
    low, high : float, optional
        Confidence interval; None where there is none.
    baseline : float, optional
        Of `Baseline`.
    """

    measure: str
    value: float
    low: float | None
    high: float | None
    baseline: float | None

    def __str__(self) -> str:
        text = f"{self.measure} {self.value:.3g}"
        text += "" if self.low is None else f" ({self.low:.3g} to {self.high:.3g})"
        return text + ("" if self.baseline is None else f", Baseline {self.baseline:.3g}")


@dataclass(frozen=True)
class HeldOutScores:
    """Scores on a test table, of a model that was chosen and fitted without it.

    Parameters
    ----------
    data : str
        Name of the test table.
    n_rows : int
        Its rows with a known target.
    seen : int
        How many of them are in the table of the study, too.
    scores : tuple of HeldOutScore
        The metric first.
    """

    data: str
    n_rows: int
    seen: int
    scores: tuple[HeldOutScore, ...]

    def __str__(self) -> str:
        return f"{self.scores[0]}, on {self.n_rows} rows of {self.data}"

    @property
    def table(self) -> Table:
        """All measures."""
        rows = [[s.measure, s.value, s.low, s.high, s.baseline] for s in self.scores]
        return Table("Scores on the test table", ["measure", "value", "low", "high", "Baseline"], rows)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)
