"""The one skeleton of all learners: public methods check and convert, hooks compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from hornbook._scikit import BaseEstimator, CallbackSupportMixin, available_if, with_callbacks
from hornbook.base._row_plots import rows_to_draw
from hornbook.base._watch import Model, Watch
from hornbook.base._working import Working
from hornbook.base.intake._accepts import Accepts
from hornbook.base.intake._checks import all_finite, check_cells, plain_rows
from hornbook.base.intake._conversion import Conversion, Requirements, Wants, converted_block
from hornbook.base.intake._intake import learned_encoding, training_blocks
from hornbook.base.intake._names import check_count, check_names, remember_names, remember_target
from hornbook.base.intake._one_row import named_rows, one_row
from hornbook.base.intake._sparse import by_chunks, dense_table
from hornbook.display import Description
from hornbook.frame import Block, Blocks, Encoding, Frame, Schema, align, partition_answers
from hornbook.params import Floats, Shape, check, settle, threads
from hornbook.plots import lettered

__all__ = ["Learner", "has_hook"]


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
    supervised: ClassVar[bool] = True
    # In a matrix: filled and marked, or NaN.
    missing_cells: ClassVar[Literal["indicate", "keep"]] = "indicate"
    scale_sensitive: ClassVar[bool] = False

    # What to do with Blocks where all rows are needed at once.
    whole_table_remedy: ClassVar[str] = "pass blocks.to_frame()"
    # Whether, of both fit hooks, rows that are one block in memory go to ``_fit``.
    whole_table_first: ClassVar[bool] = False

    # Parameters of which a fitted learner can be given others without learning again.
    adjustable: ClassVar[frozenset[str]] = frozenset()

    # The scheme of every method in words: what is chosen from, what makes a choice good, how it is found.
    model_class: ClassVar[str]
    objective: ClassVar[str]
    optimizer: ClassVar[str]

    # What fitting learns about the columns.
    schema_: Schema
    n_features_in_: int
    feature_names_in_: Annotated[NDArray[Any], Shape("n_columns")]
    target_name_: str
    encoding_: Encoding
    encoded_names_: Annotated[NDArray[Any], Shape("n_encoded")]

    # What callbacks saw of an iterative fit: a number for each step, by name.
    history_: dict[str, list[float]]

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
    _plot: Callable[[Frame | None, NDArray[Any] | None, Any], Any]

    # What predict returns for prepared rows; the kinds of learners say.
    _answer: Callable[[Any], NDArray[Any]]

    def _requirements(self) -> Requirements:
        return Requirements(
            type(self).__name__,
            self.accepts,
            self.supervised,
            self._threads(),
            hasattr(self, "_fit_blocks"),
            self.whole_table_remedy,
        )

    def _training_blocks(self, X: Any, y: Any, sample_weight: Any, *, later: bool = False) -> Blocks:
        return training_blocks(self._requirements(), X, y, sample_weight, later=later)

    def _whole_table(self, X: Any, y: Any, sample_weight: Any) -> Block:
        """Rows for a question that needs all of them in memory, checked as those of a fit."""
        needs = replace(self._requirements(), by_blocks=False, remedy=Learner.whole_table_remedy)
        (block,) = training_blocks(needs, X, y, sample_weight)
        return block

    def _checked(self, features: Frame) -> Frame:
        return self._requirements().checked(features)

    def _learn_conversion(self, blocks: Blocks) -> Blocks:
        """Find out how to make numbers of the columns, and do so."""
        complete = False
        if self.wants == "matrix":
            self.encoding_, complete = learned_encoding(blocks, self.schema_, self._missing_cells())
            self.encoded_names_ = np.array(self.encoding_.names, dtype=object)
        conversion = self._conversion(single=self.accepts.single)
        return blocks.map(partial(converted_block, conversion=conversion, complete=complete))

    def _missing_cells(self) -> Literal["indicate", "keep"]:
        """What missing cells become in a matrix, for learners where parameters decide."""
        return self.missing_cells

    def _conversion(self, *, single: bool = False) -> Conversion:
        encoding = getattr(self, "encoding_", None)
        return Conversion(self.wants, encoding, single=single, stored=self.accepts.stored)

    def _converted(self, features: Frame, *, complete: bool) -> Any:
        return self._conversion().apply(features, complete=complete)

    def _prepared(self, X: Any) -> Any:
        """Return what the hooks get for new rows, checked against the columns of the fit."""
        aligned = self._new_rows(X)
        complete = all_finite(aligned) or check_cells(
            aligned,
            type(self).__name__,
            missing_allowed=self._requirements().accepts.missing,
            n_threads=self._threads(),
        )
        return self._converted(aligned, complete=complete)

    def _new_rows(self, X: Any) -> Frame:
        """Return new rows in the columns of the fit."""
        if "schema_" not in vars(self):  # scikit-learn's check reads all tags, as long as half a prediction
            check_is_fitted(self)
        if (plain := plain_rows(X, self.schema_)) is not None:
            return plain
        rows = dense_table(X) if self.accepts.densified and issparse(X) else X
        features = named_rows(rows, self.schema_).features
        check_names(self, features.schema)
        return align(features, self.schema_)

    def _threads(self, n_rows: int = 9) -> int:
        return 1 if n_rows <= 8 else threads(getattr(self, "n_jobs", None))  # asking takes as long as 8 rows

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
        if hasattr(self, "_fit_blocks") and not (self.whole_table_first and blocks.is_one_block):
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

    def _variants(self, rows: Any, settings: Sequence[Mapping[str, Any]]) -> Iterator[Self]:  # noqa: ARG002 - for those who ask once for all
        """Learners that answer these rows as if they had been fitted with other adjustable parameters."""
        for setting in settings:
            yield copy(self).set_params(**setting)

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]:
            delattr(self, name)

    def _learn_target(self, blocks: Blocks) -> Blocks:
        """Turn the target into what the hooks use; the kinds of learners say how."""
        return blocks

    def _core(self) -> Self:
        """The learner as its hooks know it; the kinds of learners say where that is another."""
        return self

    def _hook(self, name: str, *arguments: Any) -> Any:
        """Call a hook of the fitted learner."""
        return getattr(self._core(), name)(*arguments)

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
        if (answers := partition_answers(self, "predict", X)) is not None:
            return answers
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict, X)
        return self._answer(self._prepared(X))

    @available_if(has_hook("_decision"))
    def decision_function(self, X: Any) -> Floats:
        """Give the score behind a prediction.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            The highest is that of the predicted class; with two classes, positive means the second. A class
            without weight has score -inf. Outliers have scores below 0.
        """
        if (answers := partition_answers(self, "decision_function", X)) is not None:
            return answers
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.decision_function, X)
        return self._spread_scores(self._hook("_decision", self._prepared(X)))

    def _spread_scores(self, scores: Floats) -> Floats:
        """The scores for all classes; the kinds of learners say where their hooks know fewer."""
        return scores

    def _by_chunks(self, method: Callable[[Any], NDArray[Any]], X: Any) -> NDArray[Any]:
        """What a method says about the rows of a sparse matrix, which are made dense a few at a time."""
        check_is_fitted(self)
        check_count(self, X.shape[-1])  # before a row of it is made dense
        return by_chunks(method, X)

    def iterate(
        self, n: int, *, name: str = "iteration", inner: int = 0, model: Model = dict, runs: int = 1
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
            Gives the attributes that a usable model still lacks; called only for callbacks that want one.
        runs : int, default 1
            How often the loop may be repeated.

        Yields
        ------
        i : int
            0, 1, ...
        """
        return self._watch.iterate(n, name, inner, model, runs)

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
        description: Description = self._hook("_describe")
        return description

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
        working: Working = self._hook("_working", self._prepared(one_row(x, self.schema_)))
        return working

    @available_if(has_hook("_plot"))
    def plot(self, X: Any = None, y: Any = None, ax: Any = None) -> Any:
        """Draw the fitted model, and what it makes of rows.

        Parameters
        ----------
        X : table, optional
            Rows to draw with the model; they may lack values.
        y : array-like, optional
            Their target, by which rows get their colors and errors are seen.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when left out.

        Returns
        -------
        ax : matplotlib Axes
            The plot.
        """
        check_is_fitted(self)
        rows, target = rows_to_draw(self, X, y)
        return lettered(self._hook("_plot", rows, target, ax))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = "nominal" in self.accepts.kinds
        tags.input_tags.allow_nan = self.accepts.missing
        tags.input_tags.sparse = self.accepts.sparse
        tags.target_tags.required = self.supervised
        tags.target_tags.multi_output = self.accepts.multi_output
        return tags
