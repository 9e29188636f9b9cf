"""``hornbook study``: from a table to a verdict, a report and a model."""

from __future__ import annotations

import shlex
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hornbook
from hornbook.cli._cluster import cluster_option
from hornbook.cli._command import Command, Interrupted, examples
from hornbook.cli._console import Console
from hornbook.cli._data import require_data
from hornbook.cli._progress import progress
from hornbook.cli._types import DATA, MODEL

if TYPE_CHECKING:
    from hornbook.studies import Settings, Study

__all__ = ["command"]


class _StudyCommand(Command):
    """The command whose options are the settings of a study, made on first use."""

    @cached_property
    def _settings(self) -> list[click.Option]:
        from hornbook.cli._options import options_of  # noqa: PLC0415 - lazy: a list of commands needs no options
        from hornbook.studies import Settings  # noqa: PLC0415 - as above

        return options_of(Settings, without=("data",))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The argument, the settings, and the options of all commands."""
        data, *rest = super().get_params(ctx)
        return [data, *self._settings, *rest]


@click.command(
    "study",
    cls=_StudyCommand,
    short_help="Compare learners on a table, write a report, save the best.",
    epilog=examples(
        "hornbook study iris                                   a bundled data set",
        "hornbook study data.csv --target ripe --out ripe      the report is ripe/report.html",
        "hornbook study data.csv --learners NaiveBayes,LogisticRegression --cv 5 --repeats 1",
        "hornbook study data.csv --ignore id --budget 10m      at most ten minutes of fitting",
        "hornbook study data.csv --task clustering --clusters 2-6   which clusters, and how many",
        "hornbook study data.csv --task outliers       which rows are unusual, and why",
        "hornbook study data.csv --out ripe --cluster tcp://10.0.0.1:8786   on a Dask cluster",
        "hornbook study --config ripe/config.toml              the same study again",
    ),
)
@click.argument("data", type=DATA, required=False)
@click.option("--out", "-o", type=MODEL, help="The folder to write to; <name of the data>-study by default.")
@click.option(
    "--config", type=MODEL, help="A TOML file with settings; options on the command line take precedence."
)
@cluster_option
@click.pass_obj
def command(
    console: Console,
    /,
    data: str | None,
    out: str | None,
    config: str | None,
    cluster: str | None,
    **asked: Any,
) -> None:
    """Take a table from a first look to a verdict, a report and a model.

    The table is checked before anything is fitted. Then learners are compared on the same folds, the verdict
    says which of them can be told apart, and the simplest of the best is explained and saved. The folder gets
    report.html, results.json, scores.csv, predictions.csv, model.hornbook, config.toml and the plots. With
    --task clustering nothing is predicted: clusterings are compared by their stability, and clusters.csv has
    the cluster of each row. With --task outliers, scores.csv says how unusual each row is. An interrupted
    study continues when the same command is run again.
    """
    from hornbook.studies import StudyError, for_shell  # noqa: PLC0415 - lazy, as above

    settings = _settings(data, config, asked)
    require_data(settings.data)
    stem = (
        "stdin" if settings.data == hornbook.frame.STANDARD_INPUT else Path(settings.data).name.split(".")[0]
    )
    folder = Path(f"{stem}-study" if out is None else out)
    options = settings.to_dict()
    positional = {name: options.pop(name) for name in ("data", "target")}
    chosen = options.pop("learners") or None
    try:
        with progress(console) as tell:
            study = hornbook.study(
                positional["data"],
                positional["target"],
                learners=chosen,
                out=folder,
                progress=tell,
                cluster=cluster,
                **options,
            )
    except KeyboardInterrupt:
        raise Interrupted(
            "interrupted; finished folds are kept, and the same command continues from there."
        ) from None
    except StudyError as error:
        raise StudyError(for_shell(str(error))) from error
    _report(console, study, folder)


def _settings(data: str | None, config: str | None, asked: dict[str, Any]) -> Settings:
    """Options of the command line, then those of the file, then the defaults."""
    from hornbook.studies import Settings  # noqa: PLC0415 - lazy, as above

    # Options that were not typed are None or empty, and must not override the file.
    options = {name: value for name, value in asked.items() if value not in (None, ())}
    if data is not None:
        options["data"] = data
    try:
        kept = Settings.from_toml(config).to_dict() if config is not None else {}
        settings = Settings.of({**kept, **options})
    except hornbook.params.ParameterError as error:
        raise click.UsageError(str(error)) from error
    if not settings.data:
        raise click.UsageError("Missing argument 'DATA': a file or the name of a data set.")
    return settings


def _report(console: Console, study: Study, folder: Path) -> None:
    from hornbook.studies import for_shell  # noqa: PLC0415 - lazy, as above

    console.result(for_shell(str(study)), study.to_dict)
    report = folder / "report.html"
    if report.exists():
        console.note(f"the report is {report}; open it in a browser.")
    if (folder / "model.hornbook").exists():
        console.note(f"the model is in {folder}: hornbook predict {shlex.quote(str(folder))} NEW_DATA")
    if study.interrupted:
        raise Interrupted(
            f"interrupted after {study.done} of {study.total} folds; to continue: {study.command}"
        )
    if study.unfinished:
        raise click.ClickException(for_shell(study.unfinished))
