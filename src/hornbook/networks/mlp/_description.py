"""Networks in words and numbers: the model, and how one answer comes about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working
from hornbook.display import Cell
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._units import unit_slope, unit_value
from hornbook.params import Floats

__all__ = [
    "NetworkWorking",
    "deltas_of",
    "described",
    "last_terms",
    "layer_tables",
    "layers_of",
    "terms_by_candidate",
]

MOST_SHOWN = 24  # rows of a table of weights


def described(model: Any, title: str, network: Network, outputs: Sequence[str]) -> Description:
    """The structure, how it was trained, and the weights of layers small enough to be read."""
    removed = int((network.mask == 0).sum()) if len(network.mask) else 0
    facts: dict[str, Any] = {
        "layers": "-".join(map(str, network.sizes.tolist())),
        "weights and constants": len(network.weights) - removed,
        "hidden units": network.hidden if network.depth > 1 else "none",
        "output units": network.output,
        "cost": f"{network.cost}, {'' if model.cost_.well_formed else 'not '}well formed",
        "solver": model.solver,
        "iterations": model.n_iter_,
        "loss": model.loss_,
    }
    if removed:
        facts["removed"] = removed
    names: Sequence[str] = [str(name) for name in model.encoded_names_]
    tables = []
    for layer, (matrix, constants) in enumerate(network.split()):
        units = (
            outputs
            if layer == network.depth - 1
            else [f"h{layer + 1}.{j + 1}" for j in range(len(constants))]
        )
        if len(matrix) <= MOST_SHOWN and len(constants) <= MOST_SHOWN:
            rows: list[list[Cell]] = [["constant", *map(float, constants)]]
            rows += [[name, *map(float, row)] for name, row in zip(names, matrix, strict=True)]
            tables.append(Table(f"Weights of layer {layer + 1}", ["from", *units], rows))
        names = units
    return Description(title, facts, tables)


def layers_of(network: Network, x: Floats) -> list[tuple[Floats, Floats]]:
    """Net inputs and outputs of the units of each layer, for one row."""
    values, passes = x, []
    for layer, (matrix, constants) in enumerate(network.split()):
        net = values @ matrix + constants
        last = layer == network.depth - 1
        unit = network.output if last else network.hidden
        plain = last and unit in ("identity", "exponential", "softmax")
        values = unit_value(unit, net, 1.0 if plain else network.slope, network.amplitude)
        passes.append((net, values))
    return passes


def deltas_of(network: Network, x: Floats, target: Floats) -> list[Floats]:
    """Derivatives of the cost of one row by the net inputs of the units of each layer.

    Of output units these are e f'(v) for least squares, with e the output minus the target; of hidden ones
    the sum of the deltas of the next layer times the weights to it, times f'(v).
    """
    *_, (_, last) = layers_of(network, x)
    cost = network.cost
    plain = network.output in ("identity", "exponential", "softmax")
    slope = 1.0 if plain else network.slope
    error = last - target
    if cost == "squared_error":
        delta = error * unit_slope(network.output, last, slope, network.amplitude)
    elif cost == "kl" and network.output == "logistic":
        delta = -slope * target * (1.0 - last)
    else:
        delta = slope * (last * target.sum() - target if network.output == "softmax" else error)
    deltas = [delta]
    outputs = [values for _, values in layers_of(network, x)]
    for (matrix, _), values in zip(reversed(network.split()[1:]), reversed(outputs[:-1]), strict=True):
        below = matrix @ deltas[0]
        deltas.insert(0, below * unit_slope(network.hidden, values, network.slope, network.amplitude))
    return deltas


def layer_tables(network: Network, x: Floats, target: Floats | None, outputs: Sequence[str]) -> list[Table]:
    """The forward pass unit by unit, and with a target the deltas of the backward pass."""
    deltas = None if target is None else deltas_of(network, x, target)
    tables = []
    for layer, (net, values) in enumerate(layers_of(network, x)):
        last = layer == network.depth - 1
        names = outputs if last else [f"h{layer + 1}.{j + 1}" for j in range(len(net))]
        head = ["unit", "net input v", "output y"]
        rows: list[list[Any]] = [[n, float(v), float(y)] for n, v, y in zip(names, net, values, strict=True)]
        if last and target is not None:
            head = [*head, "target"]
            rows = [[*row, float(t)] for row, t in zip(rows, target, strict=True)]
        if deltas is not None:
            head = [*head, "delta"]
            rows = [[*row, float(d)] for row, d in zip(rows, deltas[layer], strict=True)]
        tables.append(Table("Output layer" if last else f"Hidden layer {layer + 1}", head, rows))
    return tables


def last_terms(network: Network, x: Floats, names: Sequence[str]) -> list[tuple[str, Floats]]:
    """Constants of the output units, and each unit before them times its weights; zeros are left out."""
    outputs = [values for _, values in layers_of(network, x)]
    before = outputs[-2] if network.depth > 1 else x
    matrix, constants = network.split()[-1]
    labels = names if network.depth == 1 else [f"h{network.depth - 1}.{j + 1}" for j in range(len(before))]
    return [
        ("constant", constants),
        *((f"{labels[j]} = {before[j]:.6g}", matrix[j] * before[j]) for j in np.flatnonzero(before).tolist()),
    ]


@dataclass(frozen=True)
class NetworkWorking(Working):
    """How a network comes to an answer: net inputs and outputs of all units, then the sum of the last layer.

    Parameters
    ----------
    tables : sequence of Table, default ()
        A table for each layer; with a target also the deltas of backpropagation.
    """

    tables: Sequence[Table] = field(default=())

    def _description(self) -> Description:
        whole = super()._description()
        return Description(whole.title, whole.facts, [*self.tables, *whole.tables])

    def to_dict(self) -> dict[str, Any]:
        """Return the working as plain data; the prediction can be computed from it."""
        return {**super().to_dict(), "layers": [table.to_dict() for table in self.tables]}


def terms_by_candidate(terms: Sequence[tuple[str, Floats]], *, two: bool) -> list[Term]:
    """Terms for each candidate; with one output and two classes, the first has 0."""
    if two:
        return [Term(name, [0.0, float(values[0])]) for name, values in terms]
    return [Term(name, [float(v) for v in values]) for name, values in terms]
