"""The report of a study: one self-contained page, for offline use and print."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.display import Cell, Table
from hornbook.evaluation import Standing, looks_of
from hornbook.studies._files import write_text
from hornbook.studies._shell_text import for_shell
from hornbook.studies._study_data import StudyData
from hornbook.studies.report import _figure_tables
from hornbook.studies.report._cluster_cards import cluster_cards, found_clusters
from hornbook.studies.report._columns import bars_of, columns_of
from hornbook.studies.report._evidence import confusion_of
from hornbook.studies.report._figures import ReportFigure, description_of, figures_of
from hornbook.studies.report._grid import (
    Grid,
    Line,
    chosen_settings,
    grid_of,
    heat_of,
    measures,
    parameters,
    ranking,
    times,
    unranked,
)
from hornbook.studies.report._headline import headline_of
from hornbook.studies.report._interval_chart import IntervalChart, interval_chart
from hornbook.studies.report._numbers import count_text, number_text, seconds_text
from hornbook.studies.report._out_of_fold import predictions_of
from hornbook.studies.report._outlier_figures import method_table, row_table
from hornbook.studies.report._svg import page_colors, readable

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["LARGEST", "report_html", "write_report"]


@dataclass(frozen=True)
class TargetLine:
    """A column against the target: what it explains, bars of its parts, and words."""

    column: str
    strength: float
    bars: str
    words: str


LARGEST = 2_000_000  # bytes of a report: it can be sent by mail
MOST_CLASSES = 20  # of a confusion table whose counts can be read
TABLED = ("settings: ", "chosen in the training folds: ")  # notes whose contents are in tables
MOST_LISTED = 50  # unusual rows
MODEL = "model.hornbook"
PAGE = Path(__file__).parent / "page"


def write_report(study: StudyData, path: str | Path) -> None:
    """Write the report of a study to a file, completely or not at all.

    Parameters
    ----------
    study : StudyData
        The study.
    path : str or path
        The file.
    """
    write_text(Path(path), report_html(study))


def report_html(study: StudyData) -> str:
    """Return the report of a study as one self-contained page of at most 2 MB.

    Parameters
    ----------
    study : StudyData
        The study.

    Returns
    -------
    str
        The page.
    """
    figures = {figure.name: figure for figure in figures_of(study)}
    view = _view(study)
    text = _page(view, figures)
    # The largest figure goes first, so that as few as possible are left out.
    while len(text.encode()) > LARGEST and any(figure.svg for figure in figures.values()):
        largest = max(figures.values(), key=lambda figure: len(figure.svg))
        words = f"Left out to keep this page small; it is in plots/{largest.name}.svg."
        figures[largest.name] = replace(largest, caption=words, svg="")
        text = _page(view, figures)
    return text


def _page(view: Mapping[str, Any], figures: Mapping[str, ReportFigure]) -> str:
    inlined = {name: page_colors(figure.svg, figure.title) for name, figure in figures.items() if figure.svg}
    page = _environment().get_template("report.html.jinja")
    return readable(page.render(view, figures=figures, svg=inlined))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader  # noqa: PLC0415  only reports need it

    environment = Environment(
        loader=FileSystemLoader(PAGE),
        # Names and levels come from the user's file, and must not become markup.
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    script = (PAGE / "report.js").read_text(encoding="utf-8")
    environment.globals |= {
        "style": (PAGE / "report.css").read_text(encoding="utf-8"),
        "script": script,
        # The page may run this script and no other, whatever the data contain.
        "script_hash": b64encode(sha256(script.encode()).digest()).decode(),
    }
    environment.filters |= {
        "grid": grid_of,
        "count": count_text,
        "seconds": seconds_text,
        "number": number_text,
        "breakable": _breakable,
    }
    return environment


def _breakable(text: str) -> Markup:
    """Text in which names of classes may break between their words, where a column is narrow."""
    from markupsafe import Markup, escape  # noqa: PLC0415  comes with jinja2

    return Markup("<wbr>").join(escape(part) for part in re.split(r"(?<=[a-z])(?=[A-Z])", text))


def _view(study: StudyData) -> dict[str, Any]:
    predictions = predictions_of(study.predictions, study.recommended)
    return {
        "study": study,
        # Settings are named as readers would type them: as options where a command reproduces the study.
        "typed": for_shell if study.command else str,
        # Checks have a section of their own, with reason and remedy.
        # Settings have tables of their own.
        "notes": [
            note
            for note in study.notes
            if not note.startswith(TABLED) and not any(check.reason in note for check in study.checks)
        ],
        "model_file": study.folder is not None and (study.folder / MODEL).exists(),
        "headline": headline_of(study),
        "explanation": study.explanation,
        "held_out": None if study.held_out is None else grid_of(study.held_out.table),
        "surrogate": _surrogate(study),
        "answers": _answers(study),
        "slices": _slices(study),
        "targets": _targets(study),
        "looks": " and ".join(map(str, looks_of(study.settings.cv, study.settings.repeats))),
        "recommended": _recommended(study),
        "chart": _chart(study),
        "chosen": chosen_settings(study),
        "detectable": _detectable(study),
        "data": Path(study.settings.data).name or "a table in memory",
        "columns": columns_of(study.profile),
        "ranking": ranking(study) or unranked(study),
        "pairs": None if study.verdict is None else _pairs(study),
        "confusion": _confusion(study),
        "mistakes": _mistakes(study),
        "has_predictions": predictions is not None,
        "measures": measures(study) if study.beside else None,
        "times": times(study),
        "parameters": parameters(study),
        "failed": [info for info in study.learners if info.failed or info.error],
        "warned": [info for info in study.learners if info.warning],
        "description": description_of(study.model),
        "clusters": study.clusters,
        "outliers": study.outliers,
        "unusual": _unusual(study),
        "cards": cluster_cards(study),
        "found": found_clusters(study),
        "settings": study.settings.to_toml(),
    }


def _chart(study: StudyData) -> IntervalChart | None:
    """Return the picture of the first screen, where there is something to compare."""
    verdict = study.verdict
    if verdict is None or study.clusters is not None or len(verdict.standings) < 2:
        return None
    return interval_chart(verdict)


def _unusual(study: StudyData) -> tuple[Grid, Grid] | None:
    """Return the unusual rows with what makes them so, and how far the methods agree."""
    if study.outliers is None or study.unfinished:
        return None
    return grid_of(row_table(study.outliers, MOST_LISTED)), grid_of(method_table(study.outliers))


def _recommended(study: StudyData) -> Standing | None:
    """Return the standing of the recommended learner."""
    verdict = study.verdict
    return None if verdict is None else next(s for s in verdict.standings if s.name == verdict.recommended)


def _detectable(study: StudyData) -> tuple[float, float] | None:
    """Return the smallest and the largest detectable difference from the best."""
    standings = [] if study.verdict is None else study.verdict.standings
    known = [s.detectable for s in standings if s.detectable is not None]
    return (min(known), max(known)) if known else None


def _pairs(study: StudyData) -> Grid | None:
    assert study.verdict is not None
    table = _figure_tables.every_pair(study.verdict)
    return None if table is None else heat_of(table)


def _confusion(study: StudyData) -> Grid | None:
    """Return counts by true and predicted class, shaded by the fraction of the true class."""
    table = confusion_of(study)
    if table is None or len(study.classes) > MOST_CLASSES:
        return None
    shares = table.shares("truth").tolist()
    rows = [[str(label), *row] for label, row in zip(table.labels, shares, strict=True)]
    heat = heat_of(Table("", ["truth", *map(str, table.labels)], rows))
    lines = [
        Line(
            [
                line.cells[0],
                *(replace(cell, text=number_text(n)) for cell, n in zip(line.cells[1:], counts, strict=True)),
            ]
        )
        for line, counts in zip(heat.lines, table.by_truth.tolist(), strict=True)
    ]
    return replace(heat, lines=lines)


def _mistakes(study: StudyData) -> Table | None:
    """Return the most frequent confusions, if the table of all classes is too large to read."""
    table = confusion_of(study)
    return None if table is None or len(study.classes) <= MOST_CLASSES else _figure_tables.mistakes(table)


def _surrogate(study: StudyData) -> Grid | None:
    """Return the rules of the small tree that imitates the model."""
    if study.explanation is None or study.explanation.surrogate is None:
        return None
    rows = [list(rule) for rule in study.explanation.surrogate.rules]
    return grid_of(Table("A small tree that imitates the model", ["if", "then"], rows))


def _slices(study: StudyData) -> Grid | None:
    """Return where the model is worse than elsewhere."""
    if study.explanation is None or not study.explanation.slices:
        return None
    what = "error rate" if study.task == "classification" else "mean absolute error"
    head = ["column", "part", "rows", f"{what} here", "elsewhere"]
    rows: list[list[Cell]] = [
        [s.column, s.part, s.n_rows, s.error, s.elsewhere] for s in study.explanation.slices
    ]
    return grid_of(Table("Where the model is worse than elsewhere", head, rows))


def _targets(study: StudyData) -> list[TargetLine]:
    """Return each column against the target, with a small histogram of its parts."""
    columns = [] if study.explanation is None else study.explanation.columns
    return [TargetLine(one.column, one.strength, bars_of(_above(one.means)), one.words) for one in columns]


def _above(means: Sequence[float]) -> list[float]:
    """Return heights of bars: from zero, or from the lowest where there are negative ones."""
    floor = min(0.0, *means)
    return [mean - floor for mean in means]


def _answers(study: StudyData) -> Grid | None:
    """Return the easiest row, a typical one and the hardest."""
    if study.explanation is None:
        return None
    rows = [[a.kind, a.row, a.truth, a.prediction, a.loss] for a in study.explanation.rows]
    return grid_of(Table("Single rows", ["kind", "row", "truth", "prediction", "loss"], rows))
