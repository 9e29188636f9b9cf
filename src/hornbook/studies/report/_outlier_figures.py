"""The figures of a study of outliers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from hornbook import plots
from hornbook.display import Cell, Table
from hornbook.studies._study_data import StudyData
from hornbook.studies.outliers._findings import METHOD_WORDS, OutlierFindings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["method_table", "outlier_figures", "row_table"]

MOST_DRAWN = 15  # rows

Plan = tuple[str, str, str, Callable[[], "Axes"], Table | None]


def outlier_figures(study: StudyData) -> Iterator[Plan]:
    """Give name, title, caption, drawing and data of each figure.

    Parameters
    ----------
    study : StudyData
        The study.
    """
    findings = study.outliers
    if findings is None or study.unfinished:
        return
    order = np.lexsort((findings.rows, -findings.scores))[:MOST_DRAWN]
    sure = findings.sure[order] >= 1 - study.settings.alpha
    names = [f"row {row}" for row in findings.rows[order].tolist()]
    scores, low, high = (part[order] for part in (findings.scores, findings.low, findings.high))
    rows = list(
        zip(names, *(part.tolist() for part in (scores, low, high, findings.sure[order])), strict=True)
    )
    yield (
        "unusual",
        "The most unusual rows, with their ranges over the resamples",
        (
            "A dot is the mean over the resamples of the share of rows that are less unusual by all methods "
            f"together; lines hold all but {study.settings.alpha:g} of the resamples. Filled dots are called "
            f"unusual by all methods in at least {1 - study.settings.alpha:g} of them. The dotted line is "
            "where the unusual rows begin."
        ),
        lambda: plots.unusual_rows(scores, low, high, names, filled=sure, threshold=1 - findings.share),
        Table("The most unusual rows", ["row", "score", "low", "high", "sure"], [list(row) for row in rows]),
    )
    if findings.plane is not None:
        plane = findings.plane
        titles = [
            f"component {i + 1} ({100 * share:.0f} % of the variance)" for i, share in enumerate(plane.shares)
        ]
        words = ["unusual" if label else "usual" for label in plane.labels.tolist()]
        yield (
            "outlier_plane",
            "The unusual rows in the plane of two principal components",
            (
                "Standardized columns, seen from where they vary most. A row that looks usual here may be "
                "unusual in other directions."
            ),
            lambda: plots.biplot(plane.points, plane.loadings, plane.columns, classes=words, titles=titles),
            None,
        )


def row_table(findings: OutlierFindings, most: int) -> Table:
    """Return the unusual rows and what makes them so.

    Parameters
    ----------
    findings : OutlierFindings
        What a study found.
    most : int
        Rows to list.
    """
    rows: list[list[Cell]] = [
        [row.row, row.score, row.sure, row.words or "no single column"] for row in findings.unusual[:most]
    ]
    return Table("Unusual rows", ["row", "score", "resamples", "what makes it unusual"], rows)


def method_table(findings: OutlierFindings) -> Table:
    """Return rank correlations of the methods, and how stable each is.

    Parameters
    ----------
    findings : OutlierFindings
        What a study found.
    """
    heads = ["method", "stability", *(METHOD_WORDS[name] for name in findings.methods)]
    rows: list[list[Cell]] = [
        [METHOD_WORDS[name], findings.stability[name], *findings.agreement[name].values()]
        for name in findings.methods
    ]
    return Table("Stability over resamples, and rank correlation of the methods", heads, rows)
