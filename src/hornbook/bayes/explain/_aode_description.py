"""The tables of AODE, and what each parent contributes to one prediction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.bayes.explain._description import counted_names
from hornbook.bayes.models._aode_model import AODEModel
from hornbook.frame import Frame, Schema

__all__ = ["parent_tables", "parent_terms"]

SMALLEST = -600.0  # logarithms below have no factor that prints as a number


def parent_tables(model: AODEModel, schema: Schema, classes: NDArray[Any]) -> list[Table]:
    """P(class, value) of each counted column."""
    tables = []
    stop = 0
    for name, levels in counted_names(model.naive.plan, schema):
        start, stop = stop, stop + len(levels)
        probabilities = np.exp(model.log_parent[start:stop])
        rows = [[level, *own] for level, own in zip(levels, probabilities.tolist(), strict=True)]
        tables.append(Table(f"P(class, {name})", ["value", *(str(label) for label in classes)], rows))
    return tables


def parent_terms(model: AODEModel, schema: Schema, row: Frame) -> list[Term]:
    """P(class, parent) P(others | class, parent) of one row for each parent it has.

    Where all of them underflow they are given up to a common factor, which changes neither the prediction nor
    the probabilities.
    """
    counted = model.naive.plan.codes(row.numbers, row.codes)
    names, logs = [], []
    start = 0
    for (name, levels), code in zip(
        counted_names(model.naive.plan, schema), counted[0].tolist(), strict=True
    ):
        if code >= 0 and model.usable[start + code]:
            # With one usable level the average has one term.
            alone = np.zeros_like(model.usable)
            alone[start + code] = 1
            names.append(f"parent {name} = {levels[code]}")
            logs.append(replace(model, usable=alone).averaged(row.numbers, counted, 1)[0][0])
        start += len(levels)
    most = np.max(logs) if logs else 0.0
    shift = most if np.isfinite(most) and most < SMALLEST else 0.0
    return [Term(name, np.exp(values - shift).tolist()) for name, values in zip(names, logs, strict=True)]
