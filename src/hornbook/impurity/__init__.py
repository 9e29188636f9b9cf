"""How mixed a set is, and how much a split gains.

Impurities take the weights of the classes in a set. Gains take a table with a row for each branch of a
split and a column for each class; `gain` looks them up by the name that trees use as ``criterion``. All
logarithms have base 2.
"""

from __future__ import annotations

from hornbook.impurity._gains import (
    CRITERIA,
    cart_measure,
    gain,
    gain_ratio,
    impurity_decrease,
    information_gain,
    intrinsic_value,
    quadratic_gain,
    split_impurity,
    symmetric_gain_ratio,
)
from hornbook.impurity._impurities import (
    IMPURITIES,
    absolute_deviation,
    daroczy_entropy,
    entropy,
    gini,
    impurity,
    misclassification,
    purity,
    quadratic_entropy,
    variance,
)
from hornbook.impurity._missing import known_gain

__all__ = [
    "CRITERIA",
    "IMPURITIES",
    "absolute_deviation",
    "cart_measure",
    "daroczy_entropy",
    "entropy",
    "gain",
    "gain_ratio",
    "gini",
    "impurity",
    "impurity_decrease",
    "information_gain",
    "intrinsic_value",
    "known_gain",
    "misclassification",
    "purity",
    "quadratic_entropy",
    "quadratic_gain",
    "split_impurity",
    "symmetric_gain_ratio",
    "variance",
]
