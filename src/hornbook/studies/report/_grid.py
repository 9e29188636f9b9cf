"""Tables of a report: what stands in a cell, and what it is sorted by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.display import Table, plain
from hornbook.evaluation import Standing, Verdict
from hornbook.studies._study_data import StudyData
from hornbook.studies.report._numbers import count_text, decimals_of, number_text, p_text, seconds_text

__all__ = [
    "Grid",
    "GridEntry",
    "Line",
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
MOST_BESIDE = 1  # in the ranking; all of them have a table of their own
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
    """A cell: its text, what it is sorted by, and the look of a tag if it is one."""

    text: str
    value: Any = None
    tag: str = ""


@dataclass(frozen=True)
class Line:
    """A row: its cells, and a class for the style sheet."""

    cells: Sequence[GridEntry]
    look: str = ""


@dataclass(frozen=True)
class Grid:
    """A table: heads with whether numbers stand under them, rows, and what was left out."""

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
    if value and not 10.0**-decimals / 2 <= abs(value) < HUGE:  # nothing but zeros, or very many digits
        return _number(value)
    return _number(value, f"{value:.{decimals}f}".replace("-", "\u2212"))


def _decimals(values: Iterable[float]) -> int:
    """Return how many decimals show four digits of the largest of these numbers."""
    most = max((abs(value) for value in values if np.isfinite(value)), default=0.0)
    return decimals_of([most / 100]) if most else 3


def ranking(study: StudyData) -> Grid | None:
    """All learners, best first, as the verdict has them."""
    found = study.verdict
    if found is None:
        return None
    known = [s.mean for s in found.standings if s.mean is not None]
    decimals = decimals_of([abs(known[0].estimate) / 10 or float(np.median([m.width for m in known]))], 4)
    beside = list(study.beside)[:MOST_BESIDE]
    digits = {name: _decimals(study.beside[name].values()) for name in beside}
    level = f"{100 * (1 - found.alpha):g} %"
    heads = [("#", True), ("learner", False), ("verdict", False), (found.scores.measure, True)]
    heads += [(f"{level} interval", True), ("behind best", True), ("adjusted p", True)]
    heads += [*((name, True) for name in beside), ("stored", True)]
    lines = []
    for place, s in enumerate(found.standings, 1):
        status = "not ranked" if s.status == "incomplete" else s.badge
        cells = [_number(float(place), str(place)) if s.mean else GridEntry(""), GridEntry(s.name)]
        cells.append(GridEntry(status, place, _TAGS[s.status]))
        if s.mean is None:
            cells += [GridEntry("")] * 4
        else:
            ends = f"{_fixed(s.mean.low, decimals).text} to {_fixed(s.mean.high, decimals).text}"
            gap = None if s.difference is None else _behind(s, found)
            cells += [_fixed(s.mean.estimate, decimals), GridEntry(ends, s.mean.low), _fixed(gap, decimals)]
            cells.append(GridEntry(p_text(s.adjusted_p, found.alpha), s.adjusted_p))
        cells += [_fixed(study.beside[name].get(s.name), digits[name]) for name in beside]
        cells.append(GridEntry(count_text(s.stored), s.stored))
        look = "best" if s.status in ("best", "tied best") else ""
        lines.append(Line(cells, f"{look} taken" if s.name == found.recommended else look))
    return Grid("Learners, best first", heads, lines)


def _behind(standing: Standing, verdict: Verdict) -> float:
    """How much worse than the best; nothing where it is no more than rounding of the scores."""
    assert standing.mean is not None
    assert standing.difference is not None
    gap = standing.difference.estimate * (-1 if verdict.scores.greater_is_better else 1)
    return 0.0 if abs(gap) <= ROUNDING * abs(standing.mean.estimate) else gap


def measures(study: StudyData) -> Grid | None:
    """All measures beside the one that decides, where the ranking has no room for them."""
    if len(study.beside) <= MOST_BESIDE and study.verdict is not None:
        return None
    digits = {name: _decimals(means.values()) for name, means in study.beside.items()}
    lines = [
        Line([GridEntry(each.name), *(_fixed(study.beside[m].get(each.name), digits[m]) for m in digits)])
        for each in study.learners
    ]
    return Grid("Means over the finished folds", [("learner", False), *((m, True) for m in digits)], lines)


def unranked(study: StudyData) -> Grid:
    """All learners with what they have finished, where there is no verdict."""
    scores, measure = study.scores, "mean so far" if study.scores is None else study.scores.measure
    lines = []
    for each in study.learners:
        row = None if scores is None else scores.values[list(scores.names).index(each.name)]
        known = None if row is None else row[np.isfinite(row)]
        mean = float(known.mean()) if known is not None and len(known) else None
        folds = [_number(each.done), _number(each.failed)]
        lines.append(Line([GridEntry(each.name), _number(mean), *folds, GridEntry(each.error)]))
    heads = [
        ("learner", False),
        (measure, True),
        ("folds done", True),
        ("folds failed", True),
        ("error", False),
    ]
    return Grid("Learners, as far as they came", heads, lines)


def times(study: StudyData) -> Grid:
    """What each learner cost."""
    heads = [("learner", False), ("folds done", True), ("one fit", True), ("predicting a fold", True)]
    heads += [("stored numbers", True), ("standardized", False)]
    lines = []
    for each in study.learners:
        cells = [GridEntry(each.name), _number(each.done)]
        cells += [GridEntry(seconds_text(t), t) for t in (each.fit_seconds, each.predict_seconds)]
        cells += [GridEntry(count_text(each.stored), each.stored), GridEntry("yes" if each.scaled else "no")]
        lines.append(Line(cells))
    return Grid("Time and size of each learner", heads, lines)


def parameters(study: StudyData) -> Grid:
    """How each learner was set."""
    lines = []
    for each in study.learners:
        words = ", ".join(f"{name}={value}" for name, value in each.parameters.items())
        lines.append(Line([GridEntry(each.name), GridEntry(_cut(words) or "none")]))
    return Grid("Parameters of each learner", [("learner", False), ("parameters", False)], lines)


def grid_of(table: Table) -> Grid:
    """Any table, with numbers to the right; of a very long or wide one its beginning."""
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
    named = list(zip((_cut(str(head)) for head in heads), numeric, strict=True))
    return Grid(table.title, named, lines, f"{words} more are not shown." if words else "")


def heat_of(table: Table) -> Grid:
    """Shares as a table whose cells are shaded by them."""
    lines = [
        Line(
            [
                GridEntry(_cut(str(row[0]))),
                *(GridEntry("" if c is None else f"{c:.2f}", c or 0.0) for c in row[1:]),
            ]
        )
        for row in table.rows
    ]
    return Grid(table.title, [(_cut(str(head)), True) for head in table.head], lines)


def _alike(column: Iterable[Any]) -> int | None:
    """Return the decimals that suit all numbers of a column; None where each is better off with its own."""
    sizes = [abs(cell) for cell in column if isinstance(cell, int | float) and np.isfinite(cell) and cell]
    if not sizes or max(sizes) >= 1e4 or all(float(size).is_integer() for size in sizes):
        return None
    decimals = _decimals(sizes)
    return decimals if min(sizes) >= 10.0**-decimals else None


def _entry(cell: Any, decimals: int | None) -> GridEntry:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return _number(cell) if decimals is None else _fixed(cell, decimals)
    return GridEntry("" if cell is None else _cut(str(cell)))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
