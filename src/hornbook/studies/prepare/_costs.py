"""Costs of mistakes as a table by classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError

__all__ = ["cost_matrix"]

UNNAMED = 1.0  # cost of a mistake that is not named


def cost_matrix(settings: Settings, classes: tuple[Any, ...]) -> NDArray[np.float64] | None:
    """Return the cost of predicting class i when the truth is class j; None without costs.

    Parameters
    ----------
    settings : Settings
        With ``costs`` as text: ``class=cost`` for missing a class, ``truth>prediction=cost`` for one mistake.
    classes : tuple
        The classes.
    """
    if not settings.costs:
        return None
    if not classes:
        raise StudyError(
            f"costs= is for classes, and the target {settings.target!r} holds numbers: leave it out."
        )
    names = [str(label) for label in classes]
    table = UNNAMED * (1.0 - np.eye(len(names)))
    pairs: list[tuple[int, int, float]] = []
    for text in settings.costs:
        name, _, number = text.rpartition("=")
        cost, name = float(number), name.strip()
        if name in names:
            # That of a class first, so that a pair can say otherwise.
            truth = names.index(name)
            table[np.arange(len(names)) != truth, truth] = cost
        else:
            truth, prediction = _pair(name, names, settings)
            pairs.append((prediction, truth, cost))
    for prediction, truth, cost in pairs:
        table[prediction, truth] = cost
    if not (table.max(axis=0) > np.diag(table)).any():
        raise StudyError("costs= makes every mistake as cheap as being right, so nothing is to be decided.")
    return table


def _pair(name: str, names: Sequence[str], settings: Settings) -> tuple[int, int]:
    """The true and the predicted class; names of classes may contain the sign between them."""
    halves = list(_halves(name))
    for truth, prediction in halves:
        if truth in names and prediction in names:
            return names.index(truth), names.index(prediction)
    unknown = next((part for pair in halves[:1] for part in pair if part not in names), name)
    some = f"{', '.join(map(repr, names[:20]))}{' ...' if len(names) > 20 else ''}"
    raise StudyError(
        f"costs= names the class {unknown!r}, which the target {settings.target!r} does not have; its "
        f"classes are {some}.{suggest(unknown, names)}"
    )


def _halves(name: str) -> Iterator[tuple[str, str]]:
    parts = name.split(">")
    for i in range(1, len(parts)):
        yield ">".join(parts[:i]).strip(), ">".join(parts[i:]).strip()
