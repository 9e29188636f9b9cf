"""Random forests for classes and for numbers."""

from __future__ import annotations

from hornbook.ensembles.forests._forest_classifier import ForestClassifier
from hornbook.ensembles.forests._forest_regressor import ForestRegressor
from hornbook.ensembles.forests._parameters import ClassSearch, NumberSearch
from hornbook.params import declared
from hornbook.trees import CategorySplits, RandomSplits

__all__ = ["RandomForestClassifier", "RandomForestRegressor"]

_TITLE = "Random forest"
_OPTIMIZER = "greedy search from the root downward on drawn rows and columns"


@declared
class RandomForestClassifier(RandomSplits, CategorySplits, ClassSearch, ForestClassifier):
    """Random forest for classes: many trees, each on its own rows and choice of columns, that vote.

    Single trees overfit their rows; trees that differ make different mistakes, and the mean of many evens
    them out (Breiman 2001). Unlike in scikit-learn, categories and missing values go in as they are, the
    rules of the notes can be mixed freely, and the forest does not depend on the number of threads.

    See Also
    --------
    ExtraTreesClassifier : Forest with random thresholds, for classes.
    HistGradientBoostingClassifier : Boosting on binned columns, for classes.

    Examples
    --------
    >>> from hornbook import RandomForestClassifier, datasets
    >>> model = RandomForestClassifier(50, random_state=0).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist()
    ['setosa', 'virginica']
    """

    title = _TITLE
    objective = "purity of the leaves, one split at a time"
    optimizer = _OPTIMIZER


@declared
class RandomForestRegressor(RandomSplits, CategorySplits, NumberSearch, ForestRegressor):
    """Random forest for numbers: the mean of many trees, each on its own rows and choice of columns.

    Trees that differ make different mistakes, and their mean varies less than each of them (Breiman 2001).
    Unlike in scikit-learn, categories and missing values go in as they are, and the forest does not depend
    on the number of threads.

    See Also
    --------
    ExtraTreesRegressor : Forest with random thresholds, for numbers.
    HistGradientBoostingRegressor : Boosting on binned columns, for numbers.

    Examples
    --------
    >>> from hornbook import RandomForestRegressor
    >>> model = RandomForestRegressor(50, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round().tolist()
    [1.0, 5.0]
    """

    title = _TITLE
    objective = "squared or absolute error within the leaves, one split at a time"
    optimizer = _OPTIMIZER
