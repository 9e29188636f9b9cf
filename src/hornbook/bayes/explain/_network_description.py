"""A Bayesian network in words: its tables, the factors of one prediction, and queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Table, Term
from hornbook.bayes.models._network_model import NetworkModel
from hornbook.frame import Frame

__all__ = ["Nodes", "asked", "network_tables", "told_network"]

Nodes = list[tuple[str, Sequence[Any]]]  # name and levels of each node, the class last
MOST_ROWS = 400  # of a table that is written out


def network_tables(model: NetworkModel, nodes: Nodes) -> dict[str, Table]:
    """P(level | parents) of each node: one row for each combination of the parents' levels."""
    tables = {}
    for i, (name, levels) in enumerate(nodes):
        above = [nodes[p] for p in model.parents[i]]
        probabilities = np.exp(model.log_tables[i]).reshape(-1, len(levels))[:MOST_ROWS]
        combinations = product(*(own for _, own in above))
        rows = [[*given, *line] for given, line in zip(combinations, probabilities.tolist(), strict=False)]
        given = ", ".join(parent for parent, _ in above)
        title = f"P({name} | {given})" if above else f"P({name})"
        tables[name] = Table(title, [*(parent for parent, _ in above), *map(str, levels)], rows)
    return tables


def told_network(model: NetworkModel, nodes: Nodes, row: Frame) -> list[Term]:
    """The tables' entries for one row, and what summing over missing cells gives."""
    counted = model.plan.codes(row.numbers, row.codes)
    seen = np.flatnonzero(counted[0] >= 0).tolist()
    needed = model.needed({*seen, model.target})
    terms, open_ = [], []
    for i in [model.target, *(i for i in needed if i != model.target)]:
        if {i, *model.parents[i]} <= {*seen, model.target}:
            logs = model.posterior(counted, [i], seen, (model.target,))[0]
            terms.append(Term(_factor(model, nodes, counted[0], i), logs.tolist()))
        else:
            open_.append(i)
    if open_:
        hidden = sorted({v for i in open_ for v in (i, *model.parents[i])} - {*seen, model.target})
        names = ", ".join(nodes[v][0] for v in hidden)
        logs = model.posterior(counted, open_, seen, (model.target,))[0]
        terms.append(Term(f"summed over {names}", logs.tolist()))
    return terms


def _factor(model: NetworkModel, nodes: Nodes, counted: NDArray[np.int32], i: int) -> str:
    def said(v: int) -> str:
        name, levels = nodes[v]
        return name if v == model.target else f"{name} = {levels[counted[v]]}"

    given = ", ".join(said(p) for p in model.parents[i])
    return f"P({said(i)} | {given})" if given else f"P({said(i)})"


def asked(
    model: NetworkModel, nodes: Nodes, wanted: Sequence[int], given: Mapping[int, int], title: str
) -> Table:
    """P(wanted nodes | levels of others), one row for each combination of levels."""
    counted = np.full((1, len(nodes)), -1, dtype=np.int32)
    for node, level in given.items():
        counted[0, node] = level
    seen, keep = list(given), tuple(wanted)
    needed = model.needed({*seen, *keep})
    model.room(needed, seen, keep)
    logs = model.posterior(counted, needed, seen, keep)[0]
    logs = logs.transpose(np.argsort(np.argsort(keep)))  # back from ascending nodes to the order of the query
    if not np.isfinite(logs.max()):
        raise ValueError(f"{title}: what is given has probability 0, so nothing follows from it.")
    probabilities = np.exp(logs - logs.max())
    probabilities /= probabilities.sum()
    combinations = product(*(nodes[v][1] for v in keep))
    rows = [
        [*levels, probability]
        for levels, probability in zip(combinations, probabilities.ravel().tolist(), strict=True)
    ]
    return Table(title, [*(nodes[v][0] for v in keep), "P"], rows)
