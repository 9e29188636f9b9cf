"""scikit-learn's class names for our learners: change the import, and nothing else.

Learners that both have share their name; those whose names differ are in one table.

>>> from hornbook.sklearn import LinearDiscriminantAnalysis
>>> LinearDiscriminantAnalysis
<class 'hornbook.linear._linear_discriminant.LinearDiscriminant'>
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from hornbook.registry import LEARNERS, learner_class

# Names of scikit-learn that differ from ours.
RENAMED: dict[str, str] = {
    "CalibratedClassifierCV": "Calibrated",
    "GaussianNB": "NaiveBayes",
    "LinearDiscriminantAnalysis": "LinearDiscriminant",
    "NearestCentroid": "NearestMeanClassifier",
    "OneVsOneClassifier": "OneVsOne",
    "OneVsRestClassifier": "OneVsRest",
    "OutputCodeClassifier": "OutputCodes",
}

# Where scikit-learn has the classes that its exporters and `shap.TreeExplainer` ask for by type. Taken from
# here, ours are registered as their subclasses (PEP 3119).
ASKED_BY_TYPE: dict[str, str] = {
    "DecisionTreeClassifier": "sklearn.tree",
    "DecisionTreeRegressor": "sklearn.tree",
    "ExtraTreesClassifier": "sklearn.ensemble",
    "ExtraTreesRegressor": "sklearn.ensemble",
    "RandomForestClassifier": "sklearn.ensemble",
    "RandomForestRegressor": "sklearn.ensemble",
}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name not in RENAMED and name not in LEARNERS:
        raise AttributeError(f"module 'hornbook.sklearn' has no attribute {name!r}")
    if name in ASKED_BY_TYPE:
        _register(name)
        for tree in ("DecisionTreeClassifier", "DecisionTreeRegressor"):  # also those of a forest
            _register(tree)
    return learner_class(RENAMED.get(name, name))


@cache
def _register(name: str) -> None:
    """Make our class count as a subclass of scikit-learn's."""
    getattr(import_module(ASKED_BY_TYPE[name]), name).register(learner_class(name))


def __dir__() -> list[str]:
    return sorted([*RENAMED, *LEARNERS])
