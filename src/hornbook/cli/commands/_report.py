"""``hornbook report``: the report of a study, made again from its folder."""

from __future__ import annotations

from pathlib import Path

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import require_data
from hornbook.cli._progress import progress
from hornbook.cli._types import MODEL

__all__ = ["command"]


@click.command(
    "report",
    cls=Command,
    short_help="Make the report of a study again, from its folder.",
    epilog=examples("hornbook report iris-study", "hornbook report build/study"),
)
@click.argument("folder", type=MODEL)
@click.pass_obj
def command(console: Console, folder: str) -> None:
    """Make report.html, results.json and the plots again from the finished folds in FOLDER.

    Nothing is fitted in the folds again: their scores and predictions are in the folder. The recommended
    model is fitted and explained again, so that the data must still be where the study found them.
    """
    from hornbook.studies import Settings, StudyError, for_shell  # noqa: PLC0415 - lazy, as in study

    place = Path(folder)
    if not (place / "config.toml").is_file() or not (place / "records.jsonl").is_file():
        raise ValueError(f"'{folder}' is not the folder of a study: it has no config.toml and records.jsonl.")
    settings = Settings.from_toml(place / "config.toml")
    if not settings.data:
        raise ValueError(
            f"the study in '{folder}' used a table in memory: call hornbook.study with it and out={folder!r}."
        )
    require_data(settings.data)
    options = settings.to_dict()
    positional = {name: options.pop(name) for name in ("data", "target", "learners")}
    try:
        with progress(console) as tell:
            # Finished folds are taken from the folder, so that nothing is fitted again for them: a report is
            # the end of the same study.
            study = hornbook.study(
                positional["data"],
                positional["target"],
                learners=positional["learners"] or None,
                out=place,
                progress=tell,
                **options,
            )
    except StudyError as error:
        raise StudyError(for_shell(str(error))) from error
    console.result(for_shell(study.sentence), study.to_dict)
    console.note(f"the report is {place / 'report.html'}; open it in a browser.")
