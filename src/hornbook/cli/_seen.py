"""Whether a model is evaluated on its training rows, by the fingerprint in its file."""

from __future__ import annotations

from typing import Any

import hornbook
from hornbook.cli._console import Console
from hornbook.cli._model import Matched, model_path

__all__ = ["seen_in_training"]

WORTH_SAYING = 0.01  # fraction of rows seen in training
REMEDY = "expect worse results on new rows, and evaluate on those."


def seen_in_training(
    path: str,
    model: Any,
    matched: Matched,
    blocks: hornbook.Blocks,
    console: Console,
    *,
    name: str = "the model",
) -> float | None:
    """Return the fraction of rows the model was fitted on, and print it; None if unknown.

    Parameters
    ----------
    path : str
        The model file, or the folder of a study.
    model : learner
        The model.
    matched : Matched
        Its columns in the data.
    blocks : Blocks
        The rows.
    console : Console
        Where to print it.
    name : str, default "the model"
        What messages call the model.
    """
    mark = hornbook.persist.inspect_file(model_path(path)).fingerprint
    if mark is None or matched.target is None:
        return None
    overlap = mark.overlap(blocks.map(matched.known_rows), model.schema_)
    if overlap.same:
        console.note(f"these are exactly the training rows of {name}; {REMEDY}")
    elif overlap.share is not None and overlap.share >= WORTH_SAYING:
        whose = "the training data" if name == "the model" else f"the training data of {name}"
        console.note(f"about {overlap.share:.0%} of these rows were in {whose}; {REMEDY}")
    return overlap.share
