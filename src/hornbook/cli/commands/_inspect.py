"""``hornbook inspect``: what a model file, the folder of a study, or a table contains."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import is_dataset
from hornbook.cli._reading import Reading, reading_options
from hornbook.cli._types import COLUMN, DATA

__all__ = ["command"]


@click.command(
    "inspect",
    cls=Command,
    short_help="Show what a model file, a study or a table contains.",
    epilog=examples(
        "hornbook inspect model.hornbook     learner, parameters, columns, fitted model",
        "hornbook inspect build/study        the verdict of a study, with its evidence",
        "hornbook inspect data.csv           kinds of columns, missing cells, problems",
        "hornbook inspect iris               the same for a data set",
    ),
)
@click.argument("data", metavar="FILE", type=DATA)
@click.option("--target", "-y", type=COLUMN, help="For a table: the column to predict.")
@reading_options
@click.pass_obj
def command(console: Console, data: str, target: str | None, reading: Reading) -> None:
    """Show what FILE contains: a model file, the folder of a study, a table, or a bundled data set."""
    place = Path(data)
    if place.is_dir():
        _run(console, place)
    # By content as well: a model file that was renamed is still no table.
    elif place.is_file() and (place.suffix == ".hornbook" or zipfile.is_zipfile(place)):
        _model(console, data)
    else:
        _table(console, data, target, reading)


def _model(console: Console, path: str) -> None:
    info = hornbook.persist.inspect_file(path)
    # Loading checks the recorded predictions of the probe rows, so what is described is known to work here.
    description = hornbook.load(path).describe()
    console.note("the model loads and reproduces its recorded predictions.")
    console.result(
        f"{info}\n\n{description}", lambda: {**info.to_dict(), "description": description.to_dict()}
    )


def _run(console: Console, folder: Path) -> None:
    path = folder / "results.json"
    if not path.is_file():
        raise ValueError(f"'{folder}' is not the folder of a study: it has no results.json.")
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        console.result(_summary(folder, results), results)
    # The file may have been edited by hand, so anything can be missing or of another type.
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"'{path}' is damaged ({type(error).__name__}): run the study again.") from error


def _summary(folder: Path, results: Any) -> str:
    """The verdict of a study with its evidence, and where the rest is."""
    from hornbook.studies import results_text  # noqa: PLC0415 - lazy: models and tables need no studies

    places = [
        f"{name}: {folder / name}" for name in ("report.html", "model.hornbook") if (folder / name).exists()
    ]
    text = results_text(results, width=shutil.get_terminal_size((100, 24)).columns)
    return "\n".join([text, *([""] if places else []), *places])


def _table(console: Console, data: str, target: str | None, reading: Reading) -> None:
    if is_dataset(data):
        table = hornbook.Frame(reading.dataset(data), target=target)
    else:
        table = hornbook.read(data, target=target, **reading.file_options)
    profile = table.profile()
    task = hornbook.frame.detect_task(table) if table.schema.find("target") is not None else None
    lines = [] if table.source is None else [str(table.source)]
    lines += [str(profile)] + ([] if task is None else [f"task: {task}"])
    source = None if table.source is None else vars(table.source)
    console.result("\n".join(lines), lambda: {"source": source, "task": task, **profile.to_dict()})
