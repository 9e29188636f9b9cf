# Written by scripts/lazy_stubs.py.
from hornbook.linear._basic_linear import BasicLinearClassifier as BasicLinearClassifier
from hornbook.linear._elastic_net import ElasticNet as ElasticNet
from hornbook.linear._elastic_net import Lasso as Lasso
from hornbook.linear._generalized_linear_classifier import (
    GeneralizedLinearClassifier as GeneralizedLinearClassifier,
)
from hornbook.linear._generalized_linear_regressor import (
    GeneralizedLinearRegressor as GeneralizedLinearRegressor,
)
from hornbook.linear._linear_discriminant import LinearDiscriminant as LinearDiscriminant
from hornbook.linear._linear_regression import LinearRegression as LinearRegression
from hornbook.linear._linear_scores import LinearClassifierMixin as LinearClassifierMixin
from hornbook.linear._linear_scores import from_homogeneous as from_homogeneous
from hornbook.linear._linear_scores import to_homogeneous as to_homogeneous
from hornbook.linear._log_linear import LogLinearRegression as LogLinearRegression
from hornbook.linear._logistic_regression import LogisticRegression as LogisticRegression
from hornbook.linear._nearest_mean import NearestMeanClassifier as NearestMeanClassifier
from hornbook.linear._perceptron import Perceptron as Perceptron
from hornbook.linear._polynomial_classifier import PolynomialClassifier as PolynomialClassifier
from hornbook.linear._polynomial_regression import PolynomialRegression as PolynomialRegression
from hornbook.linear._ridge import Ridge as Ridge
from hornbook.linear._surrogate_loss import SurrogateLossClassifier as SurrogateLossClassifier
from hornbook.linear.explain._description import score_table as score_table
from hornbook.linear.explain._description import terms_of as terms_of
from hornbook.linear.explain._far_columns import warn_far as warn_far
from hornbook.linear.explain._number_description import coefficient_table as coefficient_table
from hornbook.linear.explain._number_description import draw_numbers as draw_numbers
from hornbook.linear.explain._number_description import linear_prediction as linear_prediction
from hornbook.linear.explain._number_description import linear_working as linear_working
from hornbook.linear.explain._path import CoefficientPath as CoefficientPath
from hornbook.linear.explain._plot import draw as draw
from hornbook.linear.solvers._active_set import minimize_hinge as minimize_hinge
from hornbook.linear.solvers._fisher import FisherRatio as FisherRatio
from hornbook.linear.solvers._fisher import fisher_ratio as fisher_ratio
from hornbook.linear.solvers._fisher import project as project
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

HOMES: dict[str, str]
LENT: dict[str, str]
