"""Methods of learners that take several targets at once: the target of a row is then a row itself.

Their hooks get classes as positions in ``classes_[t]``, and ``_proba`` gives the columns of all classes of
one target after the other, each divided by the number of targets, so that rows sum to 1. For numbers,
``_predict`` gives a column for each target. The methods are assigned in the classes of such learners: a base
class would be one more ancestor.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import Tags

from hornbook._scikit import available_if
from hornbook.base._classifier import Classifier
from hornbook.base._learner import has_hook
from hornbook.base._predictor import Predictor
from hornbook.base.intake._target import coded, distinct_labels, numbers_of, warn_of_column
from hornbook.frame import Blocks
from hornbook.params import Floats

__all__ = [
    "answers_of_targets",
    "class_counts",
    "classes_of_targets",
    "codes_of_targets",
    "columns_by_target",
    "evenly_by_target",
    "learn_targets",
    "predict_log_proba",
    "predict_proba",
    "tags_of_targets",
]


def classes_of_targets(learner: Any) -> list[NDArray[Any]] | None:
    """The classes of several targets; None where there is one target, or numbers."""
    classes = getattr(learner, "classes_", None)
    return classes if isinstance(classes, list) else None


def class_counts(learner: Any) -> int | list[int]:
    """Number of classes; of several targets, a list."""
    several = classes_of_targets(learner)
    return len(learner.classes_) if several is None else [len(labels) for labels in several]


def learn_targets(self: Any, blocks: Blocks) -> Blocks:
    """Turn targets into what the hooks use."""
    parts = list(blocks) if blocks.is_one_block else []
    if not parts or parts[0].y is None or parts[0].y.ndim == 1:
        return Predictor._learn_target(self, blocks)  # noqa: SLF001 - of one target
    (block,) = parts
    y = np.asarray(block.y)
    if y.shape[1] == 1:
        if self._warns_of_columns():
            warn_of_column()
        column = Blocks.of(replace(block, y=y[:, 0]), blocks.schema, self._threads())
        return Predictor._learn_target(self, column)  # noqa: SLF001 - of one target
    self.n_outputs_ = y.shape[1]
    if self._predicts_classes():
        self.classes_ = [distinct_labels(_plain(column)) for column in y.T]
    return codes_of_targets(self, Blocks.of(block, blocks.schema, self._threads()))


def codes_of_targets(self: Any, blocks: Blocks) -> Blocks:
    """The blocks with the positions of labels among the classes of the fit, or with numbers."""
    if self.n_outputs_ == 1:
        return Predictor._with_codes(self, blocks)  # noqa: SLF001 - of one target
    (block,) = blocks
    y, classes = np.asarray(block.y), classes_of_targets(self)
    if y.ndim != 2 or y.shape[1] != self.n_outputs_:
        raise ValueError(
            f"y should have {self.n_outputs_} columns, one for each target of the fit; got an array of shape "
            f"{y.shape}."
        )
    if classes is None:
        return Blocks.of(replace(block, y=numbers_of(y)), blocks.schema, self._threads())
    codes = [coded(_plain(column), labels) for column, labels in zip(y.T, classes, strict=True)]
    return Blocks.of(replace(block, y=np.column_stack(codes)), blocks.schema, self._threads())


def evenly_by_target(self: Any, amount: float) -> Floats:
    """An amount for each class, the same for all of a target."""
    several = classes_of_targets(self)
    if several is None:
        return Classifier._evenly(self, amount)  # noqa: SLF001 - of one target
    sizes = [len(labels) for labels in several]
    return np.concatenate([np.full(k, amount / (k * len(sizes))) for k in sizes])


def columns_by_target(values: Floats, classes: list[NDArray[Any]]) -> list[Floats]:
    """Columns of all classes, taken apart by target."""
    return np.split(values, np.cumsum([len(labels) for labels in classes])[:-1], axis=1)


def answers_of_targets(self: Any, rows: Any) -> NDArray[Any]:
    """What predict returns for prepared rows: of several targets, a column for each."""
    classes = classes_of_targets(self)
    if classes is None:
        return Predictor._answer(self, rows)  # noqa: SLF001 - of one target
    parts = columns_by_target(self._proba(rows), classes)
    return np.column_stack([labels[part.argmax(axis=1)] for labels, part in zip(classes, parts, strict=True)])


@available_if(has_hook("_proba"))
def predict_proba(self: Any, X: Any) -> Any:
    """Give the probability of each class for each row.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows.

    Returns
    -------
    probabilities : ndarray of shape (n_rows, n_classes)
        Columns in the order of ``classes_``; rows sum to 1. Of several targets, a list with one array for
        each.
    """
    several = classes_of_targets(self)
    if several is not None and issparse(X):
        parts = self._by_chunks(lambda rows: np.hstack(self.predict_proba(rows)), X)
        return columns_by_target(parts, several)
    together = Predictor.predict_proba.__get__(self)(X)
    if several is None:
        return together
    return [len(several) * part for part in columns_by_target(together, several)]


@available_if(has_hook("_proba"))
def predict_log_proba(self: Any, X: Any) -> Any:
    """Give the natural logarithm of the probability of each class for each row.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows.

    Returns
    -------
    log_probabilities : ndarray of shape (n_rows, n_classes)
        Columns in the order of ``classes_``; of several targets, a list with one array for each.
    """
    if classes_of_targets(self) is None:
        return Predictor.predict_log_proba.__get__(self)(X)
    with np.errstate(divide="ignore"):
        return [np.log(part) for part in self.predict_proba(X)]


def tags_of_targets(tags: Tags, *, several: bool) -> Tags:
    """The tags of a learner, which can learn several targets or, with these parameters, cannot."""
    tags.target_tags.multi_output = several
    if tags.classifier_tags is not None:
        tags.classifier_tags.multi_label = several
    return tags


def _plain(column: NDArray[Any]) -> NDArray[Any]:
    """One target of a table of mixed ones: numbers that are objects as numbers."""
    if column.dtype != object or not all(isinstance(label, int | float | np.number) for label in column):
        return column
    return np.asarray(column.tolist())
