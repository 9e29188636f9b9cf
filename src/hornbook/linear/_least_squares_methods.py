"""What linear and ridge regression have in common: a direct solution, for one target or several."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Regressor
from hornbook.linear.explain._number_description import draw_numbers, linear_prediction
from hornbook.params import Floats, Shape

__all__ = ["LeastSquaresMethods"]


class LeastSquaresMethods(Regressor):
    """Attributes and predictions of linear and ridge regression.

    Attributes
    ----------
    coef_ : ndarray of shape (n_encoded,) or (n_targets, n_encoded)
        Weights of the encoded columns.
    intercept_ : float or ndarray of shape (n_targets,)
        The constant term.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)

    model_class = "weighted sum of the columns"
    optimizer = "closed form: normal equations, or orthogonal factors where those lose digits"

    coef_: Annotated[Floats, Shape("n_encoded"), Shape("n_targets", "n_encoded")]
    intercept_: float | Annotated[Floats, Shape("n_targets")]
    reference_levels_: NDArray[np.int64]

    def _predict(self, X: Floats) -> Floats:
        return linear_prediction(X, self.coef_, self.intercept_)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)
