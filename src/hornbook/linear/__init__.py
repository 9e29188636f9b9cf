"""Linear models: the answer follows from a weighted sum of the columns.

`LinearRegression` and `Ridge` predict numbers by least squares, without and with a penalty.
`LogisticRegression` takes the sum as the logarithm of the odds of a class.
"""

from __future__ import annotations

from hornbook.linear._linear_regression import LinearRegression
from hornbook.linear._logistic_regression import LogisticRegression
from hornbook.linear._ridge import Ridge

__all__ = ["LinearRegression", "LogisticRegression", "Ridge"]
