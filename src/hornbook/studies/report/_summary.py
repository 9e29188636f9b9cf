"""A study as text: the verdict, its table, the checks, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.display import aligned
from hornbook.studies._study_data import StudyData
from hornbook.studies.report._grid import Grid, ranking

__all__ = ["summary"]

MOST_ROWS = 10  # that are printed
_PLAIN = str.maketrans({"\u202f": " ", "\u2212": "-"})  # for terminals, and for copying numbers


def summary(study: StudyData) -> str:
    """Return the study as text; the table is that of the report.

    Parameters
    ----------
    study : StudyData
        The study.
    """
    grid = ranking(study)
    parts = ["\n".join([study.sentence, *(f"{name}: {value}" for name, value in study.facts.items())])]
    if study.clusters is not None and study.clusters.profile is not None:
        parts.append("\n".join(["The clusters", *(f"  {line}" for line in study.clusters.profile.sentences)]))
    if study.outliers is not None and study.outliers.unusual:
        rows = [
            (f"row {row.row}", f"{row.score:.3f}", row.words) for row in study.outliers.unusual[:MOST_ROWS]
        ]
        parts.append(_lines("The most unusual rows", rows))
    if grid is not None:
        parts.append(_table(grid))
    checks = [(c.level, c.code, f"{c.reason} {c.remedy}".strip()) for c in study.checks if c.level != "note"]
    if checks:
        parts.append(_lines("Checks before fitting", checks))
    if study.skipped:
        parts.append(_lines("Left out", study.skipped))
    return "\n\n".join(parts)


def _table(grid: Grid) -> str:
    """Return the table as text, with text left-aligned and numbers right-aligned."""
    texts = [[head for head, _ in grid.heads], *([cell.text for cell in line.cells] for line in grid.lines)]
    numbers = [number for _, number in grid.heads]
    return "\n".join([grid.title, *aligned([[t.translate(_PLAIN) for t in row] for row in texts], numbers)])


def _lines(title: str, rows: Sequence[Sequence[str]]) -> str:
    return "\n".join([title, *aligned(rows, [False] * len(rows[0]))])
