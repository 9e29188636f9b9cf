"""Linear models: the answer follows from a weighted sum of the columns.

`LinearRegression` predicts numbers by least squares, `Ridge`, `Lasso` and `ElasticNet` with a penalty, for a
whole range of which they give a `CoefficientPath`. `LogLinearRegression` and `GeneralizedLinearRegressor` put
a function between the sum and the answer. `LogisticRegression` takes the sum as the logarithm of the odds of
a class. `LinearDiscriminant`, `BasicLinearClassifier` and `NearestMeanClassifier` follow from the means of
the classes, `Perceptron` from its mistakes, `SurrogateLossClassifier` from surrogates of their number.
`PolynomialRegression`, `PolynomialClassifier` and `GeneralizedLinearClassifier` are linear in products or
other functions of the columns. `project` and `fisher_ratio` compare classes along one direction;
`to_homogeneous` and `from_homogeneous` move a threshold into the weights and out of them.
"""

from __future__ import annotations

from hornbook.linear._basic_linear import BasicLinearClassifier
from hornbook.linear._elastic_net import ElasticNet, Lasso
from hornbook.linear._generalized_linear_classifier import GeneralizedLinearClassifier
from hornbook.linear._generalized_linear_regressor import GeneralizedLinearRegressor
from hornbook.linear._linear_discriminant import LinearDiscriminant
from hornbook.linear._linear_regression import LinearRegression
from hornbook.linear._linear_scores import LinearClassifierMixin as LinearClassifierMixin
from hornbook.linear._linear_scores import from_homogeneous, to_homogeneous
from hornbook.linear._log_linear import LogLinearRegression
from hornbook.linear._logistic_regression import LogisticRegression
from hornbook.linear._nearest_mean import NearestMeanClassifier
from hornbook.linear._perceptron import Perceptron
from hornbook.linear._polynomial_classifier import PolynomialClassifier
from hornbook.linear._polynomial_regression import PolynomialRegression
from hornbook.linear._ridge import Ridge
from hornbook.linear._surrogate_loss import SurrogateLossClassifier
from hornbook.linear.explain._description import score_table as score_table
from hornbook.linear.explain._description import terms_of as terms_of
from hornbook.linear.explain._far_columns import warn_far as warn_far
from hornbook.linear.explain._number_description import coefficient_table as coefficient_table
from hornbook.linear.explain._number_description import draw_numbers as draw_numbers
from hornbook.linear.explain._number_description import linear_prediction as linear_prediction
from hornbook.linear.explain._number_description import linear_working as linear_working
from hornbook.linear.explain._path import CoefficientPath
from hornbook.linear.explain._plot import draw as draw
from hornbook.linear.solvers._active_set import minimize_hinge as minimize_hinge
from hornbook.linear.solvers._fisher import FisherRatio, fisher_ratio, project
from hornbook.linear.solvers._least_squares import Problem as Problem
from hornbook.linear.solvers._least_squares import least_squares as least_squares
from hornbook.linear.solvers._log_loss_sums import LogLossSums as LogLossSums
from hornbook.linear.solvers._log_loss_sums import reweighted as reweighted
from hornbook.linear.solvers._require_classes import require_classes as require_classes
from hornbook.linear.solvers._scatter import Scatter as Scatter
from hornbook.linear.solvers._scatter import moments_of_classes as moments_of_classes
from hornbook.linear.solvers._scatter import refuse_large as refuse_large
from hornbook.linear.solvers._scatter import refuse_wide as refuse_wide
from hornbook.linear.solvers._scatter import total_scatter as total_scatter
from hornbook.linear.solvers._surrogate_objective import SurrogateObjective as SurrogateObjective

__all__ = [
    "BasicLinearClassifier",
    "CoefficientPath",
    "ElasticNet",
    "FisherRatio",
    "GeneralizedLinearClassifier",
    "GeneralizedLinearRegressor",
    "Lasso",
    "LinearDiscriminant",
    "LinearRegression",
    "LogLinearRegression",
    "LogisticRegression",
    "NearestMeanClassifier",
    "Perceptron",
    "PolynomialClassifier",
    "PolynomialRegression",
    "Ridge",
    "SurrogateLossClassifier",
    "fisher_ratio",
    "from_homogeneous",
    "project",
    "to_homogeneous",
]
