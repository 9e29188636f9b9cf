"""The one skeleton of all learners: public methods check and convert, hooks compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Self

from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hornbook.base._row_plots import rows_to_draw
from hornbook.base._watch import Model, Watch
from hornbook.base._working import Working
from hornbook.base.intake._intake import Intake
from hornbook.base.intake._names import check_count, remember_names, remember_target
from hornbook.base.intake._one_row import one_row
from hornbook.base.intake._sparse import by_chunks
from hornbook.display import Description
from hornbook.frame import Block, Blocks, Frame
from hornbook.params import Floats, check, settle
from hornbook.plots import lettered

__all__ = ["Learner", "has_hook"]


def has_hook(*names: str) -> Callable[[Any], bool]:
    """Return the condition under which a public method exists: the learner has one of these hooks."""
    return lambda learner: any(hasattr(learner, name) for name in names)


class Learner(CallbackSupportMixin, Intake, BaseEstimator):
    """Base of all learners: what fitting and describing have in common.

    A learner declares what it `accepts` and `wants` and has either ``_fit_blocks(blocks)``, when it is
    a sum over rows, or ``_fit(data, y, w)``. It never checks or converts input itself.
    """

    scale_sensitive: ClassVar[bool] = False

    # Parameters of which a fitted learner can be given others without learning again.
    adjustable: ClassVar[frozenset[str]] = frozenset()

    # The scheme of every method, in words: what is chosen from, what makes a choice good, how it is found.
    # Validation, the fourth step, is `hornbook.compare`.
    model_class: ClassVar[str]
    objective: ClassVar[str]
    optimizer: ClassVar[str]

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
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict, X)
        return self._answer(self._prepared(X))

    def _by_chunks(self, method: Callable[[Any], NDArray[Any]], X: Any) -> NDArray[Any]:
        """What a method says about the rows of a sparse matrix, which are made dense a few at a time."""
        check_is_fitted(self)
        check_count(self, X.shape[-1])  # before a row of it is made dense
        return by_chunks(method, X)

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
            The picture.
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
