"""``hornbook predict``: a model file applied to new rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hornbook
from hornbook.cli._cluster import RowsDone, cluster_option, on_cluster, require_folder
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import open_rows
from hornbook.cli._model import Matched, load_model
from hornbook.cli._output import STDOUT, require_writable, write_tables
from hornbook.cli._reading import Reading, reading_options
from hornbook.cli._types import DATA, MODEL
from hornbook.cli.commands._explain import explained

if TYPE_CHECKING:
    import polars as pl

__all__ = ["command", "prediction_tables"]


@click.command(
    "predict",
    cls=Command,
    short_help="Predict new rows with a model file.",
    epilog=examples(
        "hornbook predict model.hornbook new.csv --out predictions.csv",
        "hornbook predict model.hornbook new.csv --proba | head",
        "hornbook predict build/study new.parquet     the model of a study, by its folder",
        "hornbook predict model.hornbook 'new/*.parquet' --cluster local:4 --out build/predictions",
        "cat new.csv | hornbook predict model.hornbook - --out predictions.parquet",
    ),
)
@click.argument("model", type=MODEL)
@click.argument("data", type=DATA)
@click.option(
    "--out", "-o", type=MODEL, help="The CSV or Parquet file to write; stdout by default, or for -."
)
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.option(
    "--explain",
    "explain",
    type=click.IntRange(min=1),
    is_flag=False,
    flag_value=3,
    help="Also show the working of the first 3 rows, or of as many as given, on stderr.",
)
@click.option(
    "--csv-safe",
    is_flag=True,
    help="Put an apostrophe before text that a spreadsheet would evaluate as a formula.",
)
@cluster_option
@reading_options
@click.pass_obj
def command(
    console: Console,
    model: str,
    data: str,
    out: str | None,
    proba: bool,
    explain: int | None,
    csv_safe: bool,
    cluster: str | None,
    reading: Reading,
) -> None:
    """Predict the rows of DATA with MODEL, a model file or the folder of a study.

    Columns are matched by name, in any order; columns that the model was not fitted on are ignored, with a
    note. If the data contain the target column, it is written as `truth` next to the prediction, so that
    `hornbook compare` can use the file. Outlier detectors add the score of each row. Large files and pipes
    are read and written in pieces. On a cluster, DATA may be a pattern, and --out is a folder with one
    Parquet file for each partition.
    """
    if cluster is not None:
        if explain is not None or csv_safe:
            raise click.UsageError("--cluster cannot be combined with --explain and --csv-safe.")
        _predict_parts(console, model, data, require_folder(out), cluster, proba=proba, reading=reading)
        return
    require_writable(out, csv_safe=csv_safe)  # first: a wrong name is not worth minutes of predicting
    fitted = load_model(model)
    _require_probabilities(fitted, proba=proba)
    blocks = open_rows(data, console, reading)
    matched = Matched.of(fitted, blocks.schema, console)
    if explain is not None:
        for row, working in explained(fitted, matched, blocks, tuple(range(explain))):
            console.note(f"row {row}: {working}")
    # A generator: rows are read, predicted and written batch by batch, so that files may be larger than
    # memory.
    tables = prediction_tables(fitted, matched, blocks, proba=proba)
    if csv_safe:
        tables = (hornbook.frame.csv_safe(table) for table in tables)
    to_file = out not in (None, STDOUT)
    if console.json and not to_file:
        console.result("", lambda: _as_data(blocks.n_rows, tables))
        return
    write_tables(tables, out)
    if to_file:
        console.note(f"{blocks.n_rows} predictions are in {out}.")
        if console.json:
            console.result("", {"rows": blocks.n_rows, "predictions": out})


def prediction_tables(
    model: Any, matched: Matched, blocks: hornbook.Blocks, *, proba: bool
) -> Iterator[pl.DataFrame]:
    """Predictions of all rows, block by block, with the columns that prediction files have.

    Parameters
    ----------
    model : learner
        The fitted model.
    matched : Matched
        Its columns in the data.
    blocks : Blocks
        The rows.
    proba : bool
        Whether probabilities are added.
    """
    for part in matched.predictions(model, blocks, _methods(model, proba=proba)):
        yield _table(model, part, proba=proba)


def _methods(model: Any, *, proba: bool) -> list[str]:
    # The label of an outlier says little without how far out it is.
    scored = isinstance(model, hornbook.base.OutlierDetector)
    return ["predict", *(["predict_proba"] if proba else []), *(["score_samples"] if scored else [])]


def _table(model: Any, part: dict[str, Any], *, proba: bool) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415 - slow to import, which would delay --help

    columns = {"row": part["row"]}
    if "truth" in part:
        columns["truth"] = part["truth"].tolist()
    columns["prediction"] = part["predict"].tolist()
    for j, label in enumerate(model.classes_.tolist() if proba else ()):
        columns[f"p({label})"] = part["predict_proba"][:, j].tolist()
    if "score_samples" in part:
        columns["score_samples"] = part["score_samples"].tolist()
    # Not strict, because labels may be of mixed types, such as whole numbers and fractions.
    return pl.DataFrame(columns, strict=False)


def _require_probabilities(model: Any, *, proba: bool) -> None:
    if proba and not hasattr(model, "predict_proba"):
        raise ValueError(f"{model} has no probabilities: leave out --proba.")


def _predict_parts(
    console: Console, model: str, data: str, folder: Path, cluster: str, *, proba: bool, reading: Reading
) -> None:
    """Predict on a cluster: each worker reads partitions, and writes what it has predicted."""
    fitted = load_model(model)
    _require_probabilities(fitted, proba=proba)
    with on_cluster(cluster) as client:
        parts = hornbook.cluster.file_parts(data, client=client, **reading.file_options)
        matched = Matched.of(fitted, parts.schema, console)
        written = parts.write(_PartTable(fitted, matched, proba), folder, RowsDone(console))
    console.note(f"{parts.n_rows} predictions are in {written} files in {folder}.")
    if console.json:
        console.result("", {"rows": parts.n_rows, "parts": written, "predictions": str(folder)})


@dataclass(frozen=True)
class _PartTable:
    """Makes the table of predictions of a partition, on the worker that has it."""

    model: Any
    matched: Matched
    proba: bool

    def __call__(self, rows: hornbook.Frame, first: int) -> pl.DataFrame:
        block = hornbook.frame.Block(rows, start=first)
        part = self.matched.answers(self.model, block, _methods(self.model, proba=self.proba))
        return _table(self.model, part, proba=self.proba)


def _as_data(n_rows: int, tables: Iterable[pl.DataFrame]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for table in tables:
        for name, values in table.to_dict(as_series=False).items():
            columns.setdefault(name, []).extend(values)
    return {"rows": n_rows, **columns}
