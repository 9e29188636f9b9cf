"""Folds in which all rows of a group, such as a patient or a text, stay together."""

from __future__ import annotations

import heapq
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metadata_routing import MetadataRequest

from hornbook.evaluation.splits._kfold import Dealer, Folds, FoldSplit, Rows
from hornbook.evaluation.splits._strata import strata_of_classes
from hornbook.frame import Frame
from hornbook.params import Seed

__all__ = ["GroupKFold", "StratifiedGroupKFold"]


class GroupSplit(FoldSplit):
    """A split that requests groups from scikit-learn."""

    def get_metadata_routing(self) -> MetadataRequest:
        """Request the groups for ``split`` in scikit-learn's metadata routing."""
        request = MetadataRequest(owner=self)
        request.split.add_request(param="groups", alias=True)
        return request


@dataclass(frozen=True)
class GroupKFold(GroupSplit):
    """Split the rows into folds of about equal size and keep every group whole.

    Groups are assigned from the largest to the smallest, each to the fold with the fewest rows so far, so
    that fold sizes differ by at most the largest group.

    Parameters
    ----------
    n_splits : int, default 5
        Number of folds; there must be at least as many groups.
    shuffle : bool, default False
        Whether groups of equal size are assigned in random order. scikit-learn shuffles all groups, even when
        that makes the folds unequal.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> patients = np.repeat(["ann", "bob", "cy", "dee"], [60, 40, 30, 10])
    >>> folds = GroupKFold(2).split(np.zeros((140, 4)), groups=patients)
    >>> [np.unique(patients[test]).tolist() for _, test in folds]
    [['ann', 'dee'], ['bob', 'cy']]
    """

    n_splits: Folds = 5
    _: KW_ONLY
    shuffle: bool = False
    random_state: Seed = None

    def _dealer(self, X: Any, y: NDArray[Any] | None, groups: NDArray[Any] | None) -> Dealer:  # noqa: ARG002 (groups are all that counts)
        codes = _group_codes(groups, self)
        sizes = np.bincount(codes)

        def deal(order: Rows) -> Rows:
            # longest processing time first (Graham, 1969): no fold ends up far above the mean size
            queue = _in_order(codes, order)
            queue = queue[np.argsort(-sizes[queue], kind="stable")]
            fold_of_group = np.empty(len(sizes), dtype=np.intp)
            # All loads are 0, so the list is a heap as it stands; ties go to the fold with the lower
            # number.
            folds = [(0, fold) for fold in range(self.n_splits)]
            for group in queue.tolist():
                load, fold = folds[0]
                fold_of_group[group] = fold
                heapq.heapreplace(folds, (load + int(sizes[group]), fold))
            return fold_of_group[codes]

        return deal


@dataclass(frozen=True)
class StratifiedGroupKFold(GroupSplit):
    """Split the rows into folds with similar class proportions and keep every group whole.

    The groups with the most uneven classes are assigned first, each to the fold where its classes are rarest
    so far (the sum over classes of the squared shares of the folds grows least).

    Parameters
    ----------
    n_splits : int, default 5
        Number of folds; there must be at least as many groups, and as many rows of each class.
    shuffle : bool, default False
        Whether equally uneven groups are assigned in random order.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Examples
    --------
    >>> y, patients = np.repeat([0, 1, 0, 1], 20), np.repeat([1, 2, 3, 4], 20)
    >>> folds = StratifiedGroupKFold(2).split(np.zeros((80, 4)), y, patients)
    >>> [np.bincount(y[test]).tolist() for _, test in folds]
    [[20, 20], [20, 20]]
    """

    n_splits: Folds = 5
    _: KW_ONLY
    shuffle: bool = False
    random_state: Seed = None

    def _dealer(self, X: Any, y: NDArray[Any] | None, groups: NDArray[Any] | None) -> Dealer:  # noqa: ARG002 (classes and groups are all that counts)
        codes = _group_codes(groups, self)
        who = type(self).__name__
        strata = strata_of_classes(y, who)
        strata.require(self.n_splits, who, f"each of n_splits={self.n_splits} folds needs one")
        n_classes = len(strata.names)
        counts = np.bincount(codes * n_classes + strata.codes, minlength=(codes.max() + 1) * n_classes)
        counts = counts.reshape(-1, n_classes)

        def deal(order: Rows) -> Rows:
            # Groups with the most uneven classes first: they are the hardest to balance later.
            queue = _in_order(codes, order)
            queue = queue[np.argsort(-counts[queue].std(axis=1), kind="stable")]
            return _balanced(counts, queue, self.n_splits)[codes]

        return deal


def _balanced(counts: NDArray[np.intp], queue: Rows, n_splits: int) -> Rows:
    """Assign each group to a fold; counts[group, class] are rows."""
    # Adding g to the load l of a fold raises the sum of squares by 2 l·g + g·g: least where l·g is least.
    # Each class is weighted by 1 / n_c^2, so a rare class counts as much as a frequent one.
    worth = counts / np.square(counts.sum(axis=0), dtype=np.float64)
    loads = np.zeros((n_splits, counts.shape[1]), dtype=np.intp)
    fold_of_group = np.empty(len(counts), dtype=np.intp)
    for group in queue.tolist():
        fold = np.lexsort((loads.sum(axis=1), loads @ worth[group]))[0]  # ties go to the smaller fold
        fold_of_group[group] = fold
        loads[fold] += counts[group]
    return fold_of_group


def _group_codes(groups: NDArray[Any] | None, splitter: FoldSplit) -> Rows:
    who = type(splitter).__name__
    if groups is None:
        raise ValueError(f"{who}: needs the group of each row: pass groups, or a Frame with group=.")
    if groups.ndim != 1:
        raise ValueError(f"{who}: groups must be one column; got an array of shape {groups.shape}.")
    # Through a Frame, so that strings, categories and numbers get codes by the same rules as columns
    # do.
    frame = Frame({"group": groups})
    column = frame.column(0)
    missing = np.isnan(column) if frame.schema.kinds[0] == "numeric" else column < 0
    if missing.any():
        raise ValueError(f"{who}: groups is missing in row {int(missing.argmax())}: give every row a group.")
    levels, codes = np.unique(column, return_inverse=True)
    if len(levels) < splitter.n_splits:
        raise ValueError(
            f"{who}: n_splits={splitter.n_splits} folds need at least as many groups; got {len(levels)}: "
            "use fewer folds."
        )
    return codes.astype(np.intp, copy=False)


def _in_order(codes: Rows, order: Rows) -> Rows:
    """Return the groups in the order of their first rows."""
    _, first = np.unique(codes[order], return_index=True)
    return np.argsort(first)
