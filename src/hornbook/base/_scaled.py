"""A learner that first brings the numbers to one scale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.utils import Tags

from hornbook._scikit import available_if
from hornbook.base._encoder import statistics_of
from hornbook.base._learner import Learner
from hornbook.base._predictor import Predictor
from hornbook.base._working import Working
from hornbook.base.intake._conversion import Wants
from hornbook.base.intake._intake import form_of
from hornbook.display import Description, Table
from hornbook.frame import (
    Block,
    Blocks,
    Frame,
    Statistics,
    column_statistics,
    scaling,
)
from hornbook.params import Floats, Shape

__all__ = ["Scaled"]


INSIDE = "estimator__"  # before the name of a parameter of the learner inside


def _inside_has(name: str) -> Callable[[Any], bool]:
    """Condition under which a hook exists: the learner inside has this method."""
    return lambda learner: hasattr(learner.estimator, name)


class Scaled(Predictor):
    """Give the numbers of a table one scale, then let another learner learn from it.

    What scikit-learn does with a pipeline of two steps and NumPy arrays in between, this does on the table
    itself: categories and missing cells reach the learner as they are, columns keep their names, and the
    whole is one model file. The scales cost one more pass over the rows.

    Parameters
    ----------
    estimator : classifier, regressor or clusterer of this library
        The learner inside; it is cloned, never changed.
    scale : {"standard", "range"}, default "standard"
        Mean 0 and standard deviation 1 (divisor n), or the range 0 to 1. A column with a single value
        becomes 0.

    Attributes
    ----------
    estimator_ : learner
        The learner inside, fitted.
    center_, spread_ : ndarray of shape (n_numeric_columns,)
        What is subtracted from each numeric column, and what it is then divided by.
    classes_ : ndarray of shape (n_classes,)
        The classes, if the learner inside predicts classes.
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row, if the learner inside is a clusterer.
    n_features_in_ : int
        Number of columns at fit.

    See Also
    --------
    Encoder : Columns of all kinds as numbers.
    PCA : Directions of largest variance.

    Examples
    --------
    >>> from hornbook import KNeighborsClassifier, Scaled
    >>> X = {"metres": [1.5, 1.6, 1.9, 2.0], "grams": [70e3, 50e3, 51e3, 71e3]}
    >>> model = Scaled(KNeighborsClassifier(n_neighbors=1)).fit(X, ["a", "a", "b", "b"])
    >>> model.predict({"metres": [1.55], "grams": [71e3]}).tolist()
    ['a']
    """

    wants: ClassVar[Wants] = "frame"
    model_class = "that of the learner inside, on scaled numbers"
    objective = "that of the learner inside"
    optimizer = "that of the learner inside, after means and standard deviations or ranges of the columns"

    center_: Annotated[Floats, Shape("n_numeric")]
    spread_: Annotated[Floats, Shape("n_numeric")]
    estimator_: Any

    def __init__(self, estimator: Any, *, scale: Literal["standard", "range"] = "standard") -> None:
        self.estimator = estimator
        self.scale = scale

    @property
    def supervised(self) -> bool:  # type: ignore[override]  # it is that of the learner inside
        """Whether the learner inside needs a target."""
        return getattr(self.estimator, "supervised", True)

    @property
    def labels_(self) -> NDArray[np.int32]:
        """The cluster of each row at fit, if the learner inside is a clusterer."""
        labels: NDArray[np.int32] = self.estimator_.labels_
        return labels

    def _predicts_classes(self) -> bool:
        return isinstance(self.estimator, Learner) and is_classifier(self.estimator)

    def _learn_target(self, blocks: Blocks) -> Blocks:
        """Leave the target alone: the learner inside reads it."""
        if not isinstance(self.estimator, Learner) or not _predicts(self.estimator):
            raise TypeError(
                f"Scaled: parameter 'estimator' must be a classifier, a regressor or a clusterer of this "
                f"library; got {self.estimator!r}; for others there is scikit-learn's Pipeline."
            )
        return blocks

    @available_if(_inside_has("_fit_blocks"))
    def _fit_blocks(self, blocks: Blocks) -> None:
        self._learn_scale(
            # Under a name of its own: sums by chunk round differently from those of the whole table, which
            # `_fit` keeps.
            form_of(
                blocks, "statistics by chunk", lambda: blocks.reduce(statistics_of, merge=Statistics.merge)
            )
        )
        self._learn_inside(blocks.map(partial(_scaled_block, center=self.center_, spread=self.spread_)))

    def _fit(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> None:
        # By value: the statistics are shared with every learner whose weights are equal.
        weights = None if w is None else w.tobytes()
        self._learn_scale(frame.form(("statistics of columns", weights), lambda: column_statistics(frame, w)))
        self._learn_inside(self._scaled(frame), y, w)

    def _learn_scale(self, statistics: Statistics) -> None:
        schema = self.schema_
        pairs = [scaling(schema, statistics, j, self.scale) for j in schema.numeric.tolist()]
        # The shape is said for tables without numeric columns; copied to have two contiguous arrays.
        self.center_, self.spread_ = np.array(pairs, dtype=np.float64).reshape(-1, 2).T.copy()

    def _learn_inside(self, *rows: Any) -> None:
        self.estimator_ = clone(self.estimator).fit(*rows)
        if hasattr(self.estimator_, "classes_"):
            self.classes_ = self.estimator_.classes_

    def scaled_rows(self, X: Any) -> Frame:
        """Return rows as the learner inside gets them.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        """
        return self._scaled(self._prepared(X))

    def _scaled(self, frame: Frame) -> Frame:
        return _scaled(frame, self.center_, self.spread_)

    @property
    def adjustable(self) -> frozenset[str]:  # type: ignore[override]  # it is that of the learner inside
        """Parameters of the learner inside that it can be given without learning again."""
        return frozenset(f"{INSIDE}{name}" for name in self.estimator.adjustable)

    def _variants(self, rows: Frame, settings: Sequence[Mapping[str, Any]]) -> Iterator[Self]:
        inside = self.estimator_._prepared(self._scaled(rows))  # noqa: SLF001 - what its predict does first
        theirs = [{name.removeprefix(INSIDE): value for name, value in one.items()} for one in settings]
        for variant, setting in zip(self.estimator_._variants(inside, theirs), theirs, strict=True):  # noqa: SLF001
            twin = copy(self)
            twin.estimator, twin.estimator_ = copy(self.estimator).set_params(**setting), variant
            yield twin

    def _answer(self, rows: Frame) -> NDArray[Any]:
        answers: NDArray[Any] = self.estimator_.predict(self._scaled(rows))
        return answers

    def _predict(self, rows: Frame) -> NDArray[Any]:
        return self._answer(rows)

    @available_if(_inside_has("fit_predict"))
    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.int32]:
        """Find clusters, and return that of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : object, optional
            Not used; here because pipelines pass it.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        labels : ndarray of shape (n_rows,)
            The clusters.
        """
        return self.fit(X, y, sample_weight).labels_

    @available_if(lambda learner: learner.supervised or hasattr(learner.estimator, "score"))
    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the score that the learner inside gives to scaled rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            The truth; clusterers need none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        score : float
            Accuracy, or the share of variance that is explained; of clusterers what their own score is.
        """
        if self.supervised:
            return super().score(X, y, sample_weight)
        return float(self.estimator_.score(self.scaled_rows(X), None, sample_weight))

    @available_if(_inside_has("predict_proba"))
    def _proba(self, rows: Frame) -> Floats:
        return np.asarray(self.estimator_.predict_proba(self._scaled(rows)))

    @available_if(_inside_has("predict_log_proba"))
    def _log_proba(self, rows: Frame) -> Floats:
        return np.asarray(self.estimator_.predict_log_proba(self._scaled(rows)))

    @available_if(_inside_has("decision_function"))
    def _decision(self, rows: Frame) -> Floats:
        return np.asarray(self.estimator_.decision_function(self._scaled(rows)))

    def _describe(self) -> Description:
        inside = self.estimator_.describe()
        names = [self.schema_.names[j] for j in self.schema_.numeric.tolist()]
        rows = list(zip(names, self.center_.tolist(), self.spread_.tolist(), strict=True))
        scales = Table("Scales: (value - center) / spread", ["column", "center", "spread"], rows)
        return Description(
            f"Scaled: {inside.title}", {"scale": self.scale, **inside.facts}, [*inside.tables, scales]
        )

    def _working(self, rows: Frame) -> Working:
        working: Working = self.estimator_.working(self._scaled(rows))
        return working

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = None if X is None else self._scaled(self._prepared(X))
        return self.estimator_.plot(rows, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, Learner):
            inside = self.estimator.__sklearn_tags__()
            tags.estimator_type = inside.estimator_type
            tags.classifier_tags, tags.regressor_tags = inside.classifier_tags, inside.regressor_tags
            tags.target_tags, tags.input_tags = inside.target_tags, inside.input_tags
            # Subtracting the mean would make every zero a number, so scaled rows are dense.
            tags.input_tags.sparse = False
            tags.target_tags.multi_output = self.accepts.multi_output
            if tags.classifier_tags is not None:
                tags.classifier_tags.multi_label = self.accepts.multi_output
        return tags


def _predicts(learner: Learner) -> bool:
    return is_classifier(learner) or is_regressor(learner) or is_clusterer(learner)


def _scaled(frame: Frame, center: Floats, spread: Floats) -> Frame:
    """The same columns with their numbers scaled; a gap stays a gap."""
    # By value: learners with the same scale share one scaled table in a comparison.
    key = ("scaled", center.tobytes(), spread.tobytes())
    return frame.form(key, lambda: _newly_scaled(frame, center, spread))


def _newly_scaled(frame: Frame, center: Floats, spread: Floats) -> Frame:
    # Multiplying is faster than dividing, and the factor 0 makes constant columns 0.
    factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    if frame.array is not None:
        return Frame.from_columns(frame.schema, (frame.array - center) * factor)
    columns = [frame.column(j) for j in range(len(frame.schema))]
    for place, j in enumerate(frame.schema.numeric.tolist()):
        columns[j] = (columns[j] - center[place]) * factor[place]
    return Frame.from_columns(frame.schema, columns, len(frame))


def _scaled_block(block: Block, center: Floats, spread: Floats) -> Block:
    return block.with_features(_scaled(block.X, center, spread))
