"""Reduced-error pruning on held-out rows, and pessimistic pruning on the training rows (Quinlan 1987)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.random import Stream
from hornbook.trees._fitted import LEAF, FittedTree
from hornbook.trees.explain._split_table import EVERYWHERE, STAYS, child_numbers

__all__ = ["held_out", "pessimistic", "pruned_by_rows", "row_parts"]

HELD_OUT = 1  # random stream of the split into training and held-out rows


def held_out(y: NDArray[Any], w: Floats, share: float, seed: int, *, by_class: bool) -> NDArray[np.bool_]:
    """Rows held out for pruning: a share of those of positive weight, or of each class, but never all."""
    out = np.zeros(len(y), dtype=np.bool_)
    order = Stream(seed, HELD_OUT).permutation(len(y))
    order = order[w[order] > 0]  # permuted before, so that weights of 0 do not change the draws
    for group in np.unique(y[order]) if by_class else (None,):
        members = order if group is None else order[y[order] == group]
        out[members[: min(int(share * len(members)), len(members) - 1)]] = True
    return out


def pruned_by_rows(
    tree: FittedTree, rows: Frame, y: NDArray[Any], w: Floats, loss: str, *, ahead: bool
) -> FittedTree:
    """Prune by the loss on held-out rows (reduced-error pruning, Quinlan 1987).

    A node becomes a leaf when that does not raise the loss of its whole subtree, from the leaves upward;
    with `ahead`, when its split alone does not lower the loss, from the root downward, as while growing.
    """
    as_leaf, stuck = _losses(tree, rows, y, w, loss)
    leaves = tree.is_leaf.copy()
    below = as_leaf.copy()
    for node in np.flatnonzero(~leaves)[::-1].tolist():  # children come after their parents
        children = tree.children(node)
        split = stuck[node] + (as_leaf if ahead else below)[children].sum()
        # Sums over a subtree have rounding errors, which must not keep a useless split.
        kept = split < as_leaf[node] if ahead else split < as_leaf[node] - 1e-12 * w.sum()
        leaves[node] = not kept
        below[node] = split if kept else as_leaf[node]
    return tree.cut(leaves)


def _losses(tree: FittedTree, rows: Frame, y: NDArray[Any], w: Floats, loss: str) -> tuple[Floats, Floats]:
    """Loss of each node's rows if it were a leaf, and of those that go to no child."""
    as_leaf, stuck = np.zeros(len(tree)), np.zeros(len(tree))
    answers = tree.value.argmax(axis=1) if loss == "errors" else tree.value[:, 0]
    for node, chosen, part, child in _descend(tree, rows, w):
        losses = _loss(y[chosen], answers[node], loss) * part
        as_leaf[node] = losses.sum()
        stuck[node] = losses[child == STAYS].sum()
    return as_leaf, stuck


def _loss(y: NDArray[Any], answer: Any, loss: str) -> Floats:
    if loss == "errors":
        return np.asarray(y != answer, dtype=np.float64)
    if loss == "poisson":  # half the deviance; leaves answer 0 only where a whole tree is one
        answer = np.maximum(answer, np.finfo(np.float64).tiny)
        return np.asarray(xlogy(y, y / answer) - y + answer)
    return np.asarray((y - answer) ** 2 if loss == "squared_error" else np.abs(y - answer))


def _descend(
    tree: FittedTree, rows: Frame, w: Floats
) -> Iterator[tuple[int, NDArray[np.intp], Floats, NDArray[np.intp]]]:
    """Each node that rows reach, with those rows, their weights there and the child they go to."""
    waiting = [(0, np.flatnonzero(w > 0), w[w > 0])]
    while waiting:
        node, chosen, part = waiting.pop()
        if tree.kind[node] == LEAF or not len(chosen):
            yield node, chosen, part, np.zeros(len(chosen), dtype=np.intp)
            continue
        child = child_numbers(tree, rows[chosen], node)
        yield node, chosen, part, child
        order = np.argsort(child, kind="stable")
        # One sort gives the rows of all children; -3 is the number of no child and closes the last run.
        ends = np.flatnonzero(np.diff(child[order], append=-3)) + 1
        groups = {int(child[group[0]]): group for group in np.split(order, ends[:-1])}
        everywhere = groups.pop(EVERYWHERE, order[:0])
        groups.pop(STAYS, None)
        first = int(tree.first_child[node])
        for number in range(len(tree.children(node))) if len(everywhere) else groups:
            own = groups.get(number, order[:0])
            members = np.concatenate([chosen[own], chosen[everywhere]])
            parts = np.concatenate([part[own], part[everywhere] * tree.share[first + number]])
            waiting.append((first + number, members[parts > 0], parts[parts > 0]))


def pessimistic(tree: FittedTree, steps: Floats | None = None) -> FittedTree:
    """Prune by training errors plus half a step for each leaf, from the root downward (Quinlan 1987).

    A leaf's number of errors moves in steps of one row, and half a step is the continuity correction of the
    binomial count. With e errors of the N rows in a node, and e' errors plus halves in its subtree, the node
    becomes a leaf when e + 1/2 <= e' + sqrt(e' (N - e') / N).

    Where rows went down in fractions, the count moves by those: `steps` holds the mean fraction s of a row in
    each node, and a leaf adds s/2. A sum of fractions also varies less than as many whole rows, so that the
    rule is e + s/2 <= e' + sqrt(s e' (N - e') / N), with s = 1 for whole rows.
    """
    errors = tree.weight - tree.value.max(axis=1)
    above = tree.parent
    halves = (np.ones(len(tree)) if steps is None else steps) / 2
    corrected = np.where(tree.is_leaf, errors + halves, 0.0)
    for node in range(len(tree) - 1, 0, -1):
        corrected[above[node]] += corrected[node]
    spread = np.sqrt(np.maximum(0.0, 2 * halves * corrected * (tree.weight - corrected)) / tree.weight)
    # Every node is marked on its own. `cut` drops all below a marked node, so that the topmost marks decide:
    # the same as testing from the root downward.
    return tree.cut(tree.is_leaf | (errors + halves <= corrected + spread))


def row_parts(tree: FittedTree, rows: Frame, w: Floats) -> Floats:
    """The mean fraction of a row in each node, weighted by the weight there.

    Rows of weights w of which fractions p reach the node have the mean sum w p**2 / sum w p, which is 1 for
    whole rows. Tiny fractions of many rows beside a few whole ones hardly change it.
    """
    parts = np.ones(len(tree))
    for node, chosen, weight, _ in _descend(tree, rows, w):
        if len(chosen):
            parts[node] = np.sum(weight * (weight / w[chosen])) / weight.sum()
    return parts
