"""Gradient boosting with binned columns."""

from __future__ import annotations

from typing import Annotated

from hornbook.ensembles.gradient_boosting._booster_classifier import BoosterClassifier
from hornbook.ensembles.gradient_boosting._booster_regressor import BoosterRegressor
from hornbook.ensembles.gradient_boosting._faces import HistBooster
from hornbook.params import Range, declared

__all__ = ["HistGradientBoostingClassifier", "HistGradientBoostingRegressor"]


@declared
class HistGradientBoostingClassifier(HistBooster, BoosterClassifier):
    """Gradient boosting for classes on binned columns: larger trees that grow best first, fast on many rows.

    Each tree is a regularized Newton step downhill in the loss (Chen and Guestrin 2016; Ke et al. 2017). It
    has scikit-learn's parameters; unlike there, categories of any number go in as they are, rows can be
    sampled, also by the size of their gradients, and results do not depend on the number of threads.

    See Also
    --------
    GradientBoostingClassifier : Small trees one after the other, for classes.
    RandomForestClassifier : Trees on drawn rows and columns, for classes.

    Examples
    --------
    >>> from hornbook import HistGradientBoostingClassifier, datasets
    >>> model = HistGradientBoostingClassifier(max_iter=20).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist()
    ['setosa', 'virginica']
    """

    objective = "a loss of the scores and the size of the leaves, to second order"


@declared
class HistGradientBoostingRegressor(HistBooster, BoosterRegressor):
    """Gradient boosting for numbers on binned columns: larger trees that grow best first, fast on many rows.

    Each tree is a regularized Newton step downhill in the loss (Chen and Guestrin 2016; Ke et al. 2017). It
    has scikit-learn's parameters; unlike there, categories of any number go in as they are, rows can be
    sampled, also by the size of their gradients, and results do not depend on the number of threads.

    Parameters
    ----------
    quantile : float, optional
        The quantile of ``loss="quantile"``; for ``"huber"``, the share of residuals that are squared, 0.9
        when left out.

    See Also
    --------
    GradientBoostingRegressor : Small trees one after the other, for numbers.
    RandomForestRegressor : Trees on drawn rows and columns, for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import HistGradientBoostingRegressor
    >>> X = np.arange(100.0)[:, None]
    >>> model = HistGradientBoostingRegressor(max_iter=50).fit(X, np.floor(X[:, 0] / 25))
    >>> model.predict([[10.0], [90.0]]).round(2).tolist()
    [0.01, 2.99]
    """

    objective = "a loss of the scores and the size of the leaves, to second order"

    quantile: Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)] | None = None

    def _quantile(self) -> float | None:
        return self.quantile
