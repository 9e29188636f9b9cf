"""Predictions of two model files for the same rows, for ``hornbook compare``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

import hornbook
from hornbook.cli._console import Console
from hornbook.cli._data import open_rows, unnamed_target
from hornbook.cli._model import Matched, load_model
from hornbook.cli._output import write_tables
from hornbook.cli._reading import Reading
from hornbook.cli._seen import seen_in_training
from hornbook.cli.commands._predict import prediction_tables

__all__ = ["compare_models", "is_model"]


def is_model(path: str) -> bool:
    """Whether a file is a model file, by its name or its first bytes.

    Parameters
    ----------
    path : str
        The argument.
    """
    place = Path(path)
    if place.suffix == ".hornbook":
        return True
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"  # model files are zip archives, prediction files are text


def compare_models(
    models: tuple[str, str],
    data: str,
    console: Console,
    reading: Reading,
    target: str | None,
    **options: Any,
) -> tuple[Any, dict[str, float | None]]:
    """Predict all rows of DATA with both models and compare the predictions row by row.

    Parameters
    ----------
    models : pair of str
        The model files, or folders of studies.
    data : str
        Rows with a known target.
    console : Console
        Where to print the choices made.
    reading : Reading
        How to read DATA.
    target : str, optional
        The column with the target values; by default that of the models.
    **options
        As of `hornbook.evaluation.compare_predictions`.

    Returns
    -------
    verdict, seen
        The verdict, and for each model the fraction of the rows it was fitted on.
    """
    fitted = [load_model(path) for path in models]
    if hasattr(fitted[0], "classes_") != hasattr(fitted[1], "classes_"):
        raise click.UsageError("one model predicts classes and the other numbers: they cannot be compared.")
    blocks = open_rows(data, console, reading)
    truth = _truth(fitted, blocks.schema, data, target, console)
    proba = all(hasattr(model, "predict_proba") for model in fitted)
    # The same model twice is a fair question, but scores are kept by name.
    names = models if models[0] != models[1] else (f"{models[0]} (A)", f"{models[1]} (B)")
    seen: dict[str, float | None] = {}
    # By way of files, because the comparison of prediction files is the one implementation of comparing
    # predictions.
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{place}.csv")) for place in range(2)]
        for path, name, model, file in zip(models, names, fitted, files, strict=True):
            matched = Matched.of(model, blocks.schema, console, truth)
            seen[name] = seen_in_training(path, model, matched, blocks, console, name=name)
            write_tables(prediction_tables(model, matched, blocks, proba=proba), file)
        compare = hornbook.evaluation.compare_predictions
        return compare(*files, names=names, **options), seen


def _truth(fitted: list[Any], schema: Any, data: str, target: str | None, console: Console) -> str:
    """The target column: the one named, the one both models predict, or the last one."""
    if target is not None:
        return target
    known = {name for model in fitted if (name := getattr(model, "target_name_", None)) is not None}
    if len(known) > 1:
        first, second = sorted(known)
        raise ValueError(f"the models predict different columns, '{first}' and '{second}': see --target.")
    if not known:
        return unnamed_target(data, schema, console)
    name = str(*known)
    if name not in schema.names:
        near = hornbook.params.suggest(name, schema.names)
        raise ValueError(f"'{data}' has no column '{name}', which the models predict: see --target.{near}")
    return name
