"""Model files kept from earlier versions, and the rows and answers by which they are judged.

A learner that is new to the registry gets a file too: fit it on `training_rows`, save it under the name of
its class in `FOLDER`, and add what `answers_of` says about it to ``answers.json``. Files are never written
anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from tests.contract.learners import mixed_table

FOLDER = Path(__file__).parent / "files"
METHODS = ("predict_proba", "decision_function", "predict", "transform")
SPARSE = "sparse"  # in the name of a file: the model was fitted on numbers in a sparse matrix


def training_rows(name):
    """A table for the model of that name, and the hidden groups of its rows."""
    return _rows(name, 24, seed=0, missing=True)


def new_rows(name):
    """Rows that the model has not seen."""
    return _rows(name, 6, seed=1, missing=False)[0]


def _rows(name, n, *, seed, missing):
    table, group = mixed_table(n, seed, missing=missing and SPARSE not in name)
    if SPARSE in name:
        return csr_array(table[["size", "mass"]].to_numpy().round(0)), group
    return table, group


def answers_of(model, name):
    """What a model says about the new rows, as plain data."""
    rows = new_rows(name)
    return {
        method: np.asarray(getattr(model, method)(rows)).tolist()
        for method in METHODS
        if hasattr(model, method)
    }


def recorded():
    """The answers that every file gave when it was saved."""
    return json.loads((FOLDER / "answers.json").read_text())
