"""``hornbook predict``: a model file applied to new rows."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from hornbook.cli._command import Command, examples
from hornbook.cli._data import open_rows
from hornbook.cli._model import Matched, load_model
from hornbook.cli._output import written
from hornbook.cli._say import Say
from hornbook.cli._types import DATA, MODEL

if TYPE_CHECKING:
    import polars as pl

__all__ = ["command"]


@click.command(
    "predict",
    cls=Command,
    short_help="Predict new rows with a model file.",
    epilog=examples(
        "hornbook predict model.hornbook new.csv --out predictions.csv",
        "hornbook predict model.hornbook new.csv --proba | head",
        "hornbook predict build/study new.parquet     the model of a study, by its folder",
    ),
)
@click.argument("model", type=MODEL)
@click.argument("data", type=DATA)
@click.option("--out", "-o", type=MODEL, help="The CSV file to write; stdout when left out.")
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.pass_obj
def command(say: Say, model: str, data: str, out: str | None, proba: bool) -> None:
    """Predict the rows of DATA with MODEL, a model file or the folder of a study.

    Columns are found by their names, whatever their order; columns that the model does not know are ignored,
    and both are said. If the column that the model predicts is there, it is written as `truth` beside the
    prediction, so that `hornbook compare` can use the file. Large files are read and written in pieces.
    """
    if out is not None and Path(out).suffix.lower() != ".csv":
        raise click.BadParameter(
            f"predictions are written as CSV; got '{out}', name it *.csv.", param_hint="--out"
        )
    fitted = load_model(model)
    if proba and not hasattr(fitted, "predict_proba"):
        raise ValueError(f"{fitted} gives no probabilities: leave out --proba.")
    blocks = open_rows(data, say)
    matched = Matched.of(fitted, blocks.schema, say)

    def table(block: Any) -> pl.DataFrame:
        return _table(fitted, matched, block, proba=proba)

    if say.json and out is None:
        say.result("", lambda: _as_data(blocks, table))
        return
    if out is None:
        _write(blocks, table, sys.stdout.buffer)
        return
    with written(Path(out)) as file:
        _write(blocks, table, file)
    say.note(f"{blocks.n_rows} predictions are in {out}.")
    if say.json:
        say.result("", {"rows": blocks.n_rows, "predictions": out})


def _table(model: Any, matched: Matched, block: Any, *, proba: bool) -> pl.DataFrame:
    """Predictions of some rows, with the columns that prediction files have."""
    import polars as pl  # noqa: PLC0415 - slow to import, and help must not wait for it

    features = matched.features(block.X)
    columns: dict[str, Any] = {"row": range(block.start, block.start + len(block))}
    if matched.target is not None:
        columns["truth"] = block.X[matched.target].tolist()
    shares = model.predict_proba(features) if proba else None
    columns["prediction"] = model.predict(features).tolist()
    for j, label in enumerate(model.classes_.tolist() if proba else ()):
        columns[f"p({label})"] = shares[:, j].tolist() if shares is not None else []
    return pl.DataFrame(columns, strict=False)


def _write(blocks: Any, table: Callable[[Any], pl.DataFrame], file: IO[bytes]) -> None:
    for block in blocks:
        text = io.BytesIO()
        table(block).write_csv(text, include_header=block.start == 0)
        left = memoryview(text.getvalue())
        while left:  # an unbuffered stdout takes what it can
            left = left[file.write(left) :]
    file.flush()


def _as_data(blocks: Any, table: Callable[[Any], pl.DataFrame]) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for block in blocks:
        for name, values in table(block).to_dict(as_series=False).items():
            found.setdefault(name, []).extend(values)
    return {"rows": blocks.n_rows, **found}
