"""From the parameters of a learner to the options of the grower."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from hornbook import _native
from hornbook.base import Learner
from hornbook.frame import Schema
from hornbook.params import Floats
from hornbook.trees._monotone import directions_of
from hornbook.trees._parameters import MaxFeatures, Missing, SplitRule, Splits, Thresholds

__all__ = ["GrowerSettings", "SampleSize", "count_of", "feature_count", "settings_of", "warn_of_friedman"]

_ALIASES = {"log_loss": "entropy", "gain": "entropy"}
# Friedman's improvement (2001, equation 35), w_l w_r / (w_l + w_r) times the squared difference of the means,
# is the decrease of the sum of squares: within a node both have the same best split.
_SAME = {"friedman_mse": "squared_error"}
_FOR_SEVERAL = ("gini", "entropy", "log_loss", "gain", "squared_error", "absolute_error", "poisson")
# The largest number of the kernel's signed counters, which none of them reaches.
_UNLIMITED = 2**63 - 1
_CALLER = 5  # frames up to the one that calls fit


@dataclass(frozen=True)
class SampleSize:
    """Number and weight of the rows of a tree.

    Parameters
    ----------
    n_rows : int
        Number of rows of positive weight.
    weight : float
        Their total weight.
    lightest : float, optional
        Smallest weight of a row; the mean when it is not known.
    """

    n_rows: int
    weight: float
    lightest: float | None = None

    @staticmethod
    def of(w: Floats | None, n_rows: int) -> SampleSize:
        """The size of all rows of positive weight."""
        if w is None:
            return SampleSize(n_rows, float(n_rows), 1.0)
        positive = w > 0
        return SampleSize(int(positive.sum()), float(w.sum()), float(w[positive].min()))


@dataclass(frozen=True)
class GrowerSettings:
    """How trees are grown: the parameters of learners that grow them, under the same names.

    A parameter that a learner lacks has the default given here: no limit, and no random draws.

    Parameters
    ----------
    learner : str
        Name of the learner, for messages.
    criterion, beta, splits, subset_size, missing, thresholds
        How a node is split.
    split, top_k, max_random_splits
        Which of the splits is taken.
    max_features, subspace
        The columns that compete.
    draw_order : bool
        Whether columns are searched in random order, so that equal gains may go to any of them.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, leaf_size, purity
        When a node is a leaf.
    min_gain, min_impurity_decrease, max_leaf_nodes
        Which splits are made.
    l2, gamma : float
        For gradient pairs, lambda and gamma of Chen and Guestrin (2016): the penalty added to the hessian of
        a node, and the bound that half the total gain of a split must exceed.
    l1 : float
        For gradient pairs on bins, alpha of XGBoost: what is taken off the absolute gradient of a node.
    quantize : bool
        For gradient pairs on bins of at least 65536 rows: round the pairs to 8 bits at random, keyed by seed,
        tree and row, to find splits faster. Values of nodes always come from the pairs themselves.
    columns_per_tree, columns_per_level : float
        The share of the columns that a tree draws, and of those the share that each level draws (for gradient
        pairs on bins). If ``max_features`` is a share, it is one of the columns that are left.
    monotone : sequence of int or dict, optional
        For each column, or by name: 1 where values must not fall as the column rises, -1 where they must not
        rise, 0 for no constraint. Gradient pairs need bins for it.
    interactions : sequence of sequences of int, optional
        For gradient pairs on bins: sets of columns, by position, that may be used together on a path from the
        root to a leaf. Columns in no set form one more.
    ccp_alpha : float
        Cost of a leaf in cost-complexity pruning.
    max_bins : int, optional
        Most bins of a numeric column.
    """

    learner: str
    criterion: str
    beta: float = 2.0
    splits: Splits = "binary"
    subset_size: int | None = None
    missing: Missing = "direction"
    thresholds: Thresholds = "best"
    split: SplitRule = "best"
    top_k: int = 1
    max_random_splits: int | None = None
    max_features: MaxFeatures = None
    subspace: Literal["node", "tree"] = "node"
    draw_order: bool = False
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    leaf_size: float | None = None
    purity: float | None = None
    min_gain: float | None = None
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    l2: float = 0.0
    gamma: float = 0.0
    l1: float = 0.0
    quantize: bool = False
    columns_per_tree: float = 1.0
    columns_per_level: float = 1.0
    monotone: Sequence[int] | Mapping[str, int] | None = None
    interactions: Sequence[Sequence[int]] | None = None
    ccp_alpha: float = 0.0
    max_bins: int | None = None

    @property
    def sums_exactly(self) -> bool:
        """Whether the target is summed in fixed point, so that histogram sums do not depend on the order."""
        # Fractions of rows are multiples of no common unit, and a median is not a sum.
        parts = self.missing == "fractional" or self.criterion in ("absolute_error", "poisson")
        return self.max_bins is not None and not parts

    @property
    def needs_all_rows(self) -> bool:
        """Whether growth needs more than sums over the rows of a node."""
        # Both limits count splits in the order in which a tree grows, but passes open all nodes of a level at
        # once.
        in_order = self.max_leaf_nodes is not None or self.max_random_splits is not None
        return not self.sums_exactly or in_order or self.monotone is not None

    def options(self, schema: Schema, size: SampleSize) -> _native.TreeOptions:
        """The options of the grower for trees on rows of this size."""
        self._refuse_contradictions()
        options = self._split_options()
        if self.max_features is not None:
            options.max_features = feature_count(self.max_features, schema, self.learner)
        if self.subspace == "tree":
            # Ho's random subspaces: the draw is made once for the tree, and nodes then use all that it has.
            options.columns_per_tree, options.max_features = options.max_features, _UNLIMITED
        self._constrain(options, schema)
        options.max_depth = _UNLIMITED if self.max_depth is None else self.max_depth
        options.max_leaf_nodes = _UNLIMITED if self.max_leaf_nodes is None else self.max_leaf_nodes
        options.min_samples_split = count_of(self.min_samples_split, size.n_rows, 2)
        options.min_samples_leaf = count_of(self.min_samples_leaf, size.n_rows, 1)
        options.min_weight_leaf = self.min_weight_fraction_leaf * size.weight
        options.min_impurity_decrease = self.min_impurity_decrease
        for name in ("leaf_size", "purity", "min_gain"):
            limit = getattr(self, name)
            if limit is not None:
                setattr(options, name, limit)
        if options.fractional:
            # Where rows go down in fractions, nodes lighter than the lightest row are leaves: otherwise tiny
            # fractions of the same rows are split again and again, and dominate the tree.
            whole = size.weight / size.n_rows if size.lightest is None else size.lightest
            options.leaf_size = max(options.leaf_size, (1.0 - 1e-9) * min(1.0, whole))
        return options

    def _constrain(self, options: _native.TreeOptions, schema: Schema) -> None:
        """Set which columns trees may use, and in which direction."""
        # Each share is of the columns that the draw before has left, as in XGBoost: by tree, then level, then
        # node.
        left = n_columns = len(schema)
        for name in ("columns_per_tree", "columns_per_level"):
            if (share := getattr(self, name)) < 1.0:
                left = max(1, int(share * left))
                setattr(options, name, left)
        if left < n_columns and isinstance(self.max_features, float) and self.subspace == "node":
            options.max_features = max(1, int(self.max_features * left))
        if (signs := directions_of(self.monotone, schema, self.learner)) is not None:
            options.monotone = signs
        if self.interactions is not None:
            sets = [sorted(int(j) for j in columns) for columns in self.interactions]
            # Columns in no set may interact with each other, as in scikit-learn.
            rest = sorted(set(range(n_columns)) - {j for columns in sets for j in columns})
            options.interactions = [*sets, rest] if rest else sets

    def _split_options(self) -> _native.TreeOptions:
        options = _native.TreeOptions()
        options.criterion = _ALIASES.get(self.criterion, self.criterion)
        if self.split == "proportional" and self.criterion == "gain_ratio":
            options.criterion = "raw_gain_ratio"  # of each candidate alone: no columns are compared
        options.beta = self.beta
        options.l2, options.gamma = self.l2, self.gamma
        options.l1, options.quantize = self.l1, self.quantize
        options.multiway = self.splits == "multiway"
        options.fractional = self.missing == "fractional"
        options.subset_size = self.subset_size or 0
        options.random_thresholds = self.thresholds == "random"
        options.pick, options.top_k = self.split, self.top_k
        options.draw_order = self.draw_order
        return options

    def _refuse_contradictions(self) -> None:
        """Reject parameters that contradict each other, and splits of a single row."""
        fewest = self.min_samples_split
        if isinstance(fewest, int | np.integer) and fewest < 2:
            raise ValueError(
                f"{self.learner}: parameter 'min_samples_split' is {fewest}, but one row cannot be split: "
                "choose an integer of at least 2, or a float for a fraction of the rows, such as 1.0."
            )
        if self.splits == "multiway" and self.criterion == "cart":
            raise ValueError(
                f"{self.learner}: criterion='cart' compares two branches, and splits='multiway' may make "
                "more: choose splits='binary' or another criterion."
            )
        if self.splits == "multiway" and self.subset_size is not None:
            raise ValueError(
                f"{self.learner}: subset_size={self.subset_size} limits sets of levels, and "
                "splits='multiway' makes none: choose splits='binary', or leave subset_size out."
            )
        others = {"splits": "multiway", "missing": "fractional"}
        for name, value in others.items() if self.monotone is not None else ():
            if getattr(self, name) == value:
                raise ValueError(
                    f"{self.learner}: parameter 'monotonic_cst' is for splits in two and whole rows, "
                    f"but {name} is {value!r}: choose another {name}, or leave monotonic_cst out."
                )

    @property
    def takes_several(self) -> bool:
        """Whether trees can be grown for several targets at once."""
        return self.criterion in _FOR_SEVERAL and self.monotone is None

    def refuse_several(self) -> None:
        """Reject what only one target can have."""
        if self.criterion not in _FOR_SEVERAL:
            raise ValueError(
                f"{self.learner}: criterion={self.criterion!r} is for one target, and y has several: choose "
                f"one of {', '.join(map(repr, _FOR_SEVERAL))}."
            )
        if self.monotone is not None:
            raise ValueError(
                f"{self.learner}: parameter 'monotonic_cst' is for one target, and y has several "
                "(Monotonicity constraints are not supported with multiple output): leave it out, or fit one "
                "learner for each column of y."
            )

    def refuse_classes(self, n_classes: int) -> None:
        """Reject directions where there is no one number that could follow them."""
        if self.monotone is not None and n_classes > 2:
            raise ValueError(
                f"{self.learner}: parameter 'monotonic_cst' is for numbers and two classes, but there are "
                f"{n_classes} (Monotonicity constraints are not supported with multiclass classification): "
                "leave it out."
            )


_NAMES = tuple(field.name for field in fields(GrowerSettings) if field.name != "learner")


def settings_of(learner: Learner) -> GrowerSettings:
    """The settings that follow from the parameters and class attributes of a learner."""
    chosen = {name: getattr(learner, name) for name in _NAMES if hasattr(learner, name)}
    if hasattr(learner, "splitter"):  # the name of scikit-learn's trees
        chosen["thresholds"] = learner.splitter
    if hasattr(learner, "monotonic_cst"):
        chosen["monotone"] = learner.monotonic_cst
    chosen["criterion"] = _SAME.get(chosen["criterion"], chosen["criterion"])
    return GrowerSettings(type(learner).__name__, **chosen)


def warn_of_friedman(learner: Learner) -> None:
    """Say that a criterion has two names, as scikit-learn does from 1.9 on."""
    if getattr(learner, "criterion", None) == "friedman_mse":
        warnings.warn(
            f"{type(learner).__name__}: criterion='friedman_mse' is the same as 'squared_error', and "
            "scikit-learn will drop the name: set criterion='squared_error'.",
            FutureWarning,
            stacklevel=_CALLER,
        )


def count_of(number: float, n_rows: int, least: int) -> int:
    """A number of rows: an integer as it is, a fraction of all rows rounded up."""
    # Rounded up, as in scikit-learn: 1.0 is all rows, and 1 is one row.
    return int(number) if isinstance(number, int | np.integer) else max(least, math.ceil(number * n_rows))


def feature_count(max_features: MaxFeatures, schema: Schema, learner: str) -> int:
    """Number of columns that compete in a node."""
    n = len(schema)
    if max_features is None:
        return n
    if isinstance(max_features, str):
        part = {"sqrt": math.sqrt(n), "log2": math.log2(n), "third": n / 3}[max_features]
        return max(1, int(part))
    if isinstance(max_features, int | np.integer):
        if max_features > n:
            raise ValueError(
                f"{learner}: parameter 'max_features' is {max_features}, but the table has {n} columns: "
                "choose a smaller number, or None for all."
            )
        return int(max_features)
    return max(1, int(max_features * n))
