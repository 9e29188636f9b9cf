"""The kernel perceptron."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.linear import require_classes
from hornbook.params import Floats, Shape, declared
from hornbook.svm._parameters import KernelChoice, MistakePasses
from hornbook.svm.kernel_learners._description import expansion_table, kernel_terms, two_sided
from hornbook.svm.kernel_learners._kernel_rows import KernelRows
from hornbook.svm.kernel_learners._perceptron_passes import (
    MistakeCounts,
    class_signs,
    train,
)
from hornbook.svm.kernel_learners._plot import draw_classifier

__all__ = ["KernelPerceptron"]


class CountedRows(KernelRows, Classifier):
    """How often each training row was misclassified.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    alpha_ : ndarray of shape (1, n_rows) or (n_classes, n_rows)
        How often each training row was misclassified; with several classes, by each perceptron.
    dual_coef_ : ndarray of shape (n_kept, 1) or (n_kept, n_classes)
        Counts times signs of the stored rows.
    support_ : ndarray of shape (n_kept,)
        Which training rows are stored: those that were ever misclassified; all with a kernel matrix.
    n_iter_ : int
        Number of passes, the last one without mistakes if there was one.
    mistakes_ : int
        Number of mistakes in the last pass.
    history_ : dict
        The number of mistakes in each pass.
    """

    alpha_: Annotated[Floats, Shape("n_scores", "n_rows")]
    dual_coef_: Annotated[Floats, Shape("n_stored", "n_scores")]
    support_: Annotated[NDArray[np.intp], Shape("n_stored")]
    n_iter_: int
    mistakes_: int


@declared
class KernelPerceptron(MistakePasses, KernelChoice, CountedRows):
    """Kernel perceptron (Aizerman, Braverman and Rozonoer 1964): a perceptron in the space of a kernel.

    It counts how often each row was on the wrong side when the rows were presented in their order, again and
    again; the score of a new row is the sum of count times sign times kernel value. scikit-learn has none.
    With more than two classes there is a perceptron for each against the rest.

    Time grows with rows² for the kernel, then with mistakes x rows; memory with rows².

    Parameters
    ----------
    augment : bool, default False
        Whether rows get a further column of 1 before the kernel is computed, which some textbooks do
        (homogeneous coordinates). The linear kernel then has a threshold; Gaussian and Laplacian kernels of a
        given width do not change.

    See Also
    --------
    DualPerceptron : The perceptron written with counts of mistakes.
    SVC : Classifier with a wide margin in the space of a kernel.

    Examples
    --------
    >>> from hornbook import KernelPerceptron
    >>> from hornbook.kernels import Gaussian
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = KernelPerceptron(kernel=Gaussian(sigma=1.0)).fit(X, y)
    >>> model.alpha_.tolist(), model.n_iter_, model.predict(X).tolist()
    ([[1.0, 1.0, 1.0, 1.0]], 2, [0, 1, 1, 0])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of kernel values with the training rows"
    objective = "number of rows on the wrong side"
    optimizer = "correction by one wrong row after the other"

    augment: bool = False

    def _points(self, X: Floats) -> Floats:
        return np.column_stack([X, np.ones(len(X))]) if self.augment else X

    def _fit(self, data: Floats, y: NDArray[np.intp], w: Floats | None) -> None:
        require_classes(np.ones(len(self.classes_)), self.classes_, type(self).__name__)
        if self.augment and self._precomputed:
            raise ValueError(
                "KernelPerceptron: augment=True adds a column to the rows, and a precomputed matrix has "
                "none: leave out augment."
            )
        K = self._gram(data, w)
        self._warn_indefinite(K, "mistakes need not end even where the kernel separates the classes")
        weights = np.ones(len(data)) if w is None else w
        signs = class_signs(y, len(self.classes_))
        # One matrix for all classes, which differ in the signs alone.
        members = [MistakeCounts(row, weights, np.diag(K), K.__getitem__) for row in signs]
        keep = partial(self._keep, data, signs)
        train(self, members, keep, "use a narrower kernel")

    def _keep(self, data: Floats, signs: Floats, counts: Floats) -> None:
        """Make the learner a usable model, as callbacks see it between passes."""
        # Rows that were never wrong have no part in the sum. With a precomputed matrix new rows come with
        # values for all training rows, so all coefficients are kept.
        used = np.full(len(data), True) if self._precomputed else counts.any(axis=0)
        self.alpha_, self.support_ = counts, np.flatnonzero(used)
        self.dual_coef_ = np.ascontiguousarray((counts * signs)[:, used].T)
        self._remember(data[used])

    def _decision(self, X: Floats) -> Floats:
        scores = self._expansion(X, self.dual_coef_)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _describe(self) -> Description:
        settled = "none: all rows are on the right side" if self.mistakes_ == 0 else self.mistakes_
        facts = {
            "kernel": self._kernel_text(),
            "passes": self.n_iter_,
            "mistakes in the last pass": settled,
            "rows that were ever misclassified": int(self.alpha_.any(axis=0).sum()),
        }
        binary = len(self.classes_) == 2
        heads = [f"for {self.classes_[1]}"] if binary else [str(label) for label in self.classes_]
        table = expansion_table("Count times sign, largest first", self.dual_coef_, heads, self.support_)
        title = f"Kernel perceptron with {len(self.classes_)} classes and {self.alpha_.shape[1]} rows"
        return Description(title, facts, [table])

    def _working(self, X: Floats) -> Working:
        terms = kernel_terms(self._values(X)[0], two_sided(self.dual_coef_), self.support_)
        title = "Kernel perceptron: the score is count times sign times kernel value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_classifier(self, self.dual_coef_, self.support_, X, y, ax)
