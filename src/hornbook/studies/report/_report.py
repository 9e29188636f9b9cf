"""The report of a study: one page that opens anywhere, offline and in print."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.display import Description, Table
from hornbook.evaluation import Standing, confusion_table
from hornbook.studies._shell_text import for_shell
from hornbook.studies._study_data import StudyData
from hornbook.studies.report import _figure_tables
from hornbook.studies.report._columns import columns_of
from hornbook.studies.report._figures import Picture, drawn
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

LARGEST = 2_000_000  # bytes of a report
MOST_CLASSES = 20  # of a confusion table whose counts can be read
MODEL = "model.hornbook"
PAGE = Path(__file__).parent / "page"


def write_report(study: StudyData, path: str | Path) -> None:
    """Write the report of a study to a file, which is never there in part.

    Parameters
    ----------
    study : StudyData
        The study.
    path : str or path
        The file.
    """
    place = Path(path)
    partly = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        partly.write_text(report_html(study), encoding="utf-8")
        partly.replace(place)
    finally:
        partly.unlink(missing_ok=True)


def report_html(study: StudyData) -> str:
    """Return the report of a study as one page with everything in it, at most 2 MB.

    Parameters
    ----------
    study : StudyData
        The study.

    Returns
    -------
    str
        The page.
    """
    shown = {each.name: each for each in drawn(study)}
    view = _view(study)
    text = _page(view, shown)
    while len(text.encode()) > LARGEST and any(each.svg for each in shown.values()):
        largest = max(shown.values(), key=lambda each: len(each.svg))
        words = f"Left out to keep this page small; it is in plots/{largest.name}.svg."
        shown[largest.name] = replace(largest, caption=words, svg="")
        text = _page(view, shown)
    return text


def _page(view: Mapping[str, Any], shown: Mapping[str, Picture]) -> str:
    inlined = {name: page_colors(each.svg, each.title) for name, each in shown.items() if each.svg}
    page = _environment().get_template("report.html.jinja")
    return readable(page.render(view, pictures=shown, svg=inlined))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader  # noqa: PLC0415  only reports need it

    found = Environment(
        loader=FileSystemLoader(PAGE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    script = (PAGE / "report.js").read_text(encoding="utf-8")
    found.globals |= {
        "style": (PAGE / "report.css").read_text(encoding="utf-8"),
        "script": script,
        # The page may run this script and no other, whatever the data say.
        "script_hash": b64encode(sha256(script.encode()).digest()).decode(),
    }
    found.filters |= {"grid": grid_of, "count": count_text, "seconds": seconds_text, "number": number_text}
    return found


def _view(study: StudyData) -> dict[str, Any]:
    found = predictions_of(study.predictions, study.recommended)
    return {
        "study": study,
        # Settings are named as readers would type them: as options where a command makes the study again.
        "typed": for_shell if study.command else str,
        # Checks have a section of their own, with reason and remedy.
        "notes": [note for note in study.notes if not any(check.reason in note for check in study.checks)],
        "model_file": study.folder is not None and (study.folder / MODEL).exists(),
        "taken": _taken(study),
        "detectable": _detectable(study),
        "data": Path(study.settings.data).name or "a table in memory",
        "columns": columns_of(study.profile),
        "ranking": ranking(study) or unranked(study),
        "pairs": None if study.verdict is None else _pairs(study),
        "confusion": _confusion(study),
        "mistakes": _mistakes(study),
        "answered": "" if found is None else found.words,
        "measures": measures(study) if study.beside else None,
        "times": times(study),
        "parameters": parameters(study),
        "failed": [each for each in study.learners if each.failed or each.error],
        "warned": [each for each in study.learners if each.warning],
        "description": _description(study),
        "settings": study.settings.to_toml(),
    }


def _taken(study: StudyData) -> Standing | None:
    """How the recommended learner stands."""
    found = study.verdict
    return None if found is None else next(s for s in found.standings if s.name == found.recommended)


def _detectable(study: StudyData) -> tuple[float, float] | None:
    """The least and the largest difference from the best that the folds would have found."""
    standings = [] if study.verdict is None else study.verdict.standings
    known = [s.detectable for s in standings if s.detectable is not None]
    return (min(known), max(known)) if known else None


def _pairs(study: StudyData) -> Grid | None:
    assert study.verdict is not None
    table = _figure_tables.every_pair(study.verdict)
    return None if table is None else heat_of(table)


def _confusion(study: StudyData) -> Grid | None:
    """Counts by true and predicted class, with the share of the true class for the shade."""
    found = predictions_of(study.predictions, study.recommended)
    if found is None or study.task != "classification" or len(study.classes) > MOST_CLASSES:
        return None
    table = confusion_table(
        found.truth, found.labels, labels=list(study.classes), sample_weight=found.weights
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
    """What is most often taken for what, where the table of all classes is too large to read."""
    found = predictions_of(study.predictions, study.recommended)
    if found is None or len(study.classes) <= MOST_CLASSES:
        return None
    labels = list(study.classes)
    return _figure_tables.mistakes(
        confusion_table(found.truth, found.labels, labels=labels, sample_weight=found.weights)
    )


def _description(study: StudyData) -> Description | None:
    """The recommended model in words; a model of another library may have none."""
    if study.model is None or not hasattr(study.model, "describe"):
        return None
    found = study.model.describe()
    return found if isinstance(found, Description) else None
