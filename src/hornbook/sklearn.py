"""scikit-learn's class names for our learners: change the import, and nothing else.

Learners that both have share their name; those whose names differ are in one table, and so are the few
parameters whose default differs. Where there are any, the class is made here, and what it constructs is our
learner with scikit-learn's values: a learner like any other, which can be cloned, pickled and saved.

>>> from hornbook.sklearn import LinearDiscriminantAnalysis
>>> LinearDiscriminantAnalysis
<class 'hornbook.linear._linear_discriminant.LinearDiscriminant'>
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import signature
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

# Parameters with another default than ours, with which the results are scikit-learn's.
DEFAULTS: dict[str, dict[str, object]] = {
    "GaussianNB": {"var_scale": "largest"},
    "KNeighborsClassifier": {"ties": "first"},
    "RadiusNeighborsClassifier": {"outlier_label": None, "ties": "first"},
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
    ours = learner_class(RENAMED.get(name, name))
    return _with_defaults(name, ours) if name in DEFAULTS else ours


@cache
def _with_defaults(name: str, ours: type[Any]) -> type[Any]:
    """A class that constructs our learner with scikit-learn's defaults."""

    class Made(type(ours)):  # type: ignore[misc]  # a class of classes that is known at run time
        def __call__(cls, *args: Any, **parameters: Any) -> Any:
            if cls is not made:  # somebody's own subclass
                return super().__call__(*args, **parameters)
            return ours(*args, **(DEFAULTS[name] | parameters))

        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, ours) if cls is made else super().__instancecheck__(instance)

    signs = signature(ours)
    shown = [
        parameter.replace(default=DEFAULTS[name].get(key, parameter.default))
        for key, parameter in signs.parameters.items()
    ]
    text = {"__doc__": ours.__doc__, "__signature__": signs.replace(parameters=shown)}
    made = Made(name, (ours,), {"__module__": __name__, **text})
    return made


@cache
def _register(name: str) -> None:
    """Make our class count as a subclass of scikit-learn's."""
    getattr(import_module(ASKED_BY_TYPE[name]), name).register(learner_class(name))


def __dir__() -> list[str]:
    return sorted([*RENAMED, *LEARNERS])
