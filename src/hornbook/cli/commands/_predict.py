"""``hornbook predict``: a model file applied to new rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import open_rows
from hornbook.cli._model import Matched, load_model
from hornbook.cli._output import STDOUT, require_writable, write_tables
from hornbook.cli._reading import Reading, reading_options
from hornbook.cli._types import DATA, MODEL

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
    "--csv-safe",
    is_flag=True,
    help="Put an apostrophe before text that a spreadsheet would evaluate as a formula.",
)
@reading_options
@click.pass_obj
def command(
    console: Console, model: str, data: str, out: str | None, proba: bool, csv_safe: bool, reading: Reading
) -> None:
    """Predict the rows of DATA with MODEL, a model file or the folder of a study.

    Columns are matched by name, in any order; columns that the model was not fitted on are ignored, with a
    note. If the data contain the target column, it is written as `truth` next to the prediction, so that
    `hornbook compare` can use the file. Large files and pipes are read and written in pieces.
    """
    require_writable(out, csv_safe=csv_safe)  # first: a wrong name is not worth minutes of predicting
    fitted = load_model(model)
    if proba and not hasattr(fitted, "predict_proba"):
        raise ValueError(f"{fitted} has no probabilities: leave out --proba.")
    blocks = open_rows(data, console, reading)
    matched = Matched.of(fitted, blocks.schema, console)
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
    import polars as pl  # noqa: PLC0415 - slow to import, which would delay --help

    for part in matched.predictions(model, blocks, ["predict", "predict_proba"] if proba else ["predict"]):
        columns = {"row": part["row"]}
        if "truth" in part:
            columns["truth"] = part["truth"].tolist()
        columns["prediction"] = part["predict"].tolist()
        for j, label in enumerate(model.classes_.tolist() if proba else ()):
            columns[f"p({label})"] = part["predict_proba"][:, j].tolist()
        yield pl.DataFrame(columns, strict=False)


def _as_data(n_rows: int, tables: Iterable[pl.DataFrame]) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for table in tables:
        for name, values in table.to_dict(as_series=False).items():
            columns.setdefault(name, []).extend(values)
    return {"rows": n_rows, **columns}
