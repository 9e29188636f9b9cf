"""Fisher's discriminant in the feature space of a kernel."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Table, Term, Transformer, Working
from hornbook.display import Cell
from hornbook.linear import require_classes
from hornbook.params import Floats, Range, Shape, Tune, blas_threads, declared
from hornbook.svm._parameters import KernelChoice
from hornbook.svm.kernel_learners._description import expansion_table, kernel_terms, two_sided
from hornbook.svm.kernel_learners._fisher_directions import fisher_directions
from hornbook.svm.kernel_learners._kernel_rows import KernelRows
from hornbook.svm.kernel_learners._plot import draw_classifier

__all__ = ["KernelDiscriminant"]


class DirectionsOfClasses(KernelRows, Classifier, Transformer):
    """Directions in feature space, and where the classes lie along them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    directions_ : ndarray of shape (n_rows, n_directions)
        The coefficients a, scaled so that w has length 1: aᵀKa = 1; with two classes w points to the second.
    projected_means_ : ndarray of shape (n_classes, n_directions)
        Means of the classes along the directions.
    projected_scatters_ : ndarray of shape (n_classes, n_directions)
        Sums of squares around these means.
    spread_ : ndarray of shape (n_directions,)
        Variance within classes along the directions, regularization included.
    fisher_ratio_ : float
        With two classes: (m1 - m2)² / (s1² + s2²) of projected means and scatters.
    """

    directions_: Annotated[Floats, Shape("n_rows", "n_directions")]
    projected_means_: Annotated[Floats, Shape("n_classes", "n_directions")]
    projected_scatters_: Annotated[Floats, Shape("n_classes", "n_directions")]
    spread_: Annotated[Floats, Shape("n_directions")]
    fisher_ratio_: float


@declared
class KernelDiscriminant(KernelChoice, DirectionsOfClasses):
    """Kernel discriminant (Mika and others 1999): Fisher's discriminant in the feature space of a kernel.

    It finds directions w = Σ a_i φ(x_i) along which the classes lie far apart for their width; a row belongs
    to the class whose mean is nearest along them. scikit-learn has none. As a transformer it returns the
    coordinates along the directions, at most one fewer than classes.

    Time grows with rows³, memory with rows².

    Parameters
    ----------
    regularization : float, default 0.001
        What is added to the diagonal of the scatter N within classes, which is always singular; the larger,
        the smoother the boundary. 0 takes the pseudo-inverse of N instead, which some textbooks need for
        their numbers and which suits kernels with few dimensions, such as polynomials.
    n_components : int, optional
        Number of directions; all when left out.

    See Also
    --------
    LinearDiscriminant : Normal densities with one covariance for all classes.
    SVC : Classifier with a wide margin in the space of a kernel.

    Examples
    --------
    >>> from hornbook import KernelDiscriminant
    >>> from hornbook.kernels import Polynomial
    >>> X, y = [[-2.0], [-1.0], [0.0], [1.0], [2.0]], ["far", "near", "near", "near", "far"]
    >>> model = KernelDiscriminant(regularization=0.0, kernel=Polynomial(2, constant=0.0)).fit(X, y)
    >>> model.transform([[-3.0], [0.5]]).round(4).tolist(), model.predict([[-3.0], [0.5]]).tolist()
    ([[-9.0], [-0.25]], ['far', 'near'])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    supervised: ClassVar[bool] = True
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sums of kernel values with the training rows"
    objective = "scatter between classes over scatter within, in feature space"
    optimizer = "closed form: linear equations and eigenvectors"

    regularization: Annotated[float, Range(low=0.0), Tune(1e-6, 1.0, log=True)] = field(
        default=1e-3, kw_only=False
    )
    n_components: Annotated[int, Range(low=1)] | None = None

    def _fit(self, data: Floats, y: NDArray[np.intp], w: Floats | None) -> None:
        require_classes(np.ones(len(self.classes_)), self.classes_, type(self).__name__)
        k = len(self.classes_)
        # The scatter between k classes has rank k - 1, as the deviations of their means add up to 0, so that
        # there are no more directions than that.
        if self.n_components is not None and self.n_components > k - 1:
            raise ValueError(
                f"KernelDiscriminant: parameter 'n_components' = {self.n_components} cannot be larger than "
                f"n_classes - 1 = {k - 1}: lower it or leave it out."
            )
        K = self._gram(data, w)
        weights = np.ones(len(data)) if w is None else w
        with blas_threads(1):
            fit = fisher_directions(K, y, weights, k, self.regularization, type(self).__name__)
        self._warn_indefinite(K, "the scatter it compares is not that of points in a space")
        kept = slice(self.n_components)
        self.directions_ = np.ascontiguousarray(fit.coef[:, kept])
        self.projected_means_ = np.ascontiguousarray(fit.means[:, kept])
        self.projected_scatters_ = np.ascontiguousarray(fit.scatters[:, kept])
        self.spread_ = fit.spread[kept]
        if k == 2:
            self.fisher_ratio_ = fit.ratio
        self._remember(data)

    def _transform(self, X: Floats) -> Floats:
        return self._expansion(X, self.directions_)

    def _n_new_columns(self) -> int:
        return len(self.spread_)

    def _class_weights(self) -> tuple[Floats, Floats]:
        """Coefficients of the coordinates in the score of each class, and the constant terms.

        The score is minus half the squared distance to the projected mean, in units of the spread, without
        what all classes share; for two classes there is the difference of their scores alone.
        """
        # Squares of the distances from the means differ between classes by linear terms only, as in linear
        # discriminant analysis. They are taken around the center of the means, where they do not cancel.
        center = self.projected_means_.mean(axis=0)
        pull = (self.projected_means_ - center) / self.spread_
        constant = -(pull * ((self.projected_means_ - center) / 2 + center)).sum(axis=1)
        if len(pull) == 2:
            return pull[1:] - pull[:1], constant[1:] - constant[:1]
        return pull, constant

    def _decision(self, X: Floats) -> Floats:
        pull, constant = self._class_weights()
        scores = self._transform(X) @ pull.T + constant
        return np.asarray(scores[:, 0] if len(pull) == 1 else scores)

    def _describe(self) -> Description:
        n, k = len(self.directions_), len(self.classes_)
        facts: dict[str, Any] = {"kernel": self._kernel_text(), "regularization": self.regularization}
        if k == 2:
            facts["Fisher's ratio"] = self.fisher_ratio_
        names = [str(name) for name in self.get_feature_names_out()]
        means: list[list[Cell]] = [
            [str(label), *map(float, row)]
            for label, row in zip(self.classes_, self.projected_means_, strict=True)
        ]
        tables = [
            Table("Means along the directions", ["class", *names], means),
            expansion_table("Largest coefficients", self.directions_, names, np.arange(n)),
        ]
        return Description(f"Kernel discriminant with {k} classes and {n} rows", facts, tables)

    def _working(self, X: Floats) -> Working:
        pull, constant = self._class_weights()
        terms = [Term("constant", two_sided(constant[None])[0].tolist())]
        coef = two_sided(self.directions_ @ pull.T)
        terms += kernel_terms(self._values(X)[0], coef, np.arange(len(coef)))
        title = "Kernel discriminant: the score is the constant plus coefficient times kernel value"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_classifier(self, self.directions_, np.arange(len(self.directions_)), X, y, ax)
