"""Extremely randomized trees for classes and for numbers."""

from __future__ import annotations

from typing import ClassVar

from hornbook.ensembles.forests._forest_classifier import ForestClassifier
from hornbook.ensembles.forests._forest_regressor import ForestRegressor
from hornbook.ensembles.forests._parameters import ClassSearch, NumberSearch
from hornbook.params import declared
from hornbook.trees import Thresholds

__all__ = ["ExtraTreesClassifier", "ExtraTreesRegressor"]

_TITLE = "Extra trees"
_OPTIMIZER = "the best of a few drawn splits, from the root downward"


@declared
class ExtraTreesClassifier(ClassSearch, ForestClassifier):
    """Extremely randomized trees for classes: many trees whose thresholds are drawn, that vote.

    Each column that competes in a node proposes one threshold drawn evenly between its smallest and largest
    value there, or one drawn set of the categories that occur, and the best proposal is taken (Geurts, Ernst
    and Wehenkel 2006). Unlike in scikit-learn, categories and missing values go in as they are.

    See Also
    --------
    RandomForestClassifier : Trees on drawn rows and columns, for classes.
    TotallyRandomTreesClassifier : Forest with random splits, for classes.

    Examples
    --------
    >>> from hornbook import ExtraTreesClassifier, datasets
    >>> model = ExtraTreesClassifier(50, random_state=0).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist()
    ['setosa', 'virginica']
    """

    title = _TITLE
    objective = "purity of the leaves, one drawn split at a time"
    optimizer = _OPTIMIZER
    thresholds: ClassVar[Thresholds] = "random"

    bootstrap: bool = False


@declared
class ExtraTreesRegressor(NumberSearch, ForestRegressor):
    """Extremely randomized trees for numbers: the mean of many trees whose thresholds are drawn.

    The splits are those of `ExtraTreesClassifier`: the best of one drawn proposal for each column that
    competes.

    See Also
    --------
    RandomForestRegressor : Trees on drawn rows and columns, for numbers.
    TotallyRandomTreesRegressor : Forest with random splits, for numbers.

    Examples
    --------
    >>> from hornbook import ExtraTreesRegressor
    >>> model = ExtraTreesRegressor(50, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round().tolist()
    [1.0, 5.0]
    """

    title = _TITLE
    objective = "squared or absolute error within the leaves, one drawn split at a time"
    optimizer = _OPTIMIZER
    thresholds: ClassVar[Thresholds] = "random"

    bootstrap: bool = False
