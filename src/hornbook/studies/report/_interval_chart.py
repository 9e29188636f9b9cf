"""The picture of all learners with their intervals, as lengths on one scale that any page width can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hornbook.display import IntervalRow, interval_scale
from hornbook.evaluation import Verdict
from hornbook.studies.report._numbers import number_text

__all__ = ["ChartLine", "IntervalChart", "interval_chart"]

LOOKS = {"best": "tied", "tied best": "tied", "too noisy to rank": "noisy", "worse": "worse"}


@dataclass(frozen=True)
class ChartLine:
    """One learner: where its mean and its interval are, in percent of the scale, and their numbers.

    Parameters
    ----------
    name, value, ends : str
        The learner, its mean and its interval; the note on a learner that is not ranked.
    look : str
        Whether it is tied best, too noisy to rank, worse or not ranked.
    left, width, dot : float
        Percentages; the dot is outside of 0 to 100 if the scale ends before it.
    recommended : bool
        Whether it is the recommended learner.
    """

    name: str
    value: str
    ends: str
    look: str
    left: float = 0.0
    width: float = 0.0
    dot: float = 0.0
    recommended: bool = False


@dataclass(frozen=True)
class IntervalChart:
    """All learners on one scale, the region of equivalence, and the ends of the scale."""

    lines: Sequence[ChartLine]
    band: tuple[float, float]
    ends: tuple[str, str]
    words: str


def interval_chart(verdict: Verdict) -> IntervalChart:
    """Return the picture of a verdict.

    Parameters
    ----------
    verdict : Verdict
        With at least one finished learner.
    """
    rows = [
        IntervalRow(s.name, s.mean.estimate, s.mean.low, s.mean.high)
        for s in verdict.standings
        if s.mean is not None
    ]
    low, high = interval_scale(rows)

    def percent(value: float) -> float:
        return min(100.0, max(0.0, 100 * (value - low) / (high - low)))

    lines = []
    for standing in verdict.standings:
        if (mean := standing.mean) is None:
            lines.append(ChartLine(standing.name, "", standing.note, "unranked"))
            continue
        left, right = percent(mean.low), percent(mean.high)
        dot = 100 * (mean.estimate - low) / (high - low)
        lines.append(
            ChartLine(
                standing.name,
                number_text(mean.estimate, 3),
                f"{number_text(mean.low, 3)} to {number_text(mean.high, 3)}",
                LOOKS[standing.status],
                left,
                right - left,
                dot,
                standing.name == verdict.recommended,
            )
        )
    around = percent(rows[0].estimate - verdict.equivalence), percent(rows[0].estimate + verdict.equivalence)
    better = "larger" if verdict.scores.greater_is_better else "smaller"
    words = (
        f"{verdict.scores.measure} ({better} is better), {100 * (1 - verdict.alpha):g}\u00a0% intervals over "
        f"{verdict.scores.values.shape[1]} folds"
    )
    band = (around[0], around[1] - around[0])
    return IntervalChart(lines, band, (number_text(low, 3), number_text(high, 3)), words)
