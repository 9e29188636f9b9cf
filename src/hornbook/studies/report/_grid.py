"""Tables of a report: the text of each cell, and the value it is sorted by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.display import Table, plain
from hornbook.evaluation import Standing, Verdict
from hornbook.studies._study_data import StudyData
from hornbook.studies.prepare._setting_text import setting_words
from hornbook.studies.report._numbers import (
    count_text,
    decimals_of,
    number_text,
    p_text,
    seconds_text,
    truncated,
)

__all__ = [
    "Grid",
    "GridEntry",
    "Line",
    "chosen_settings",
    "grid_of",
    "heat_of",
    "measures",
    "parameters",
    "ranking",
    "times",
    "unranked",
]

MOST_ROWS = 60
MOST_COLUMNS = 16
MOST_SETTINGS = 3  # of a learner, by how often they won
MOST_BESIDE = 1  # other measures in the ranking; a separate table has all of them
HUGE = 1e7  # numbers from here on are written as 3.2e+14
ROUNDING = 1e-13  # of a score
LONGEST = 400  # characters of a cell

_TAGS = {
    "best": "good",
    "tied best": "good",
    "too noisy to rank": "noisy",
    "worse": "calm",
    "incomplete": "bad",
}


@dataclass(frozen=True)
class GridEntry:
    """A cell: its text, its sort key, and the style of a tag if it is one."""

    text: str
    value: Any = None
    tag: str = ""


@dataclass(frozen=True)
class Line:
    """A row: its cells, and its CSS class."""

    cells: Sequence[GridEntry]
    look: str = ""


@dataclass(frozen=True)
class Grid:
    """A table: heads with whether their column is numeric, rows, and what was left out."""

    title: str
    heads: Sequence[tuple[str, bool]]
    lines: Sequence[Line]
    left_out: str = ""


def _number(value: Any, text: str | None = None) -> GridEntry:
    known = value is not None and np.isfinite(value)
    return GridEntry(
        (number_text(value) if text is None else text) if known else "", value if known else None
    )


def _fixed(value: float | None, decimals: int) -> GridEntry:
    if value is None:
        return GridEntry("")
    if value and not 10.0**-decimals / 2 <= abs(value) < HUGE:  # only zeros, or too many digits
        return _number(value)
    # A true minus sign, which is as wide as the digits.
    return _number(value, f"{value:.{decimals}f}".replace("-", "\u2212"))


def _decimals(values: Iterable[float]) -> int:
    """Return how many decimals show four digits of the largest of these numbers."""
    most = max((abs(value) for value in values if np.isfinite(value)), default=0.0)
    return decimals_of([most / 100]) if most else 3


def ranking(study: StudyData) -> Grid | None:
    """Return all learners, best first, in the order of the verdict."""
    verdict = study.verdict
    if verdict is None:
        return None
    known = [s.mean for s in verdict.standings if s.mean is not None]
    # One number of decimals for the whole column, so that scores can be compared by eye.
    decimals = decimals_of([abs(known[0].estimate) / 10 or float(np.median([m.width for m in known]))], 4)
    beside = list(study.beside)[:MOST_BESIDE]
    digits = {name: _decimals(study.beside[name].values()) for name in beside}
    level = f"{100 * (1 - verdict.alpha):g} %"
    heads = [("#", True), ("learner", False), ("verdict", False), (verdict.scores.measure, True)]
    heads += [(f"{level} interval", True), ("behind best", True), ("adjusted p", True)]
    heads += [*((name, True) for name in beside), ("stored", True)]
    lines = []
    for place, s in enumerate(verdict.standings, 1):
        status = "not ranked" if s.status == "incomplete" else s.badge
        cells = [_number(float(place), str(place)) if s.mean else GridEntry(""), GridEntry(s.name)]
        cells.append(GridEntry(status, place, _TAGS[s.status]))
        if s.mean is None:
            cells += [GridEntry("")] * 4
        else:
            ends = f"{_fixed(s.mean.low, decimals).text} to {_fixed(s.mean.high, decimals).text}"
            gap = None if s.difference is None else _behind(s, verdict)
            cells += [_fixed(s.mean.estimate, decimals), GridEntry(ends, s.mean.low), _fixed(gap, decimals)]
            cells.append(GridEntry(p_text(s.adjusted_p, verdict.alpha), s.adjusted_p))
        cells += [_fixed(study.beside[name].get(s.name), digits[name]) for name in beside]
        cells.append(GridEntry(count_text(s.stored), s.stored))
        look = "best" if s.status in ("best", "tied best") else ""
        # The recommended learner need not be the best: among those that are tied, the simplest is.
        lines.append(Line(cells, f"{look} recommended" if s.name == verdict.recommended else look))
    return Grid("Learners, best first", heads, lines)


def _behind(standing: Standing, verdict: Verdict) -> float:
    """Return how much worse than the best; 0 where it is only rounding error of the scores."""
    assert standing.mean is not None
    assert standing.difference is not None
    gap = standing.difference.estimate * (-1 if verdict.scores.greater_is_better else 1)
    return 0.0 if abs(gap) <= ROUNDING * abs(standing.mean.estimate) else gap


def measures(study: StudyData) -> Grid | None:
    """Return all other measures, if the ranking has no room for them."""
    if len(study.beside) <= MOST_BESIDE and study.verdict is not None:
        return None
    digits = {name: _decimals(means.values()) for name, means in study.beside.items()}
    lines = [
        Line([GridEntry(info.name), *(_fixed(study.beside[m].get(info.name), digits[m]) for m in digits)])
        for info in study.learners
    ]
    return Grid("Means over the finished folds", [("learner", False), *((m, True) for m in digits)], lines)


def unranked(study: StudyData) -> Grid:
    """Return all learners with their finished folds, if there is no verdict."""
    scores, measure = study.scores, "mean so far" if study.scores is None else study.scores.measure
    lines = []
    for info in study.learners:
        row = None if scores is None else scores.values[list(scores.names).index(info.name)]
        known = None if row is None else row[np.isfinite(row)]
        mean = float(known.mean()) if known is not None and len(known) else None
        folds = [_number(info.done), _number(info.failed)]
        lines.append(Line([GridEntry(info.name), _number(mean), *folds, GridEntry(info.error)]))
    heads = [
        ("learner", False),
        (measure, True),
        ("folds done", True),
        ("folds failed", True),
        ("error", False),
    ]
    return Grid("Learners so far", heads, lines)


def times(study: StudyData) -> Grid:
    """Return time and size of each learner."""
    heads = [("learner", False), ("folds done", True), ("one fit", True), ("predicting a fold", True)]
    heads += [("stored numbers", True), ("standardized", False)]
    lines = []
    for info in study.learners:
        cells = [GridEntry(info.name), _number(info.done)]
        cells += [GridEntry(seconds_text(t), t) for t in (info.fit_seconds, info.predict_seconds)]
        cells += [GridEntry(count_text(info.stored), info.stored), GridEntry("yes" if info.scaled else "no")]
        lines.append(Line(cells))
    return Grid("Time and size of each learner", heads, lines)


def parameters(study: StudyData) -> Grid:
    """Return the parameters of each learner."""
    lines = []
    for info in study.learners:
        text = ", ".join(f"{name}={value}" for name, value in info.parameters.items())
        lines.append(Line([GridEntry(info.name), GridEntry(truncated(text, LONGEST) or "none")]))
    return Grid("Parameters of each learner", [("learner", False), ("parameters", False)], lines)


def chosen_settings(study: StudyData) -> Grid | None:
    """Return which settings won in how many training folds, and which are fixed; None if nothing is tuned."""
    lines = []
    for info in study.learners:
        wins = Counter(setting_words(choice["setting"]) for choice in info.chosen)
        total = sum(wins.values())
        most = wins.most_common(MOST_SETTINGS)
        rest = total - sum(count for _, count in most)
        for words, count in [*most, *([("other settings", rest)] if rest else [])]:
            cells = [GridEntry(info.name), GridEntry(words), _number(count), _number(count / total)]
            lines.append(Line(cells))
    heads = [("learner", False), ("setting", False), ("folds", True), ("fraction of its folds", True)]
    return Grid("Settings chosen in the training folds", heads, lines) if lines else None


def grid_of(table: Table) -> Grid:
    """Return any table with numbers right-aligned; a very long or wide one is truncated."""
    heads = list(table.head)[:MOST_COLUMNS]
    rows = [[plain(cell) for cell in row][:MOST_COLUMNS] for row in table.rows[:MOST_ROWS]]
    columns = [[row[j] for row in rows if j < len(row)] for j in range(len(heads))]
    numeric = table.numeric[:MOST_COLUMNS]
    decimals = [_alike(column) if number else None for column, number in zip(columns, numeric, strict=True)]
    lines = [
        Line([_entry(cell, places) for cell, places in zip(row, decimals, strict=False)]) for row in rows
    ]
    left = [(len(table.rows) - MOST_ROWS, "rows"), (len(table.head) - MOST_COLUMNS, "columns")]
    words = " and ".join(f"{count} {what}" for count, what in left if count > 0)
    named = list(zip((truncated(str(head), LONGEST) for head in heads), numeric, strict=True))
    return Grid(table.title, named, lines, f"{words} more are not shown." if words else "")


def heat_of(table: Table) -> Grid:
    """Return a table of fractions as a heat map."""
    lines = [
        Line(
            [
                GridEntry(truncated(str(row[0]), LONGEST)),
                *(GridEntry("" if c is None else f"{c:.2f}", c or 0.0) for c in row[1:]),
            ]
        )
        for row in table.rows
    ]
    return Grid(table.title, [(truncated(str(head), LONGEST), True) for head in table.head], lines)


def _alike(column: Iterable[Any]) -> int | None:
    """Return the decimals that suit all numbers of a column; None if each needs its own."""
    sizes = [abs(cell) for cell in column if isinstance(cell, int | float) and np.isfinite(cell) and cell]
    if not sizes or max(sizes) >= 1e4 or all(float(size).is_integer() for size in sizes):
        return None
    decimals = _decimals(sizes)
    return decimals if min(sizes) >= 10.0**-decimals else None


def _entry(cell: Any, decimals: int | None) -> GridEntry:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return _number(cell) if decimals is None else _fixed(cell, decimals)
    return GridEntry("" if cell is None else truncated(str(cell), LONGEST))
