"""The perceptron."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook import _native
from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.frame import Block, Blocks
from hornbook.linear._basic_linear import class_moments
from hornbook.linear._linear_scores import LinearClassifierMixin
from hornbook.linear.explain._description import score_table, terms_of
from hornbook.linear.explain._far_columns import warn_steps
from hornbook.linear.explain._plot import draw
from hornbook.linear.solvers._scatter import refuse_large
from hornbook.params import Floats, MaxIter, Range, Shape, Tune, blas_threads

__all__ = ["Perceptron"]

TOGETHER = 16  # chunks in one call, between which an interrupt is noticed


class Perceptron(LinearClassifierMixin, Classifier):
    """Perceptron (Rosenblatt 1958): weights that every misclassified row corrects, until none is left.

    It starts from 0 and passes over the rows in their order, again and again. If a linear function separates
    the classes, it finds one; otherwise it never converges, and is stopped. Unlike scikit-learn's it never
    shuffles; with more than two classes there is a perceptron for each against the rest, as there.

    Time grows with passes x rows x columns (x classes, if more than two), memory with columns. A category
    counts as many columns as it has levels.

    Parameters
    ----------
    eta0 : float, default 1.0
        Learning rate. From a start at 0 it only scales the weights.
    max_iter : int, default 1000
        Maximum number of passes over the rows.
    update : {"target", "sign"}, default "target"
        When and how a row corrects. ``"target"``: classes are 0 and 1, the prediction p is 1 when w·x - t >=
        0, and w changes by eta (y - p) x, t by -eta (y - p). ``"sign"``: classes are -1 and +1, and when y
        (w·x - t) <= 0, w changes by eta y x and t by -eta y. They differ only where a score is 0.
    n_iter_no_change : int or None, default 50
        Stop when the smallest number of mistakes in a pass has not improved for this many passes; None never
        stops.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        Weights of the encoded columns; with two classes, for the second.
    threshold_ : float or ndarray of shape (n_classes,)
        What the sum is compared with.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Minus the threshold.
    n_iter_ : int
        Number of passes, the last one without mistakes if there was one.
    mistakes_ : int
        Number of corrections in the last pass.
    history_ : dict
        The number of corrections in each pass.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    LogisticRegression : Linear log odds of the classes.
    DualPerceptron : The perceptron written with counts of mistakes.

    Examples
    --------
    >>> from hornbook import Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = Perceptron().fit(X, y)
    >>> model.coef_.tolist(), model.threshold_, model.n_iter_
    ([[2.0, 1.0]], 3.0, 6)
    >>> model.predict(X).tolist()
    [0, 0, 0, 1]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns and a threshold"
    objective = "number of rows on the wrong side"
    optimizer = "correction by one wrong row after the other"

    threshold_: float | Annotated[Floats, Shape("n_scores")]
    n_iter_: int
    mistakes_: int

    def __init__(
        self,
        *,
        eta0: Annotated[float, Range(low=0.0, open_low=True), Tune(0.01, 1.0, log=True)] = 1.0,
        max_iter: MaxIter = 1000,
        update: Literal["target", "sign"] = "target",
        n_iter_no_change: Annotated[int, Range(low=1)] | None = 50,
    ) -> None:
        self.eta0 = eta0
        self.max_iter = max_iter
        self.update = update
        self.n_iter_no_change = n_iter_no_change

    def _fit_blocks(self, blocks: Blocks) -> None:
        k = len(self.classes_)
        moments = class_moments(blocks, self.classes_, type(self).__name__).pooled()
        since = self._train(blocks, np.zeros((1 if k == 2 else k, len(self.encoded_names_) + 1)))
        if self.mistakes_ and since == self.n_iter_no_change:
            warn_steps(self, moments.mean[0], moments.variance()[0])
        elif self.mistakes_ and self.n_iter_ == self.max_iter:
            warnings.warn(
                f"Perceptron: parameter 'max_iter' = {self.max_iter} was reached with {self.mistakes_} "
                "mistakes in the last pass: raise it, or use LogisticRegression if no linear function "
                "separates the classes.",
                ConvergenceWarning,
                stacklevel=6,
            )

    # If a separating function has margin m on rows of length up to R, there are at most (R / m)**2
    # corrections in all passes together (Novikoff 1962). Nothing bounds them otherwise, hence
    # `n_iter_no_change` and `max_iter`.
    def _train(self, blocks: Blocks, theta: Floats) -> int:
        """Pass through the rows until they are learned; returns the passes since the fewest mistakes."""
        fewest, since = np.inf, 0
        with blas_threads(1):  # once for all passes: asking for each takes as long as a tenth of a small one
            for i in self.iterate(self.max_iter, name="pass"):
                theta, mistakes = self._pass(blocks, theta)
                # From a start at 0 the learning rate only scales; with steps of 1, scores of exactly 0 stay
                # exact.
                self._keep(self.eta0 * theta, i + 1, mistakes)
                self.record(mistakes=mistakes)
                since = 0 if mistakes < fewest else since + 1
                fewest = min(fewest, mistakes)
                if mistakes == 0 or since == self.n_iter_no_change:
                    break
        return since

    def _pass(self, blocks: Blocks, theta: Floats) -> tuple[Floats, int]:
        """All perceptrons after one more pass, and the number of corrections."""
        # A fold, not a sum: the rows change the weights one after the other, in their order.
        theta, mistakes = blocks.fold(_corrected, (theta, 0), self.update == "sign", together=TOGETHER)
        if not np.isfinite(theta).all():
            refuse_large(type(self).__name__)
        return theta, mistakes

    def _keep(self, theta: Floats, passes: int, mistakes: int) -> None:
        """Make the learner a usable model, as callbacks see it between passes."""
        self.coef_, self.intercept_ = theta[:, :-1].copy(), theta[:, -1].copy()
        self.threshold_: Any = float(-self.intercept_[0]) if len(theta) == 1 else -self.intercept_
        self.n_iter_ = passes
        self.mistakes_ = mistakes

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        scores = self._decision(X)
        if scores.ndim == 2:
            return np.asarray(scores.argmax(axis=1))
        return np.asarray(scores >= 0 if self.update == "target" else scores > 0).astype(np.intp)

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Perceptron with {len(self.classes_)} classes and {n} columns"
        settled = "none: all rows are on the right side" if self.mistakes_ == 0 else self.mistakes_
        facts = {"passes": self.n_iter_, "mistakes in the last pass": settled}
        table = score_table(self.coef_, self.intercept_, self.encoded_names_, self.classes_)
        return Description(title, facts, [table])

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Perceptron: the score is coefficient times value less the threshold"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)


def _corrected(block: Block, before: tuple[Floats, int], sign: bool) -> tuple[Floats, int]:
    """All perceptrons after some more rows, and the number of corrections."""
    theta, mistakes = before[0].copy(), before[1]
    X, y = np.ascontiguousarray(block.X), np.asarray(block.y)
    for c in range(len(theta)):
        own = (y == (1 if len(theta) == 1 else c)).astype(np.int32)
        theta[c], wrong = _native.perceptron_pass(X, own, block.w, theta[c], 1.0, sign)
        mistakes += wrong
    return theta, mistakes
