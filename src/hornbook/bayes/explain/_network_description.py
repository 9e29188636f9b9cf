"""A Bayesian network as text: its tables, the factors of one prediction, and queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.bayes.models._network_model import NetworkModel
from hornbook.frame import Frame

__all__ = ["Nodes", "network_tables", "network_terms", "query_table"]

Nodes = list[tuple[str, Sequence[Any]]]  # name and levels of each node, the class last
MOST_ROWS = 400  # of a table that is written out


def network_tables(model: NetworkModel, nodes: Nodes) -> dict[str, Table]:
    """P(level | parents) of each node: one row for each combination of the parents' levels."""
    tables = {}
    for i, (name, levels) in enumerate(nodes):
        above = [nodes[p] for p in model.parents[i]]
        probabilities = np.exp(model.log_tables[i]).reshape(-1, len(levels))[:MOST_ROWS]
        combinations = product(*(own for _, own in above))
        rows = [[*levels, *line] for levels, line in zip(combinations, probabilities.tolist(), strict=False)]
        condition = ", ".join(parent for parent, _ in above)
        title = f"P({name} | {condition})" if above else f"P({name})"
        tables[name] = Table(title, [*(parent for parent, _ in above), *map(str, levels)], rows)
    return tables


def network_terms(model: NetworkModel, nodes: Nodes, row: Frame) -> list[Term]:
    """The tables' entries for one row, and what summing over missing cells gives."""
    counted = model.plan.codes(row.numbers, row.codes)
    seen = np.flatnonzero(counted[0] >= 0).tolist()
    needed = model.needed({*seen, model.target})
    terms, unresolved = [], []
    for i in [model.target, *(i for i in needed if i != model.target)]:
        # Only tables whose other variables are all known have a single entry per class.
        if {i, *model.parents[i]} <= {*seen, model.target}:
            logs = model.posterior(counted, [i], seen, (model.target,))[0]
            terms.append(Term(_factor(model, nodes, counted[0], i), logs.tolist()))
        else:
            unresolved.append(i)
    if unresolved:
        hidden = sorted({v for i in unresolved for v in (i, *model.parents[i])} - {*seen, model.target})
        names = ", ".join(nodes[v][0] for v in hidden)
        logs = model.posterior(counted, unresolved, seen, (model.target,))[0]
        terms.append(Term(f"summed over {names}", logs.tolist()))
    return terms


def _factor(model: NetworkModel, nodes: Nodes, counted: NDArray[np.int32], i: int) -> str:
    def event(v: int) -> str:
        name, levels = nodes[v]
        return name if v == model.target else f"{name} = {levels[counted[v]]}"

    condition = ", ".join(event(p) for p in model.parents[i])
    return f"P({event(i)} | {condition})" if condition else f"P({event(i)})"


def query_table(
    model: NetworkModel, nodes: Nodes, wanted: Sequence[int], evidence: Mapping[int, int], title: str
) -> Table:
    """P(wanted nodes | levels of others), one row for each combination of levels."""
    counted = np.full((1, len(nodes)), -1, dtype=np.int32)
    for node, level in evidence.items():
        counted[0, node] = level
    seen, keep = list(evidence), tuple(wanted)
    needed = model.needed({*seen, *keep})
    model.room(needed, seen, keep)
    logs = model.posterior(counted, needed, seen, keep)[0]
    logs = logs.transpose(np.argsort(np.argsort(keep)))  # back from ascending nodes to the order of the query
    if not np.isfinite(logs.max()):
        raise ValueError(f"{title}: the evidence in 'given' has probability 0; leave out a part of it.")
    probabilities = np.exp(logs - logs.max())  # normalized after the largest is 1, so nothing underflows
    probabilities /= probabilities.sum()
    combinations = product(*(nodes[v][1] for v in keep))
    rows = [
        [*levels, probability]
        for levels, probability in zip(combinations, probabilities.ravel().tolist(), strict=True)
    ]
    return Table(title, [*(nodes[v][0] for v in keep), "P"], rows)
