"""Totally randomized trees for classes and for numbers."""

from __future__ import annotations

from typing import ClassVar

from hornbook.ensembles.forests._forest_classifier import ForestClassifier
from hornbook.ensembles.forests._forest_regressor import ForestRegressor
from hornbook.params import declared
from hornbook.trees import Thresholds

__all__ = ["TotallyRandomTreesClassifier", "TotallyRandomTreesRegressor"]

_TITLE = "Totally random trees"
_OPTIMIZER = "drawn splits, from the root downward"


@declared
class TotallyRandomTreesClassifier(ForestClassifier):
    """Totally randomized trees for classes: splits are drawn blindly, and only the leaves know the classes.

    Each node takes a random column and a random threshold regardless of the target, which decides only the
    values of the leaves and when to stop: extremely randomized trees with one column (Geurts, Ernst and
    Wehenkel 2006). scikit-learn has them as ``ExtraTrees`` with ``max_features=1``.

    See Also
    --------
    ExtraTreesClassifier : Forest with random thresholds, for classes.
    RandomForestClassifier : Trees on drawn rows and columns, for classes.

    Examples
    --------
    >>> from hornbook import TotallyRandomTreesClassifier, datasets
    >>> model = TotallyRandomTreesClassifier(50, random_state=0).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist()
    ['setosa', 'virginica']
    """

    title = _TITLE
    objective = "none for the splits; class frequencies of the rows in the leaves"
    optimizer = _OPTIMIZER
    thresholds: ClassVar[Thresholds] = "random"
    # One drawn column and one drawn threshold: there is no choice left for a criterion to make.
    max_features = 1
    criterion = "gini"

    bootstrap: bool = False


@declared
class TotallyRandomTreesRegressor(ForestRegressor):
    """Totally randomized trees for numbers: splits are drawn blindly, and only the leaves know the numbers.

    The splits are those of `TotallyRandomTreesClassifier`: a random column and a random threshold.

    See Also
    --------
    ExtraTreesRegressor : Forest with random thresholds, for numbers.
    RandomForestRegressor : Trees on drawn rows and columns, for numbers.

    Examples
    --------
    >>> from hornbook import TotallyRandomTreesRegressor
    >>> model = TotallyRandomTreesRegressor(50, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round().tolist()
    [1.0, 5.0]
    """

    title = _TITLE
    objective = "none for the splits; means of the rows in the leaves"
    optimizer = _OPTIMIZER
    thresholds: ClassVar[Thresholds] = "random"
    max_features = 1
    criterion = "squared_error"

    bootstrap: bool = False
