"""``hornbook evaluate``: how good a model file is on rows with known target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import hornbook
from hornbook.cli._cluster import cluster_option, on_cluster
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import open_rows, unnamed_target
from hornbook.cli._model import Matched, load_model
from hornbook.cli._reading import reading_options
from hornbook.cli._seen import seen_in_training
from hornbook.cli._types import COLUMN, DATA, METRIC, MODEL

if TYPE_CHECKING:
    from hornbook.evaluation import Measured

__all__ = ["command"]


@click.command(
    "evaluate",
    cls=Command,
    short_help="Evaluate a model file on rows with known target.",
    epilog=examples(
        "hornbook evaluate model.hornbook test.csv",
        "hornbook evaluate model.hornbook test.csv --target ripe --metric error_rate",
        "hornbook evaluate build/study test.csv --json",
        "hornbook evaluate model.hornbook 'folder/*.parquet' --cluster local:4",
    ),
)
@click.argument("model", type=MODEL)
@click.argument("data", type=DATA)
@click.option("--target", "-y", type=COLUMN, help="The target column; by default that of the model.")
@click.option("--weight", type=COLUMN, help="The column with the weights of the rows.")
@click.option(
    "--metric", type=METRIC, multiple=True, help="A measure; can be repeated; the usual ones by default."
)
@click.option("--positive", metavar="CLASS", help="The positive class of two.")
@click.option(
    "--level", default=0.95, show_default=True, type=click.FloatRange(0, 1, min_open=True, max_open=True)
)
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the intervals."
)
@cluster_option
@reading_options
@click.pass_obj
def command(
    console: Console, /, model: str, data: str, target: str | None, weight: str | None, **asked: Any
) -> None:
    """Evaluate MODEL on the rows of DATA, whose target is known, with an interval for each measure.

    A model looks better on its training rows than on new ones: evaluate on rows it has never seen.
    """
    fitted = load_model(model)
    with on_cluster(asked["cluster"]) as client:
        if client is None:
            rows = open_rows(data, console, asked["reading"])
        else:
            rows = hornbook.cluster.scan(data, client=client, **asked["reading"].file_options)
        _evaluate(console, model, fitted, rows, data, target, weight, asked)


def _evaluate(
    console: Console,
    model: str,
    fitted: Any,
    blocks: hornbook.Blocks,
    data: str,
    target: str | None,
    weight: str | None,
    asked: dict[str, Any],
) -> None:
    """Measure the predictions of all rows, which are made where the rows are."""
    from hornbook.cli._measured import ModelPredictions, confusion  # noqa: PLC0415 - lazy, for fast help
    from hornbook.evaluation import PositiveMeasure, measured  # noqa: PLC0415 - lazy, for fast help

    matched = _with_truth(fitted, blocks.schema, data, target, console)
    whole = ModelPredictions.of(fitted, matched, blocks, weight)
    predictions, why = whole.with_positive(asked["positive"])
    if why and any(isinstance(predictions.measure(name), PositiveMeasure) for name in asked["metric"]):
        console.note(f"positive: '{predictions.positive}', {why}; --positive names the other.")
    # Scores on rows that the model has learned from say nothing about new ones, and the user may not know
    # that a file contains them.
    seen = seen_in_training(model, fitted, matched, blocks, console)
    names = asked["metric"] or predictions.usual
    for name in names:
        predictions.for_measure(name)  # an error that names the option
    values = [
        measured(predictions, predictions.measure(name), asked["level"], asked["seed"]) for name in names
    ]
    table = confusion(predictions)
    text = [f"{fitted} on {blocks.n_rows} rows of {data}, target '{matched.target}'", "", _lines(values)]
    if table is not None:
        text += ["", str(table)]
    console.result(
        "\n".join(text),
        lambda: {
            "model": model,
            "data": data,
            "target": matched.target,
            "positive": None if predictions.positive is None else str(predictions.positive),
            "rows": blocks.n_rows,
            "measures": {value.name: value.to_dict() for value in values},
            "confusion": None if table is None else table.to_dict(),
            "seen_in_training": seen,
        },
    )


def _with_truth(model: Any, schema: Any, data: str, target: str | None, console: Console) -> Matched:
    # Silent at first: without a target in the data, columns are matched again with another one below, and the
    # notes would appear twice.
    matched = Matched.of(model, schema, Console(quiet=True) if target is None else console, target)
    if matched.target is not None:
        return matched if target is not None else Matched.of(model, schema, console, matched.target)
    known = getattr(model, "target_name_", None)
    if known is not None:
        near = hornbook.params.suggest(known, schema.names)
        raise ValueError(f"'{data}' has no column '{known}', which the model predicts: see --target.{near}")
    return Matched.of(model, schema, console, unnamed_target(data, schema, console))


def _lines(values: list[Measured]) -> str:
    width = max(len(value.name) for value in values)
    return "\n".join(f"{value.name.ljust(width)}  {value}" for value in values)
