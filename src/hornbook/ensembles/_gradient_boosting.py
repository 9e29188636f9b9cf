"""Gradient boosting with exact thresholds."""

from __future__ import annotations

from typing import Annotated

from hornbook.ensembles.gradient_boosting._booster_classifier import BoosterClassifier
from hornbook.ensembles.gradient_boosting._booster_regressor import BoosterRegressor
from hornbook.ensembles.gradient_boosting._faces import ExactBooster
from hornbook.params import Range, declared

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]


@declared
class GradientBoostingClassifier(ExactBooster, BoosterClassifier):
    """Gradient boosting for classes: small trees, each of which corrects what the others together get wrong.

    Each tree is fitted to the gradient of the loss and moves the scores of its rows a little downhill
    (Friedman 2001). It has scikit-learn's parameters; unlike there, categories and missing values go in as
    they are, a tree can be any regressor, and Newton steps and losses of one's own are options.

    See Also
    --------
    HistGradientBoostingClassifier : Boosting on binned columns, for classes.
    RandomForestClassifier : Trees on drawn rows and columns, for classes.

    Examples
    --------
    >>> from hornbook import GradientBoostingClassifier, datasets
    >>> model = GradientBoostingClassifier(n_estimators=20).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist()
    ['setosa', 'virginica']
    """

    objective = "a loss of the scores: log loss, exponential loss, or a custom one"


@declared
class GradientBoostingRegressor(ExactBooster, BoosterRegressor):
    """Gradient boosting for numbers: small trees, each of which corrects what the others together get wrong.

    Each tree is fitted to the gradient of the loss, the residuals for squared error, and moves the scores of
    its rows a little downhill (Friedman 2001). It has scikit-learn's parameters; unlike there, categories and
    missing values go in as they are, a tree can be any regressor, and there are more losses.

    Parameters
    ----------
    alpha : float
        The quantile of ``loss="quantile"``; for ``"huber"``, the share of residuals that are squared.

    See Also
    --------
    HistGradientBoostingRegressor : Boosting on binned columns, for numbers.
    RandomForestRegressor : Trees on drawn rows and columns, for numbers.

    Examples
    --------
    >>> from hornbook import GradientBoostingRegressor
    >>> model = GradientBoostingRegressor(n_estimators=50, max_depth=1)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round(2).tolist()
    [1.01, 4.99]
    """

    objective = (
        "a loss of the scores: squared, absolute, Huber, quantile, Poisson, gamma, Tweedie, or a custom one"
    )

    alpha: Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)] = 0.9

    def _quantile(self) -> float | None:
        return self.alpha
