"""The report of a study: one self-contained page, for offline use and print."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.display import Description, Table
from hornbook.evaluation import Standing, confusion_table
from hornbook.studies._files import write_text
from hornbook.studies._shell_text import for_shell
from hornbook.studies._study_data import StudyData
from hornbook.studies.report import _figure_tables
from hornbook.studies.report._cluster_cards import cluster_cards, found_clusters
from hornbook.studies.report._columns import columns_of
from hornbook.studies.report._figures import ReportFigure, figures_of
from hornbook.studies.report._grid import (
    Grid,
    Line,
    grid_of,
    heat_of,
    measures,
    parameters,
    ranking,
    times,
    unranked,
)
from hornbook.studies.report._numbers import count_text, number_text, seconds_text
from hornbook.studies.report._out_of_fold import predictions_of
from hornbook.studies.report._svg import page_colors, readable

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["LARGEST", "report_html", "write_report"]

LARGEST = 2_000_000  # bytes of a report: it can be sent by mail
MOST_CLASSES = 20  # of a confusion table whose counts can be read
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
    }
    return environment


def _view(study: StudyData) -> dict[str, Any]:
    predictions = predictions_of(study.predictions, study.recommended)
    return {
        "study": study,
        # Settings are named as readers would type them: as options where a command reproduces the study.
        "typed": for_shell if study.command else str,
        # Checks have a section of their own, with reason and remedy.
        "notes": [note for note in study.notes if not any(check.reason in note for check in study.checks)],
        "model_file": study.folder is not None and (study.folder / MODEL).exists(),
        "recommended": _recommended(study),
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
        "description": _description(study),
        "clusters": study.clusters,
        "cards": cluster_cards(study),
        "found": found_clusters(study),
        "settings": study.settings.to_toml(),
    }


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
    predictions = predictions_of(study.predictions, study.recommended)
    if predictions is None or study.task != "classification" or len(study.classes) > MOST_CLASSES:
        return None
    table = confusion_table(
        predictions.truth, predictions.labels, labels=list(study.classes), sample_weight=predictions.weights
    )
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
        for line, counts in zip(heat.lines, table.array.tolist(), strict=True)
    ]
    return replace(heat, lines=lines)


def _mistakes(study: StudyData) -> Table | None:
    """Return the most frequent confusions, if the table of all classes is too large to read."""
    predictions = predictions_of(study.predictions, study.recommended)
    if predictions is None or len(study.classes) <= MOST_CLASSES:
        return None
    labels = list(study.classes)
    return _figure_tables.mistakes(
        confusion_table(
            predictions.truth, predictions.labels, labels=labels, sample_weight=predictions.weights
        )
    )


def _description(study: StudyData) -> Description | None:
    """Return the recommended model in words; a model of another library may have no description."""
    if study.model is None or not hasattr(study.model, "describe"):
        return None
    description = study.model.describe()
    return description if isinstance(description, Description) else None
