"""The one skeleton of all learners: public methods check and convert, hooks compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hornbook.base._accepts import Accepts
from hornbook.base._checks import check_cells, warn_of_text
from hornbook.base._names import check_names, remember_names, remember_target
from hornbook.base._row import one_row
from hornbook.base._sparse import by_chunks, sparse_blocks
from hornbook.base._target import checked_weights, require_some_weight, target_array
from hornbook.base._watch import Model, Watch
from hornbook.base._working import Working
from hornbook.frame import (
    Block,
    Blocks,
    Encoding,
    Frame,
    Statistics,
    align,
    as_frame,
    column_statistics,
    require_rows_and_columns,
)
from hornbook.params import check, settle, threads
from hornbook.show import Description

__all__ = ["Floats", "Learner", "has_hook"]

Floats = NDArray[np.float64]
Wants = Literal["frame", "matrix", "codes"]


def has_hook(*names: str) -> Callable[[Any], bool]:
    """Return the condition under which a public method exists: the learner has one of these hooks."""
    return lambda learner: any(hasattr(learner, name) for name in names)


class Learner(CallbackSupportMixin, BaseEstimator):
    """Base of all learners: what fitting and describing have in common.

    A learner declares what it `accepts` and `wants` and has either ``_fit_blocks(blocks)``, when it is
    a sum over rows, or ``_fit(data, y, w)``. It never checks or converts input itself.
    """

    wants: ClassVar[Wants] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    scale_sensitive: ClassVar[bool] = False
    supervised: ClassVar[bool] = True
    missing_cells: ClassVar[Literal["indicate", "keep"]] = (
        "indicate"  # in a matrix: filled and marked, or NaN
    )

    # The scheme of every method, in words: what is chosen from, what makes a choice good, how it is found.
    # Validation, the fourth step, is `hornbook.compare`.
    model_class: ClassVar[str]
    objective: ClassVar[str]
    optimiser: ClassVar[str]

    # The hooks. A learner has the first or the second, and of the others those that make sense for it.
    _fit_blocks: Callable[[Blocks], None]
    _fit: Callable[..., None]
    _partial_fit: Callable[[Blocks], None]
    _predict: Callable[[Any], Any]
    _proba: Callable[[Any], Floats]
    _log_proba: Callable[[Any], Floats]
    _decision: Callable[[Any], Floats]
    _transform: Callable[[Any], Floats]
    _describe: Callable[[], Description]
    _working: Callable[[Any], Working]
    _plot: Callable[[Any, Any, Any], Any]

    _answer: Callable[
        [Any], NDArray[Any]
    ]  # what predict returns for prepared rows; the kinds of learners say

    _by_chunks = staticmethod(by_chunks)

    def __getstate__(self) -> dict[str, Any]:
        settle(type(self))  # before the class itself is pickled, should it not be importable
        return super().__getstate__()

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from a table.

        If anything goes wrong, the learner is left as it was.

        Parameters
        ----------
        X : Frame, DataFrame, array-like of shape (n_rows, n_columns), Blocks, or sparse matrix
            The table. A Frame or Blocks with a target needs no y; learners that can, take a sparse matrix.
        y : array-like of shape (n_rows,), optional
            The target.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The fitted learner.
        """
        self._leave_intact(self._fit_watched, X, y, sample_weight)
        return self

    def _leave_intact(self, work: Callable[..., None], *arguments: Any) -> None:
        before = dict(vars(self))
        try:
            work(*arguments)
        except BaseException:
            if "_watch" in vars(self):
                self._watch.live = False
            vars(self).clear()
            vars(self).update(before)
            raise
        vars(self).pop("_watch", None)

    @with_callbacks
    def _fit_watched(self, X: Any, y: Any, sample_weight: Any) -> None:
        check(self)
        self._forget()
        blocks = self._training_blocks(X, y, sample_weight)
        self.schema_ = blocks.schema.features
        remember_names(self, self.schema_)
        remember_target(self, X, y)
        blocks = self._learn_conversion(self._learn_target(blocks))
        self._learn(blocks, Watch(self, X, getattr(X, "y", None) if y is None else y))

    def _learn(self, blocks: Blocks, watch: Watch) -> None:
        """Call the fit hook on converted rows."""
        self._watch = watch
        if hasattr(self, "_fit_blocks"):
            self._fit_blocks(blocks)
        else:
            (block,) = blocks
            self._fit(block.X, block.y, block.w)
        if self._watch.history:
            self.history_ = self._watch.history
        self._watch.end()

    @with_callbacks
    def _learn_as_member(self, pattern: Learner, block: Block) -> None:
        """Learn from rows that a meta-learner has converted once for all clones of the pattern."""
        self._forget()
        vars(self).update({name: value for name, value in vars(pattern).items() if name.endswith("_")})
        blocks = self._learn_target(Blocks.of(block, self.schema_, self._threads()))
        self._learn(blocks, Watch(self, None, None))
        vars(self).pop("_watch")

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def _training_blocks(self, X: Any, y: Any, sample_weight: Any) -> Blocks:
        """The rows to learn from, checked: features as Frame, target and weights as arrays."""
        if isinstance(X, Blocks):
            return self._given_blocks(X, y, sample_weight)
        if self.accepts.sparse and issparse(X):
            return self._sparse_blocks(X, y, sample_weight)
        frame = as_frame(X)
        require_rows_and_columns(frame)
        target = frame.y if y is None else y
        weights = frame.w if sample_weight is None else sample_weight
        block = Block(
            self._checked(frame.features),
            self._checked_target(target, len(frame)),
            checked_weights(weights, len(frame)),
        )
        warn_of_text(block.X)
        return Blocks.of(block, block.X.schema, self._threads())

    def _sparse_blocks(self, X: Any, y: Any, sample_weight: Any) -> Blocks:
        n_rows = X.shape[0]
        target, weights = self._checked_target(y, n_rows), checked_weights(sample_weight, n_rows)
        whole = not hasattr(self, "_fit_blocks")
        blocks = sparse_blocks(X, target, weights, self._threads(), whole=whole)
        return blocks.map(lambda block: Block(self._checked(block.X, block.start), block.y, block.w))

    def _given_blocks(self, blocks: Blocks, y: Any, sample_weight: Any) -> Blocks:
        if not hasattr(self, "_fit_blocks"):
            raise TypeError(
                f"{type(self).__name__} needs all rows at once and cannot learn from Blocks: "
                "pass blocks.to_frame()."
            )
        if y is not None or sample_weight is not None:
            raise TypeError("Blocks carry their own target and weights: leave out y and sample_weight.")

        def checked(block: Block) -> Block:
            n_rows = len(block)
            weights = checked_weights(block.w, n_rows, all_rows=False, start=block.start)
            return Block(self._checked(block.X, block.start), self._checked_target(block.y, n_rows), weights)

        found = blocks.map(checked)
        require_some_weight(block.w for block in found)
        return found

    def _checked(self, features: Frame, start: int = 0) -> Frame:
        self._check_kinds(features)
        self._complete(features, start)
        return features

    def _complete(self, features: Frame, start: int = 0) -> bool:
        """Whether no cell is missing; infinite cells are refused, and missing ones where they must be."""
        return check_cells(
            features,
            type(self).__name__,
            missing_allowed=self.accepts.missing,
            n_threads=self._threads(),
            start=start,
        )

    def _check_kinds(self, features: Frame) -> None:
        for column in features.schema.columns:
            if column.kind not in self.accepts.kinds:
                allowed = " and ".join(self.accepts.kinds)
                raise ValueError(
                    f"column {column.name!r} is {column.kind}, but {type(self).__name__} takes {allowed} "
                    "columns only: convert it or leave it out."
                )

    def _checked_target(self, y: Any, n_rows: int) -> NDArray[Any] | None:
        if not self.supervised:
            return None
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: "
                "pass y, or a Frame with a target."
            )
        return target_array(y, n_rows, type(self).__name__, multi_output=self.accepts.multi_output)

    def _learn_target(self, blocks: Blocks) -> Blocks:
        """Turn the target into what the hooks use; the kinds of learners say how."""
        return blocks

    def _learn_conversion(self, blocks: Blocks) -> Blocks:
        """Find out how to make numbers of the columns, and do so."""
        complete = False
        if self.wants == "matrix":
            statistics, seen = blocks.reduce(_statistics, merge=_both)
            complete = seen and not statistics.missing.any()
            self.encoding_ = Encoding.from_statistics(
                self.schema_, statistics, scale=None, max_categories=256, missing=self.missing_cells
            )
            self.encoded_names_ = np.array(self.encoding_.names, dtype=object)
        return blocks.map(lambda block: Block(self._converted(block.X, complete=complete), block.y, block.w))

    def _converted(self, features: Frame, *, complete: bool) -> Any:
        if self.wants == "frame":
            return features
        if self.wants == "codes":
            return features.codes
        return self.encoding_.apply(features, complete=complete)

    def _prepared(self, X: Any) -> Any:
        """Return what the hooks get for new rows, checked against the columns of the fit."""
        check_is_fitted(self)
        frame = as_frame(X)
        require_rows_and_columns(frame)
        features = frame.features
        check_names(self, features.schema)
        aligned = align(features, self.schema_)
        return self._converted(aligned, complete=self._complete(aligned))

    @available_if(has_hook("_predict", "_proba", "_decision"))
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class, number or cluster of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        answers : ndarray of shape (n_rows,)
            One answer for each row.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict, X)
        return self._answer(self._prepared(X))

    def _threads(self) -> int:
        return threads(getattr(self, "n_jobs", None))

    def iterate(
        self, n: int, *, name: str = "iteration", inner: int = 0, model: Model = dict
    ) -> Iterator[int]:
        """Count to n inside a fit; every count is seen by callbacks, which may stop it.

        Parameters
        ----------
        n : int
            The most iterations.
        name : str, default "iteration"
            What one iteration is, for progress bars.
        inner : int, default 0
            The most iterations of a loop inside this one.
        model : callable, default dict
            Gives the attributes without which the learner is not yet a usable model. It is called only for
            callbacks that want one.

        Yields
        ------
        i : int
            0, 1, ...
        """
        return self._watch.iterate(n, name, inner, model)

    def record(self, **numbers: float) -> None:
        """Add one value to each named series of ``history_``.

        Parameters
        ----------
        **numbers : float
            Name and value.
        """
        self._watch.record(numbers)

    @available_if(has_hook("_describe"))
    def describe(self) -> Description:
        """Describe the fitted model in words and numbers that can be checked by hand.

        Returns
        -------
        description : Description
            Prints as text, shows as HTML, and gives plain data by ``to_dict()``.
        """
        check_is_fitted(self)
        return self._describe()

    @available_if(has_hook("_working"))
    def working(self, x: Any) -> Working:
        """Show how the answer for one row comes about.

        Parameters
        ----------
        x : dict, sequence, or table with one row
            The row.

        Returns
        -------
        working : Working
            The terms of the answer; prints as text, shows as HTML, and gives plain data by ``to_dict()``.
        """
        check_is_fitted(self)
        return self._working(self._prepared(one_row(x, self.schema_)))

    @available_if(has_hook("_plot"))
    def plot(self, X: Any = None, y: Any = None, ax: Any = None) -> Any:
        """Draw the fitted model.

        Parameters
        ----------
        X : table, optional
            Rows to draw with the model.
        y : array-like, optional
            Their target.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when left out.

        Returns
        -------
        ax : matplotlib Axes
            The picture.
        """
        check_is_fitted(self)
        return self._plot(X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = "nominal" in self.accepts.kinds
        tags.input_tags.allow_nan = self.accepts.missing
        tags.input_tags.sparse = self.accepts.sparse
        tags.target_tags.required = self.supervised
        tags.target_tags.multi_output = self.accepts.multi_output
        return tags


def _statistics(block: Block) -> tuple[Statistics, bool]:
    """Statistics of the rows that count, and whether those are all rows."""
    return column_statistics(block.X, block.w, spread=False), block.w is None or bool(block.w.all())


def _both(one: tuple[Statistics, bool], other: tuple[Statistics, bool]) -> tuple[Statistics, bool]:
    return one[0].merge(other[0]), one[1] and other[1]
