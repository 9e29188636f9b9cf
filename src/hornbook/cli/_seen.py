"""Whether a model has learned from the rows that it is measured on, as far as its file can tell."""

from __future__ import annotations

from typing import Any

import hornbook
from hornbook.cli._console import Console
from hornbook.cli._model import Matched, model_path

__all__ = ["seen_in_training"]

WORTH_SAYING = 0.01  # share of the rows that the model has seen
REMEDY = "expect worse on new ones, and measure on rows that it has never seen."


def seen_in_training(
    path: str,
    model: Any,
    matched: Matched,
    blocks: hornbook.Blocks,
    console: Console,
    *,
    name: str = "the model",
) -> float | None:
    """Return which share of the rows the model was fitted on, and say so; None where nobody knows.

    Parameters
    ----------
    path : str
        Its file, or the folder of a study.
    model : learner
        What is in it.
    matched : Matched
        Which columns it gets.
    blocks : Blocks
        The rows.
    console : Console
        Where to say it.
    name : str, default "the model"
        What the model is called in the sentence.
    """
    mark = hornbook.persist.inspect_file(model_path(path)).fingerprint
    if mark is None or matched.target is None:
        return None
    overlap = mark.overlap(blocks.map(matched.known_rows), model.schema_)
    if overlap.same:
        console.note(f"these are the very rows that {name} was fitted on; {REMEDY}")
    elif overlap.share is not None and overlap.share >= WORTH_SAYING:
        whose = "the training data" if name == "the model" else f"the training data of {name}"
        console.note(f"about {overlap.share:.0%} of these rows were in {whose}; {REMEDY}")
    return overlap.share
