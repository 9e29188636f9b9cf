"""``hornbook explain``: how a model comes to its prediction for single rows."""

from __future__ import annotations

from typing import Any

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import open_rows
from hornbook.cli._model import Matched, load_model
from hornbook.cli._reading import Reading, reading_options
from hornbook.cli._types import DATA, MODEL

__all__ = ["command", "explained"]


@click.command(
    "explain",
    cls=Command,
    short_help="Show how a model comes to its prediction for a row.",
    epilog=examples(
        "hornbook explain model.hornbook new.csv --row 17",
        "hornbook explain build/study new.csv --row 0 --row 5     the model of a study, by its folder",
    ),
)
@click.argument("model", type=MODEL)
@click.argument("data", type=DATA)
@click.option(
    "--row",
    "rows",
    type=click.IntRange(min=0),
    multiple=True,
    help="The row, counted from 0 as in prediction files; the first one by default. Can be repeated.",
)
@reading_options
@click.pass_obj
def command(console: Console, model: str, data: str, rows: tuple[int, ...], reading: Reading) -> None:
    """Show how MODEL, a model file or the folder of a study, predicts rows of DATA.

    The working is that of the learner: the path through a tree, the factors of naive Bayes, the neighbors,
    the weights. Trees, forests and boosting add what each column contributes.
    """
    fitted = load_model(model)
    if not hasattr(fitted, "working"):
        raise ValueError(f"{fitted} cannot show its working.")
    blocks = open_rows(data, console, reading)
    matched = Matched.of(fitted, blocks.schema, console)
    # Something to look at without options, since nobody knows the numbers of rows at first.
    asked = rows or (0,)
    workings = dict(explained(fitted, matched, blocks, asked))
    lacking = [row for row in asked if row not in workings]
    if lacking:
        raise ValueError(f"there is no row {lacking[0]}: '{data}' has {blocks.n_rows} rows, counted from 0.")
    text = "\n\n".join(f"row {row}\n{workings[row]}" for row in asked)
    console.result(text, lambda: {"rows": [{"row": row, **workings[row].to_dict()} for row in asked]})


def explained(
    model: Any, matched: Matched, blocks: hornbook.Blocks, rows: tuple[int, ...]
) -> list[tuple[int, Any]]:
    """The working of some rows, by their numbers.

    Parameters
    ----------
    model : learner
        The fitted model.
    matched : Matched
        Its columns in the data.
    blocks : Blocks
        The rows.
    rows : tuple of int
        Numbers of rows, counted from 0; those beyond the end are left out.
    """
    workings = []
    for block in blocks:
        # One pass over the blocks for all rows, because a file is parsed from its start in each.
        inside = [row for row in rows if block.start <= row < block.start + len(block)]
        if inside:
            features = matched.features(block.X)
            workings += [
                (row, model.working(features[row - block.start : row - block.start + 1])) for row in inside
            ]
    return workings
