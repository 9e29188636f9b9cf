"""Linear models: the answer follows from a weighted sum of the columns.

`LogisticRegression` takes the sum as the logarithm of the odds of a class.
"""

from __future__ import annotations

from hornbook.linear._logistic_regression import LogisticRegression

__all__ = ["LogisticRegression"]
