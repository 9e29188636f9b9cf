"""Members learn from weighted or drawn rows, which are converted or coded once for all of them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Learner, Prepared, prepare
from hornbook.ensembles.adaboost._member_outputs import TREES, Kind, node_outputs, outputs
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees import (
    FittedTree,
    Grower,
    GrowerSettings,
    SampleSize,
    StumpGrower,
    as_categorical,
    columns_with_gaps,
    settings_of,
    target_of,
)

__all__ = ["MemberEngine", "engine_for"]


class MemberEngine(Protocol):
    """Fits one member after the other on the same rows."""

    def fit(
        self, y: NDArray[Any], w: Floats | None, counts: NDArray[np.intp] | None, seed: int
    ) -> tuple[Any, NDArray[Any]]:
        """Return a member fitted with weights, or on rows counted as often as they were drawn.

        The second result is what it answers to all rows.
        """


@dataclass(frozen=True)
class AnyMemberEngine:
    """Members of any kind.

    Parameters
    ----------
    prepared : Prepared
        The rows in the form that the members want.
    kind : {"votes", "probabilities", "numbers"}
        What is asked of the members.
    n_classes : int
        Number of classes.
    """

    prepared: Prepared
    kind: Kind
    n_classes: int

    def fit(
        self, y: NDArray[Any], w: Floats | None, counts: NDArray[np.intp] | None, seed: int
    ) -> tuple[Any, NDArray[Any]]:
        """Fit a clone of the estimator."""
        # A learner that takes no weights gets its rows repeated.
        rows = None if counts is None else np.repeat(np.arange(len(counts)), counts)
        member = self.prepared.fit(y, w, rows, seed)
        return member, outputs(member, self.prepared.data, self.kind, self.n_classes)


@dataclass(frozen=True)
class TreeMemberEngine:
    """Trees, grown on a table that is coded once; each equals the tree that `AnyMemberEngine` fits.

    Parameters
    ----------
    prepared : Prepared
        The learner and its rows.
    frame : Frame
        The rows with marked numbers as categories.
    settings : GrowerSettings
        How trees are grown.
    grower : Grower
        Grows them.
    stumps : StumpGrower, optional
        Grows them faster, if it can.
    gaps : ndarray of bool
        Which columns lack values.
    kind : {"votes", "probabilities", "numbers"}
        What is asked of the members.
    n_classes : int
        Number of classes.
    """

    prepared: Prepared
    frame: Frame
    settings: GrowerSettings
    grower: Grower
    stumps: StumpGrower | None
    gaps: NDArray[np.bool_]
    kind: Kind
    n_classes: int

    @staticmethod
    def of(prepared: Prepared, kind: Kind, n_classes: int, n_threads: int) -> TreeMemberEngine:
        """Code the table."""
        learner: Any = prepared.pattern
        frame = as_categorical(prepared.data, learner.categorical_features)
        settings = settings_of(learner)
        size = SampleSize.of(None, len(frame))
        # Coded without weights: bins or ranks are those of the table and the same for every round.
        grower = Grower.of(frame, settings, size, bin_weights=None, seed=0, n_threads=n_threads)
        stumps = StumpGrower.of(grower, frame, settings, 0 if kind == "numbers" else n_classes)
        gaps = columns_with_gaps(frame)
        return TreeMemberEngine(prepared, frame, settings, grower, stumps, gaps, kind, n_classes)

    def fit(
        self, y: NDArray[Any], w: Floats | None, counts: NDArray[np.intp] | None, seed: int
    ) -> tuple[Any, NDArray[Any]]:
        """Grow a tree."""
        # Trees take counts as weights, which saves building the drawn table.
        weights = w if counts is None else counts.astype(np.float64)
        tree, leaves = self._grown(y, weights, seed)
        member = self._member(tree, seed)
        # Every training row is in a leaf already: predictions are a lookup, no second descent.
        return member, node_outputs(member, self.kind, self.n_classes)[leaves]

    def _grown(self, y: NDArray[Any], w: Floats | None, seed: int) -> tuple[FittedTree, NDArray[np.int32]]:
        options = self.settings.options(self.frame.schema, SampleSize.of(w, len(y)))
        classes = 0 if self.kind == "numbers" else self.n_classes
        target = target_of(y, classes, w, options.criterion)
        if self.stumps is not None:
            return self.stumps.tree_and_leaves(target)
        grower = Grower(
            self.grower.table, options, seed=seed, n_threads=self.grower.n_threads, frame=self.frame
        )
        return grower.tree_and_leaves(target)

    def _member(self, tree: FittedTree, seed: int) -> Any:
        member: Any = copy(self.prepared.pattern)  # its parameters are plain values, and clones take longer
        member.random_state = seed
        if self.kind != "numbers":
            member.classes_ = np.arange(self.n_classes, dtype=np.int32)
        member.nodes_, member.tree_schema_, member.tree_gaps_ = tree, self.frame.schema, self.gaps
        return member


def engine_for(
    estimator: Any,
    frame: Frame,
    w: Floats | None,
    kind: Kind,
    n_classes: int,
    *,
    drawn: bool,
    n_threads: int,
    container: Any = None,
) -> MemberEngine:
    """The fastest way to fit members; ``container`` is the type of the sparse matrix of the rows."""
    task: Literal["classification", "regression"] = "regression" if kind == "numbers" else "classification"
    prepared = prepare(estimator, frame, w, task, container)
    if _grows_plainly(prepared.pattern, drawn=drawn):
        return TreeMemberEngine.of(prepared, kind, n_classes, n_threads)
    return AnyMemberEngine(prepared, kind, n_classes)


# Bins by weight, pruning on weights or class weights would make a tree depend on more than growth;
# limits in rows count drawn duplicates, which weights cannot express.
def _grows_plainly(learner: Learner, *, drawn: bool) -> bool:
    """Whether a fit of the learner is nothing but growth on rows of any weight.

    Bins and held-out rows depend on the weights, and limits on rows count those that were drawn repeatedly.
    """
    if type(learner) not in TREES:
        return False
    chosen = learner.get_params(deep=False)
    plain = {
        "max_bins": None,
        "missing": "direction",
        "pruning": None,
        "ccp_alpha": 0.0,
        "class_weight": None,
    }
    if drawn:
        plain |= {"min_samples_split": 2, "min_samples_leaf": 1}
    return all(chosen.get(name, value) == value for name, value in plain.items())
