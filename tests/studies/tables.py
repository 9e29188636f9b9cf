"""Small tables, and the part of a study that comes before the first fit."""

from __future__ import annotations

import numpy as np

from hornbook.frame import Frame
from hornbook.studies import Settings
from hornbook.studies.prepare._data import open_data
from hornbook.studies.prepare._prepare import prepare

__all__ = ["flowers", "prepared", "trend"]


def flowers(n=60, **columns):
    """Two numbers that tell two classes apart, not quite; further columns as given."""
    draws = np.random.default_rng(0)
    y = np.arange(n) % 2
    return {
        "length": y + draws.normal(0, 0.7, n),
        "width": y + draws.normal(0, 0.7, n),
        **columns,
        "kind": np.array(["wild", "tame"], dtype=object)[y],
    }


def trend(n=60, **columns):
    """A number that rises with another, not quite."""
    draws = np.random.default_rng(1)
    x = draws.normal(0, 1, n)
    return {"x": x, "z": draws.normal(0, 1, n), **columns, "y": 2 * x + draws.normal(0, 0.5, n)}


def prepared(data, learners=("NaiveBayes",), test=None, **settings):
    """Everything up to the first fit, and what was said."""
    notes = []
    table = data if isinstance(data, str | Frame) else Frame(data)
    opened = open_data(table, Settings.of({"cv": 3, **settings}), test)
    return prepare(opened, learners, notes.append), notes
