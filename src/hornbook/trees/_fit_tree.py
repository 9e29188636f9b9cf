"""From a table to a tree: code, grow, prune."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Floats
from hornbook.frame import Frame
from hornbook.random import seed_of
from hornbook.trees._class_rows import by_class
from hornbook.trees._complexity import prune_to
from hornbook.trees._pruning import held_out, pessimistic, pruned_by_rows, row_parts
from hornbook.trees._settings import as_categorical, code_frame, grow, setting, tree_options
from hornbook.trees.explain._split_table import lacks

__all__ = ["class_shares", "fit_classes", "fit_numbers"]


def fit_classes(model: Any, features: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
    """Grow the tree of a classifier; ``y`` holds positions in its ``classes_``."""
    label = np.ascontiguousarray(y, dtype=np.int32)
    target = {"label": label, "n_classes": len(model.classes_)}
    _fit(model, features, label, by_class(model, y, w), target)


def fit_numbers(model: Any, features: Frame, y: Floats, w: Floats | None) -> None:
    """Grow the tree of a regressor."""
    _fit(model, features, y, w, {"number": y})


def class_shares(counts: Floats, smoothing: Floats) -> Floats:
    """Share of each class in each node, with so many rows more of each."""
    smooth = counts + smoothing
    return np.asarray(smooth / smooth.sum(axis=1, keepdims=True))


def _fit(model: Any, features: Frame, y: NDArray[Any], w: Floats | None, target: dict[str, Any]) -> None:
    frame = as_categorical(features, model.categorical_features)
    model.tree_schema_ = frame.schema
    model.tree_gaps_ = np.array([bool(lacks(frame, j).any()) for j in range(len(frame.schema))])
    seed = seed_of(setting(model, "random_state"))
    threads = model._threads()  # noqa: SLF001 - part of the learner
    pruning = setting(model, "pruning")
    full = np.ones(len(y)) if w is None else w
    out, grown = np.zeros(len(y), dtype=np.bool_), w
    if pruning in ("pre", "reduced_error"):
        out = held_out(y, full, model.validation_fraction, seed, by_class="label" in target)
        grown = np.where(out, 0.0, full)
    rows = len(y) if grown is None else int((grown > 0).sum())
    weight, lightest = (float(rows), 1.0) if grown is None else (grown.sum(), grown[grown > 0].min())
    options = tree_options(model, frame.schema, rows, float(weight), float(lightest))
    table = code_frame(frame, grown, model.max_bins, threads)
    tree = grow(table, options, seed, threads, w=grown, **target)
    if pruning == "pessimistic":
        in_parts = model.missing == "fractional" and model.tree_gaps_.any()
        tree = pessimistic(tree, row_parts(tree, frame, full) if in_parts else None)
    elif pruning is not None:
        loss = "errors" if "label" in target else model.criterion
        tree = pruned_by_rows(tree, frame, y, np.where(out, full, 0.0), loss, ahead=pruning == "pre")
    alpha = setting(model, "ccp_alpha")
    model.tree_ = prune_to(tree, alpha) if alpha > 0 else tree
