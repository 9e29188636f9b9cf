"""Polynomial classifier: a linear boundary among products of the columns."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.linear.features._mapped import Mapped
from hornbook.linear.features._monomials import Monomials, monomials
from hornbook.params import Floats, Range, Tune

__all__ = ["PolynomialClassifier"]


class PolynomialClassifier(Mapped, Classifier):
    """Polynomial classifier: a linear classifier on products of the columns, whose boundary is curved.

    The products of degree up to r take the place of the columns, in the order linear, mixed, pure powers of
    each degree (x1, x2, x1 x2, x1², x2² for two columns; scikit-learn's PolynomialFeatures has x1² before
    x1 x2, and a constant).

    Time and memory grow with rows x products; d columns give (d + r over r) - 1 products. A category counts
    as many columns as it has levels.

    Parameters
    ----------
    degree : int, default 2
        Maximum number of columns multiplied in one product.
    estimator : classifier, optional
        The classifier on the products; `LogisticRegression` when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    estimator_ : classifier
        The fitted classifier on the products.
    map_names_ : ndarray of shape (n_products,)
        Names of the products.
    products_ : Monomials
        The products themselves.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    PolynomialRegression : Least squares over products of columns.
    GeneralizedLinearClassifier : A linear classifier over functions of the columns.

    Examples
    --------
    >>> from hornbook import Perceptron, PolynomialClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["B", "A", "A", "B"]
    >>> model = PolynomialClassifier(estimator=Perceptron()).fit(X, y)
    >>> model.predict(X).tolist(), model.map_names_.tolist()
    (['B', 'A', 'A', 'B'], ['x0', 'x1', 'x0 x1', 'x0^2', 'x1^2'])
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    scale_sensitive: ClassVar[bool] = True

    model_class = "linear function of products of the columns"
    objective = "that of the classifier on the products"
    optimizer = "that of the classifier on the products"

    products_: Monomials

    def __init__(
        self, *, degree: Annotated[int, Range(low=1), Tune(1, 4)] = 2, estimator: Any = None
    ) -> None:
        self.degree = degree
        self.estimator = estimator

    def _fit(self, X: Floats, y: Any, w: Floats | None) -> None:
        # Before anything is computed: the number of products can be rejected at once.
        self.products_ = monomials(X.shape[1], self.degree, type(self).__name__)
        self.map_names_ = np.array(self.products_.names(self.encoded_names_.tolist()), dtype=object)
        super()._fit(X, y, w)

    def _powers(self) -> int:
        return self.degree

    def _map(self, X: Floats) -> Floats:
        return self.products_.apply(X)

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Polynomial classifier of degree {self.degree} on {n} columns"
        return self._mapped_description(title, {"products": len(self.map_names_)})

    def _working(self, X: Floats) -> Working:
        return self._mapped_working("Polynomial classifier: terms of the classifier on the products", X)
