"""From the parameters of a learner to the options of the grower."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.base import Floats
from hornbook.frame import Frame, Schema
from hornbook.params import Range, Tune
from hornbook.trees._fitted import FittedTree

__all__ = [
    "Categorical",
    "ClassCriterion",
    "MaxBins",
    "MaxFeatures",
    "MaxLeaves",
    "MinLeaf",
    "MinShare",
    "MinSplit",
    "Missing",
    "NotNegative",
    "NumberCriterion",
    "Purity",
    "SubsetSize",
    "as_categorical",
    "code_frame",
    "count_of",
    "grow",
    "refuse_squares",
    "refuse_weights",
    "setting",
    "stopping",
    "tree_options",
]

ClassCriterion: TypeAlias = Literal[
    "gini",
    "entropy",
    "log_loss",
    "gain",
    "gain_ratio",
    "raw_gain_ratio",
    "symmetric_gain_ratio",
    "symmetric_gain_ratio_sum",
    "cart",
    "quadratic_gain",
    "daroczy",
    "misclassification",
]
NumberCriterion: TypeAlias = Literal["squared_error", "absolute_error"]
MinSplit: TypeAlias = (
    Annotated[int, Range(low=2), Tune(2, 64, log=True)] | Annotated[float, Range(0.0, 1.0, open_low=True)]
)
MinLeaf: TypeAlias = (
    Annotated[int, Range(low=1), Tune(1, 64, log=True)]
    | Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)]
)
MinShare: TypeAlias = Annotated[float, Range(0.0, 0.5)]
MaxFeatures: TypeAlias = (
    Annotated[int, Range(low=1)]
    | Annotated[float, Range(0.0, 1.0, open_low=True)]
    | Literal["sqrt", "log2", "third"]
    | None
)
MaxLeaves: TypeAlias = Annotated[int, Range(low=2)] | None
MaxBins: TypeAlias = Annotated[int, Range(low=2, high=65535)] | None
NotNegative: TypeAlias = Annotated[float, Range(low=0.0)]
Purity: TypeAlias = Annotated[float, Range(0.0, 1.0, open_low=True)] | None
SubsetSize: TypeAlias = Annotated[int, Range(low=1)] | None
Missing: TypeAlias = Literal["direction", "fractional"]
Categorical: TypeAlias = Sequence[Any] | NDArray[Any] | None

_SAME = {"log_loss": "entropy", "gain": "entropy"}
_UNLIMITED = 2**63 - 1
LARGEST_SPREAD = 1e140  # squares, and sums of many of them, stay below 1e308


def as_categorical(frame: Frame, columns: Categorical) -> Frame:
    """The frame with some numeric columns as categories; given by names, positions or marks."""
    if columns is None:
        return frame
    chosen = np.asarray(columns)
    if chosen.dtype == np.bool_:
        if chosen.shape != (len(frame.schema),):
            raise ValueError(
                f"categorical_features marks {len(chosen)} columns, but the table has {len(frame.schema)}: "
                "give one mark for each, or names."
            )
        chosen = np.flatnonzero(chosen)
    # Of columns that are categories already nothing has to change.
    wanted = [frame.schema.position(key) for key in chosen.tolist()]
    kinds: dict[str | int, str | Sequence[Any]] = {
        j: "nominal" for j in wanted if frame.schema.columns[j].kind == "numeric"
    }
    return Frame(frame, kinds=kinds) if kinds else frame


def code_frame(frame: Frame, w: Floats | None, max_bins: int | None, n_threads: int) -> _native.CodedTable:
    """Columns as rank codes, once for all trees."""
    columns = frame.schema.columns
    levels = [-1 if column.kind == "numeric" else len(column.levels) for column in columns]
    return _native.code_table(
        [frame.column(j) for j in range(len(columns))],
        np.array(levels, dtype=np.int32),
        np.array([column.kind == "nominal" for column in columns]),
        w,
        max_bins or 0,
        n_threads,
    )


def count_of(number: float, n_rows: int, least: int) -> int:
    """A number of rows: an integer as it is, a fraction of all rows rounded up."""
    return int(number) if isinstance(number, int | np.integer) else max(least, math.ceil(number * n_rows))


def feature_count(max_features: MaxFeatures, schema: Schema, learner: str) -> int:
    """Number of columns to look at in a node."""
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


# What a learner without that parameter has.
_DEFAULTS: dict[str, Any] = {
    "beta": 2.0,
    "ccp_alpha": 0.0,
    "leaf_size": None,
    "max_features": None,
    "max_leaf_nodes": None,
    "min_gain": None,
    "min_impurity_decrease": 0.0,
    "min_samples_leaf": 1,
    "min_samples_split": 2,
    "min_weight_fraction_leaf": 0.0,
    "pruning": None,
    "purity": None,
    "random_state": 0,
    "subset_size": None,
    "thresholds": "best",
}


def setting(model: Any, name: str) -> Any:
    """A parameter of a learner, or what learners without it have."""
    return getattr(model, name, _DEFAULTS[name])


def stopping(model: Any) -> _native.TreeOptions:
    """Options with the criterion of a learner, and what it says a node needs to be split."""
    options = _native.TreeOptions()
    options.criterion = _SAME.get(model.criterion, model.criterion)
    options.beta = setting(model, "beta")
    for name in ("leaf_size", "purity", "min_gain"):
        given = setting(model, name)
        if given is not None:
            setattr(options, name, given)
    return options


def tree_options(
    model: Any, schema: Schema, n_rows: int, weight: float, lightest: float | None = None
) -> _native.TreeOptions:
    """The options of the grower that belong to the parameters of a learner.

    `lightest` is the smallest weight of a row, the mean when it is not known. Where rows go down in parts,
    nodes that hold less than that are leaves: otherwise crumbs of the same rows are split again and again,
    and outnumber everything else.
    """
    _refuse_contradictions(model)
    options = stopping(model)
    options.multiway = model.splits == "multiway"
    options.fractional = model.missing == "fractional"
    options.subset_size = setting(model, "subset_size") or 0
    options.random_thresholds = setting(model, "thresholds") == "random"
    options.max_features = feature_count(setting(model, "max_features"), schema, type(model).__name__)
    options.max_depth = _UNLIMITED if model.max_depth is None else model.max_depth
    most = setting(model, "max_leaf_nodes")
    options.max_leaf_nodes = _UNLIMITED if most is None else most
    options.min_samples_split = count_of(setting(model, "min_samples_split"), n_rows, 2)
    options.min_samples_leaf = count_of(setting(model, "min_samples_leaf"), n_rows, 1)
    options.min_weight_leaf = setting(model, "min_weight_fraction_leaf") * weight
    options.min_impurity_decrease = setting(model, "min_impurity_decrease")
    if options.fractional:
        whole = weight / n_rows if lightest is None else lightest
        options.leaf_size = max(options.leaf_size, (1.0 - 1e-9) * min(1.0, whole))
    return options


def _refuse_contradictions(model: Any) -> None:
    """Refuse parameters of which one says that the other does nothing, and splits of a single row."""
    learner = type(model).__name__
    fewest = setting(model, "min_samples_split")
    if isinstance(fewest, int | np.integer) and fewest < 2:
        raise ValueError(
            f"{learner}: parameter 'min_samples_split' is {fewest}, but one row cannot be split: choose an "
            "integer from 2 on, or a float for a share of the rows, such as 1.0."
        )
    if model.splits == "multiway" and model.criterion == "cart":
        raise ValueError(
            f"{learner}: criterion='cart' compares two branches, and splits='multiway' may make more: choose "
            "splits='binary' or another criterion."
        )
    if model.splits == "multiway" and setting(model, "subset_size") is not None:
        raise ValueError(
            f"{learner}: subset_size={model.subset_size} limits sets of levels, and splits='multiway' makes "
            "none: choose splits='binary', or leave subset_size out."
        )


def refuse_weights(w: Floats | None) -> None:
    """Refuse weights so large, or so small, that float64 cannot hold the squares of their sums."""
    largest = 1.0 if w is None else float(w.max())
    if not 1.0 / LARGEST_SPREAD <= largest <= LARGEST_SPREAD:
        raise ValueError(
            f"sample_weight goes up to {largest:.3g}, and squares of that cannot be told apart in float64: "
            "multiply all weights by one number, so that the largest is near 1."
        )


def refuse_squares(off: Floats) -> None:
    """Refuse numbers so far from their mean, or so close to it, that float64 cannot hold the squares."""
    largest = float(np.abs(off).max())
    if largest > LARGEST_SPREAD or 0.0 < largest < 1.0 / LARGEST_SPREAD:
        raise ValueError(
            f"y differs from its mean by up to {largest:.3g}, and squares of that cannot be told apart in "
            "float64: bring it to another unit, or use criterion='absolute_error'."
        )


def grow(
    table: _native.CodedTable,
    options: _native.TreeOptions,
    seed: int,
    n_threads: int,
    *,
    label: NDArray[np.int32] | None = None,
    n_classes: int = 0,
    number: Floats | None = None,
    w: Floats | None = None,
) -> FittedTree:
    """Grow one tree for classes or for numbers."""
    refuse_weights(w)
    shift, total = 0.0, None
    if number is not None:
        total = np.ascontiguousarray(number)
        if options.criterion == "squared_error":  # sums around the mean lose no digits
            shift = float(np.average(number, weights=w))
            total = number - shift
            refuse_squares(total)
            total = total if w is None else total * w
    arrays = _native.grow_tree(table, label, n_classes, total, w, options, seed, 0, n_threads)
    return FittedTree(*arrays[:-1], arrays[-1] + shift)
