"""Lasso and elastic net."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from hornbook.linear._parameters import CoordinateSweeps, Intercept, LinearWork, OrderOfWork, UntouchedRows
from hornbook.linear._penalized import PenalizedRegressor
from hornbook.params import Range, Tune, declared

__all__ = ["ElasticNet", "Lasso"]


@declared
class ElasticNet(LinearWork, OrderOfWork, UntouchedRows, CoordinateSweeps, Intercept, PenalizedRegressor):
    """Elastic net: least squares with a penalty on absolute values and squares of the weights.

    Absolute values make some weights exactly 0, squares share the weight among correlated columns (Zou and
    Hastie 2005). Unlike scikit-learn's, it takes categories and missing cells (through its Encoder) and reads
    files larger than memory: after one pass over the rows, all work is on the products of columns. With fewer
    rows than columns it works on the rows, and on products of the columns that matter.

    Time grows with rows x columns² and sweeps x columns², memory with columns²; of few rows with rows x
    columns. A category counts as many columns as it has levels.

    Parameters
    ----------
    alpha : float, default 1.0
        Weight of the penalty: half the mean squared error plus
        alpha (l1_ratio sum |w| + (1 - l1_ratio) sum w² / 2) is minimized. The intercept is not penalized.
    l1_ratio : float, default 0.5
        Weight of the absolute values in the penalty, against the squares.

    See Also
    --------
    Ridge : Least squares with a squared penalty.
    Lasso : Least squares with an absolute penalty.

    Examples
    --------
    >>> from hornbook import ElasticNet
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], [0.0, 1.0, 2.0, 3.0]
    >>> ElasticNet(alpha=0.1).fit(X, y).coef_.round(3).tolist()
    [0.923, 0.0]
    """

    title = "Elastic net"
    objective = "mean squared error plus a penalty on absolute values and squares of the weights"

    alpha: Annotated[float, Range(low=0.0), Tune(1e-4, 1e2, log=True)] = field(default=1.0, kw_only=False)
    l1_ratio: Annotated[float, Range(low=0.0, high=1.0), Tune(0.0, 1.0)] = 0.5

    def _l1_ratio(self) -> float:
        return self.l1_ratio


@declared
class Lasso(LinearWork, OrderOfWork, UntouchedRows, CoordinateSweeps, Intercept, PenalizedRegressor):
    """Lasso: least squares with a penalty on the absolute values of the weights.

    The penalty makes some weights exactly 0, so that the model also selects columns (Tibshirani 1996). It is
    the elastic net without squares. Unlike scikit-learn's, it takes categories and missing cells (through its
    Encoder) and reads files larger than memory.

    Time grows with rows x columns² and sweeps x columns², memory with columns²; of few rows with rows x
    columns. A category counts as many columns as it has levels.

    Parameters
    ----------
    alpha : float, default 1.0
        Weight of the penalty: half the mean squared error plus alpha sum |w| is minimized. The intercept is
        not penalized.

    See Also
    --------
    Ridge : Least squares with a squared penalty.
    ElasticNet : Least squares with absolute and squared penalties.

    Examples
    --------
    >>> from hornbook import Lasso
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], [0.0, 1.0, 2.0, 3.0]
    >>> Lasso(alpha=0.1).fit(X, y).coef_.round(3).tolist()
    [0.92, 0.0]
    """

    title = "Lasso"
    objective = "mean squared error plus a penalty on the absolute values of the weights"

    alpha: Annotated[float, Range(low=0.0), Tune(1e-4, 1e2, log=True)] = field(default=1.0, kw_only=False)

    def _l1_ratio(self) -> float:
        return 1.0
