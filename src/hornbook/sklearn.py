"""scikit-learn's class names for our learners: change the import, and nothing else.

Learners that both have share their name; those whose names differ are in one table.

>>> from hornbook.sklearn import LinearDiscriminantAnalysis
>>> LinearDiscriminantAnalysis
<class 'hornbook.linear._linear_discriminant.LinearDiscriminant'>
"""

from __future__ import annotations

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


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name not in RENAMED and name not in LEARNERS:
        raise AttributeError(f"module 'hornbook.sklearn' has no attribute {name!r}")
    return learner_class(RENAMED.get(name, name))


def __dir__() -> list[str]:
    return sorted([*RENAMED, *LEARNERS])
