"""What members answer: votes, probabilities or numbers, row by row or node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hornbook.base import member_answers, member_proba, member_rows
from hornbook.ensembles.forests._fitted_forest import FittedForest, cells_of, joined_nodes
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees import DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor, class_probabilities

__all__ = ["Kind", "all_numbers", "are_trees", "each_output", "node_outputs", "outputs", "summed", "tree_sum"]

# Classes as codes, probabilities of all classes, or numbers.
Kind: TypeAlias = Literal["votes", "probabilities", "numbers"]

# What the output of member i adds to the scores, a row for each row of the output; i may differ by row.
Contribution: TypeAlias = Callable[[NDArray[Any], Any], Floats]

TREES = (DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor)

# What joined trees depend on, read without a loop in Python.
_TREE_TYPES = frozenset(TREES)
_TREE, _NUMBER_RULES = attrgetter("nodes_"), attrgetter("missing")
_CLASS_RULES = attrgetter("missing", "leaf_smoothing")


def outputs(member: Any, rows: Any, kind: Kind, n_classes: int) -> NDArray[Any]:
    """What a member, fitted on class codes or numbers, answers to converted rows."""
    if kind == "probabilities":
        return member_proba(member, rows, n_classes)
    answers = member_answers(member, rows)
    return answers.astype(np.intp) if kind == "votes" else answers


def are_trees(members: Sequence[Any]) -> bool:
    """Whether every row ends in one node of each member, whose values are then all there is to know."""
    return all(type(member) in TREES and member.missing == "direction" for member in members)


def node_outputs(member: Any, kind: Kind, n_classes: int) -> NDArray[Any]:
    """What a tree answers to rows that end in a node, a row for each node."""
    values = member._node_values()  # noqa: SLF001 - a tree of this library
    if kind == "numbers":
        return np.asarray(values[:, 0])
    if kind == "votes":
        return np.asarray(member.classes_[values.argmax(axis=1)], dtype=np.intp)
    whole = np.zeros((len(values), n_classes))
    # Classes that a drawn sample lacked have probability 0.
    whole[:, member.classes_] = values
    return whole


def all_node_outputs(members: Sequence[Any], kind: Kind, n_classes: int) -> NDArray[Any]:
    """What trees answer by node, one tree below the other."""
    if kind == "numbers":
        return np.concatenate([member.nodes_.value[:, 0] for member in members])
    first, smoothings = members[0], {member.leaf_smoothing for member in members}
    # Members that lack a class, or smooth differently, have different columns and go one by one.
    if len(smoothings) > 1 or not all(_knows_all(member, n_classes) for member in members):
        return np.concatenate([node_outputs(member, kind, n_classes) for member in members])
    counts = np.concatenate([member.nodes_.value for member in members])
    values = class_probabilities(counts, first._evenly(first.leaf_smoothing))  # noqa: SLF001
    return np.asarray(values.argmax(axis=1)) if kind == "votes" else values


def _knows_all(member: Any, n_classes: int) -> bool:
    """Whether there were rows of all classes among those that a member has learned from."""
    return len(member.classes_) == n_classes and "absent_classes_" not in vars(member)


def summed(
    members: Sequence[Any],
    frame: Frame,
    kind: Kind,
    n_classes: int,
    contribution: Contribution,
    n_threads: int,
) -> Floats:
    """Sum of the contributions of all members to the scores of rows."""
    joined = _joined_trees(members, kind, n_classes)
    if joined is not None:
        # One pass of the forest kernel over all trees, with alpha already inside the values of the
        # leaves.
        values = contribution(joined.outputs, joined.which)
        return joined.forest.total(cells_of(_tree_rows(members[0], frame)), values, n_threads)
    parts = (contribution(out, i) for i, out in enumerate(each_output(members, frame, kind, n_classes, 1)))
    # In the order of the members, so that the sum is the same on any number of threads.
    total = next(parts)
    for part in parts:
        total = total + part
    return total


def tree_sum(members: Sequence[Any], frame: Frame, kind: Kind, n_classes: int) -> Floats | None:
    """Sum of the votes, probabilities or numbers of all members, of few rows; None if they are no trees."""
    joined = _joined_trees(members, kind, n_classes)
    if joined is None:
        return None
    ends = joined.outputs[joined.forest.apply(_tree_rows(members[0], frame), 1)]
    if kind == "votes":
        ends = np.eye(n_classes)[ends]
    one_by_one = ends.reshape(*ends.shape[:2], -1).cumsum(axis=1)  # sum() would take them in another order
    return np.asarray(one_by_one[:, -1])


@dataclass(frozen=True)
class _JoinedTrees:
    """Trees as one forest, what their nodes answer, and the member of each node."""

    signature: tuple[Any, ...]
    trees: list[Any]  # kept, so that no other tree gets their identity
    forest: FittedForest
    outputs: NDArray[Any]
    which: NDArray[np.intp]


# By first member. Joining trees takes longer than the prediction of a row, and they are the same every time.
_JOINED: WeakKeyDictionary[Any, _JoinedTrees] = WeakKeyDictionary()


def _joined_trees(members: Sequence[Any], kind: Kind, n_classes: int) -> _JoinedTrees | None:
    """The trees of all members; None if they are no trees."""
    if not set(map(type, members)) <= _TREE_TYPES:
        return None
    known = _JOINED.get(members[0])
    rules = _NUMBER_RULES if kind == "numbers" else _CLASS_RULES
    # The identities of the trees, not their contents: `trees` keeps them alive, so an id is not reused.
    signature = (kind, n_classes, list(map(id, map(_TREE, members))), list(map(rules, members)))
    if known is not None and known.signature == signature:
        return known
    if not are_trees(members):
        return None
    trees = [member.nodes_ for member in members]
    which = np.repeat(np.arange(len(members)), [len(tree.kind) for tree in trees])
    outputs = all_node_outputs(members, kind, n_classes)
    joined = _JoinedTrees(signature, trees, _joined(members, np.zeros((0, 0))), outputs, which)
    _JOINED[members[0]] = joined
    return joined


def each_output(
    members: Sequence[Any], frame: Frame, kind: Kind, n_classes: int, n_threads: int
) -> Iterator[NDArray[Any]]:
    """What one member after the other answers to rows."""
    if are_trees(members):
        values = all_node_outputs(members, kind, n_classes)
        for nodes in _ends(members, frame, n_threads).T:
            yield values[nodes]
        return
    rows = member_rows(members[0], frame)
    for member in members:
        yield outputs(member, rows, kind, n_classes)


def all_numbers(members: Sequence[Any], frame: Frame, n_threads: int) -> Floats:
    """What members answer to rows, a column for each."""
    joined = _joined_trees(members, "numbers", 0)
    if joined is not None:
        return np.asarray(joined.outputs[joined.forest.apply(_tree_rows(members[0], frame), n_threads)])
    return np.column_stack(list(each_output(members, frame, "numbers", 0, n_threads)))


def _ends(members: Sequence[Any], frame: Frame, n_threads: int) -> NDArray[np.int32]:
    """Node of the joined trees that each row ends in, a column for each tree."""
    return _joined(members, np.zeros((0, 0))).apply(_tree_rows(members[0], frame), n_threads)


def _joined(members: Sequence[Any], values: Floats) -> FittedForest:
    """The trees of all members as one forest, with these values of the nodes."""
    return FittedForest(**joined_nodes([member.nodes_ for member in members]), value=values)


def _tree_rows(member: Any, frame: Frame) -> Frame:
    coded: Frame = member._coded(frame)  # noqa: SLF001
    return coded
