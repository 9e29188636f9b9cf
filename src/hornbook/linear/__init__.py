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

from hornbook._lazy import attach

HOMES = {
    "BasicLinearClassifier": "_basic_linear",
    "CoefficientPath": "explain._path",
    "ElasticNet": "_elastic_net",
    "FisherRatio": "solvers._fisher",
    "GeneralizedLinearClassifier": "_generalized_linear_classifier",
    "GeneralizedLinearRegressor": "_generalized_linear_regressor",
    "Lasso": "_elastic_net",
    "LinearDiscriminant": "_linear_discriminant",
    "LinearRegression": "_linear_regression",
    "LogisticRegression": "_logistic_regression",
    "LogLinearRegression": "_log_linear",
    "NearestMeanClassifier": "_nearest_mean",
    "Perceptron": "_perceptron",
    "PolynomialClassifier": "_polynomial_classifier",
    "PolynomialRegression": "_polynomial_regression",
    "Ridge": "_ridge",
    "SurrogateLossClassifier": "_surrogate_loss",
    "fisher_ratio": "solvers._fisher",
    "from_homogeneous": "_linear_scores",
    "project": "solvers._fisher",
    "to_homogeneous": "_linear_scores",
}

# Lent to other packages, not for users.
LENT = {
    "LinearClassifierMixin": "_linear_scores",
    "LogLossSums": "solvers._log_loss_sums",
    "Problem": "solvers._least_squares",
    "Scatter": "solvers._scatter",
    "SurrogateObjective": "solvers._surrogate_objective",
    "coefficient_table": "explain._number_description",
    "draw": "explain._plot",
    "draw_numbers": "explain._number_description",
    "least_squares": "solvers._least_squares",
    "linear_prediction": "explain._number_description",
    "linear_working": "explain._number_description",
    "minimize_hinge": "solvers._active_set",
    "moments_of_classes": "solvers._scatter",
    "refuse_large": "solvers._scatter",
    "refuse_wide": "solvers._scatter",
    "require_classes": "solvers._require_classes",
    "reweighted": "solvers._log_loss_sums",
    "score_table": "explain._description",
    "terms_of": "explain._description",
    "total_scatter": "solvers._scatter",
    "warn_far": "explain._far_columns",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)
