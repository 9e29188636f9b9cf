"""The perceptron in dual form."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.linear import LinearClassifierMixin, refuse_large, require_classes, score_table, terms_of
from hornbook.params import Floats, Shape, blas_threads, declared
from hornbook.svm._parameters import MistakePasses
from hornbook.svm._warnings import warn_scales
from hornbook.svm.kernel_learners._description import expansion_table
from hornbook.svm.kernel_learners._perceptron_passes import (
    MistakeCounts,
    class_signs,
    train,
)
from hornbook.svm.kernel_learners._plot import draw_classifier

__all__ = ["DualPerceptron"]


class CountedMistakes(LinearClassifierMixin, Classifier):
    """How often each training row was misclassified, and the weights that follow.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    alpha_ : ndarray of shape (1, n_rows) or (n_classes, n_rows)
        How often each training row was misclassified; with several classes, by each perceptron.
    dual_coef_ : ndarray of shape (n_rows, 1) or (n_rows, n_classes)
        These counts times the signs of the rows, which the weights are sums of.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        Weights of the encoded columns; with two classes, for the second.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Weight of the appended 1: minus the threshold.
    n_iter_ : int
        Number of passes, the last one without mistakes if there was one.
    mistakes_ : int
        Number of mistakes in the last pass.
    history_ : dict
        The number of mistakes in each pass.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    alpha_: Annotated[Floats, Shape("n_scores", "n_rows")]
    dual_coef_: Annotated[Floats, Shape("n_rows", "n_scores")]
    n_iter_: int
    mistakes_: int


@declared
class DualPerceptron(MistakePasses, CountedMistakes):
    """Perceptron in dual form: it learns how often each row was misclassified, and the weights follow.

    The weights are w = Σ alpha_i y_i x_i, with a 1 appended to each row for the threshold, and equal those of
    `Perceptron` with ``update="sign"``. Only scalar products of rows are used, which `KernelPerceptron`
    replaces by a kernel. With more than two classes there is a perceptron for each against the rest.

    Time grows with mistakes x rows x columns, memory with rows.

    See Also
    --------
    Perceptron : A linear classifier that learns from its mistakes.
    KernelPerceptron : The perceptron in the space of a kernel.

    Examples
    --------
    >>> from hornbook import DualPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = DualPerceptron().fit(X, y)
    >>> model.alpha_.tolist(), model.coef_.tolist(), model.intercept_.tolist()
    ([[2.0, 5.0, 4.0, 7.0]], [[3.0, 2.0]], [-4.0])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns and a threshold"
    objective = "number of rows on the wrong side"
    optimizer = "correction by one wrong row after the other"

    def _fit(self, data: Floats, y: NDArray[np.intp], w: Floats | None) -> None:
        require_classes(np.ones(len(self.classes_)), self.classes_, type(self).__name__)
        warn_scales(self, data)
        # The threshold is the weight of a column of ones, so that one update serves both.
        rows = np.column_stack([data, np.ones(len(data))])
        lengths = np.einsum("ij,ij->i", rows, rows)
        if not np.isfinite(lengths).all():
            refuse_large(type(self).__name__)
        weights = np.ones(len(rows)) if w is None else w
        signs = class_signs(y, len(self.classes_))
        # Row by row of the Gram matrix, which for many rows would not fit into memory.
        members = [MistakeCounts(row, weights, lengths, lambda i: rows @ rows[i]) for row in signs]
        with blas_threads(1):  # so that sums do not depend on threads
            train(self, members, partial(self._keep, rows, signs), "use KernelPerceptron")

    def _keep(self, rows: Floats, signs: Floats, counts: Floats) -> None:
        """Make the learner a usable model, as callbacks see it between passes."""
        theta = (counts * signs) @ rows
        self.alpha_, self.dual_coef_ = counts, np.ascontiguousarray((counts * signs).T)
        self.coef_, self.intercept_ = theta[:, :-1].copy(), theta[:, -1].copy()

    def _describe(self) -> Description:
        settled = "none: all rows are on the right side" if self.mistakes_ == 0 else self.mistakes_
        n = self.alpha_.shape[1]
        facts = {"passes": self.n_iter_, "mistakes in the last pass": settled}
        binary = len(self.alpha_) == 1
        heads = ["misclassified"] if binary else [f"for {label}" for label in self.classes_]
        tables = [
            expansion_table("Rows misclassified most often", self.alpha_.T, heads, np.arange(n)),
            score_table(self.coef_, self.intercept_, self.encoded_names_, self.classes_),
        ]
        return Description(f"Dual perceptron with {len(self.classes_)} classes and {n} rows", facts, tables)

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Dual perceptron: the score is the intercept plus coefficient times value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_classifier(self, self.dual_coef_, np.arange(len(self.dual_coef_)), X, y, ax)
