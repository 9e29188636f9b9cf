"""Every registered learner in the settings that deserve their own contract, and a table to try them on."""

from __future__ import annotations

from inspect import signature

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags

from hornbook import LinearDiscriminant
from hornbook.clustering import PolynomialTransform
from hornbook.registry import LEARNERS, learner_class

# Settings beside the default that take another way through the code.
VARIANTS = {
    "AODE": [
        {"density": "gaussian", "min_count": 5.0},
        {"lazy": True, "include_self": True},
        {"smoothing": "zero_only"},
    ],
    "AdaBoostClassifier": [
        {"variant": "real", "estimator": learner_class("NaiveBayes")()},
        {"variant": "logit", "method": "resample"},
    ],
    "BaggingClassifier": [
        {"estimator": learner_class("NaiveBayes")(), "vote": "hard", "ties": "confidence"},
        {"bootstrap": False, "max_features": 0.5, "bootstrap_features": True},
    ],
    "BaggingRegressor": [{"estimator": learner_class("KNeighborsRegressor")(), "max_features": 0.5}],
    "Baseline": [{"strategy": "mean"}, {"strategy": "median"}, {"strategy": "most_frequent"}],
    "BayesClassifier": [
        {"density": "bins", "smoothing": "zero_only"},
        {"lazy": True},
        {"variance": "unbiased", "smooth_prior": True},
    ],
    "ElasticNet": [{"alpha": 0.01, "tol": 1e-9, "l1_ratio": 0.0}],
    "Calibrated": [
        {"method": "isotonic", "estimator": learner_class("NaiveBayes")(), "ensemble": False},
        {"method": "temperature", "cv": 3},
    ],
    "ConjunctiveConcept": [{"hypothesis": "general"}],
    "CostSensitive": [
        {"method": "decision", "estimator": learner_class("NaiveBayes")()},
    ],
    "CrossValidatedCommittee": [{"vote": "hard", "ties": "random"}],
    "BayesianVoting": [
        {"estimators": [learner_class("NaiveBayes")(), learner_class("DecisionStump")()], "cv": None},
        {"estimators": learner_class("KNeighborsClassifier")(), "grid": {"n_neighbors": [1, 5]}},
    ],
    "BayesianNetwork": [{"alpha": 0.1, "n_bins": 3}],
    "DecisionStump": [{"splits": "multiway", "criterion": "gain_ratio"}],
    "DecisionTreeClassifier": [
        {"criterion": "entropy", "splits": "multiway", "missing": "fractional"},
        {"max_bins": 8, "max_leaf_nodes": 6, "class_weight": "balanced"},
        {"max_bins": 32, "splits": "multiway", "criterion": "entropy"},
        {"criterion": "cart", "subset_size": 1, "pruning": "pessimistic"},
    ],
    "DecisionTreeRegressor": [
        {"criterion": "absolute_error", "max_depth": 4},
        {"splits": "multiway", "missing": "fractional", "min_gain": 0.0},
        {"ccp_alpha": 0.01, "max_bins": 16},
    ],
    "ElmanClassifier": [{"hidden_size": 3, "alpha": 1.0, "tol": 0.1}],
    "Encoder": [{"scale": "standard", "missing": "indicate"}],
    "ExtraTreesClassifier": [
        {"bootstrap": True, "subspace": "tree", "vote": "hard"},
        {"max_bins": 16, "class_weight": "balanced"},
    ],
    "ExtraTreesRegressor": [{"missing": "fractional"}],
    "GradientBoostingClassifier": [
        {"step": "newton", "leaf": "exact", "learning_rate": 0.1},
    ],
    "GradientBoostingRegressor": [
        {"max_bins": 16, "ccp_alpha": 1e-4, "leaf": "exact"},
        {"estimator": learner_class("LinearRegression")(), "loss": "absolute_error"},
    ],
    "HistGradientBoostingRegressor": [{"loss": "quantile", "quantile": 0.7, "l2_regularization": 1.0}],
    "FuzzyCMeans": [{"kind": "noise", "fuzzifier": PolynomialTransform(0.3)}],
    "KMeans": [
        {"init": "random", "n_init": 2, "tol": 0.0},
        {"init": "uniform", "n_clusters": 2},
        {"batch_size": 25},
    ],
    "KMedoids": [{"method": "alternate", "metric": "gower", "init": "build"}],
    "MetricLearner": [{"form": "full"}],
    "KernelKMeans": [{"distance": "average", "kernel": "laplacian"}],
    "KNNDensity": [{"n_neighbors": 9, "p": 1.0}],
    "GeneralizedLinearRegressor": [
        {"family": "poisson"},
        {"family": "gamma", "link": "log"},
        {"link": "log"},
    ],
    "KNeighborsClassifier": [
        {"weights": "distance", "n_neighbors": 4},
        {"metric": "gower", "radius": 0.3, "ties": "first"},
        {"metric": "vdm", "ties": "random", "random_state": 0, "n_neighbors": 2},
    ],
    "KNeighborsRegressor": [{"weights": "distance", "p": 1.0}, {"metric": "chebyshev", "radius": 1.0}],
    "Lasso": [{"alpha": 0.01, "tol": 1e-12, "max_iter": 10_000}],
    "LinearDiscriminant": [
        {"solver": "eigen", "n_components": 1},
        {"solver": "direct", "threshold": "midpoint"},
    ],
    "LinearSVC": [
        {"loss": "hinge", "C": 0.5, "class_weight": "balanced"},
        {"dual": True, "tol": 1e-12, "max_iter": 5000, "C": 1e-3},
        {"penalty": "l1", "tol": 1e-10},
    ],
    "LinearSVR": [
        {"loss": "squared_epsilon_insensitive", "epsilon": 0.1, "tol": 1e-8},
        {"loss": "squared_epsilon_insensitive", "dual": True, "tol": 1e-11, "max_iter": 20_000, "C": 0.02},
    ],
    "LogisticRegression": [
        {"solver": "lbfgs", "class_weight": "balanced"},
        {"l1_ratio": 1.0},
        {"solver": "lbfgs", "l1_ratio": 0.5, "C": 0.3},
    ],
    "LVQClassifier": [
        {"variant": "lvq3", "eta0": 0.01, "prototypes": 2, "init": "random"},
        {"variant": "glvq", "learning_rate": "inverse", "prototypes": 2},
    ],
    "MLPClassifier": [
        {"solver": "rprop", "loss": "squared_error", "activation": "logistic", "penalty": "elimination"},
        {
            "solver": "sgd",
            "dropout": 0.1,
            "precision": "single",
            "early_stopping": True,
            "learning_rate_init": 0.3,
        },
    ],
    "MLPRegressor": [
        {"solver": "lbfgs", "activation": "tanh", "tol": 0.05, "deleted_connections": 0.2, "restarts": 1},
    ],
    "NaiveBayes": [
        {"density": "kernel"},
        {"density": "bins"},
        {"lazy": True},
        {"variance": "unbiased", "smoothing": "zero_only", "smooth_prior": True},
    ],
    "RBFNetworkClassifier": [
        {"centers": "random", "basis": "inverse_quadratic", "alpha": 0.1},
        {"output": "rls", "delta": 1.0, "max_iter": 2, "width": "common"},
    ],
    "RBFNetworkRegressor": [
        {"centers": "trained", "alpha": 0.1, "tol": 0.02, "n_centers": 3},
        {"output": "rls", "delta": 1.0, "basis": "inverse_quadratic", "n_centers": 10},
    ],
    "RandomForestClassifier": [
        {"vote": "hard", "splits": "multiway", "missing": "fractional"},
        {"split": "top_k", "max_random_splits": 2, "class_weight": "balanced"},
    ],
    "RandomForestRegressor": [{"split": "proportional", "max_features": "third", "max_bins": 16}],
    "Scaled": [{"scale": "range"}],
    "NearestMeanClassifier": [{"metric": "mahalanobis"}, {"metric": "minkowski", "p": 3.0}],
    "Perceptron": [{"update": "sign", "eta0": 0.5}],
    "PolynomialClassifier": [{"degree": 1, "estimator": LinearDiscriminant()}],
    "OneVsOne": [{"estimator": learner_class("KNeighborsClassifier")()}],
    "OneVsRest": [{"estimator": learner_class("NaiveBayes")()}],
    "OutputCodes": [
        {"code": "exhaustive", "decoding": "logistic"},
        {"code": "one_vs_one", "decoding": "exponential"},
        {"decoding": "euclidean", "unused": 0.3, "code_size": 3.0},
    ],
    "SPODE": [{"super_parent": 0, "smoothing": "zero_only"}, {"density": "gaussian"}, {"lazy": True}],
    "TAN": [
        {"density": "gaussian"},
        {"lazy": True, "information": "per_class"},
        {"smoothing": "zero_only", "smooth_prior": True},
    ],
    "OutlierEnsemble": [{"methods": ("forest",), "cv": None}],
    "OverSampler": [{"ratio": 0.5, "estimator": learner_class("KNeighborsClassifier")()}],
    "UnderSampler": [{"ratio": 0.5, "estimator": learner_class("NaiveBayes")()}],
    "ThresholdMoving": [{"estimator": learner_class("NaiveBayes")()}],
    "ThresholdNetwork": [{"units": "bipolar", "max_depth": 3}],
    "VotingClassifier": [{"voting": "soft", "rule": "product", "weights": [1, 2, 3]}],
    "RadiusNeighborsRegressor": [{"radius": 2.0, "weights": "distance", "metric": "manhattan"}],
    "RadiusNeighborsClassifier": [{"radius": 2.0, "weights": "distance", "metric": "manhattan"}],
    "StackingClassifier": [
        {
            "cv": "none",
            "stack_method": "predict",
            "passthrough": True,
            "final_estimator": learner_class("NaiveBayes")(),
        }
    ],
    "SurrogateLossClassifier": [
        {"loss": "squared_hinge", "penalty": "l1"},
        {"loss": "squared_error", "penalty": "l0"},
    ],
}

# Settings without which a learner would draw anew in every fit, or is too large for the tables here.
USUAL = {
    "AdaBoostClassifier": {"n_estimators": 5, "random_state": 0},
    "AdaBoostRegressor": {"n_estimators": 5, "random_state": 0},
    "BayesianVoting": {"cv": 3, "random_state": 0},
    "CrossValidatedCommittee": {"cv": 3, "random_state": 0},
    "AgglomerativeClustering": {"n_clusters": 3},
    "DBSCAN": {"eps": 0.8},
    "ElmanClassifier": {"hidden_size": 4, "random_state": 0, "tol": 0.02},
    "ElmanRegressor": {"hidden_size": 8, "random_state": 0, "tol": 0.02, "alpha": 0.1},
    "FuzzyCMeans": {"n_clusters": 3, "random_state": 0, "tol": 0.02},
    "GustafsonKessel": {"n_clusters": 2, "random_state": 0, "regularization": 0.1, "tol": 0.02},
    "GaussianMixture": {"n_components": 2, "random_state": 0},
    "KMeans": {"n_clusters": 3, "random_state": 0},
    # Few units and a large tolerance, so that training ends by itself.
    "MLPClassifier": {"hidden_layer_sizes": (6,), "learning_rate_init": 0.02, "tol": 0.02, "random_state": 0},
    "MLPRegressor": {"hidden_layer_sizes": (6,), "learning_rate_init": 0.02, "tol": 0.02, "random_state": 0},
    "KMedoids": {"n_clusters": 3, "random_state": 0},
    "KernelKMeans": {"n_clusters": 3, "random_state": 0},
    "LVQClassifier": {"random_state": 0, "max_iter": 10},
    "Nystroem": {"n_components": 4, "random_state": 0},
    "RBFNetworkClassifier": {"n_centers": 5, "random_state": 0},
    "RBFNetworkRegressor": {"n_centers": 40, "random_state": 0},
    "RBFSampler": {"n_components": 8, "random_state": 0},
    **{
        f"{forest}{kind}": {"n_estimators": 10, "random_state": 0}
        for forest in ("ExtraTrees", "RandomForest", "TotallyRandomTrees")
        for kind in ("Classifier", "Regressor")
    },
    "GradientBoostingClassifier": {"n_estimators": 5, "learning_rate": 0.5},
    "GradientBoostingRegressor": {"n_estimators": 5, "learning_rate": 0.5},
    # A least number of rows does not count weights.
    "HistGradientBoostingClassifier": {"max_iter": 5, "learning_rate": 0.5, "min_samples_leaf": 1},
    "HistGradientBoostingRegressor": {"max_iter": 5, "learning_rate": 0.5, "min_samples_leaf": 1},
    # Weights equal repeated rows as far as the solver goes.
    "LinearSVC": {"tol": 1e-8},
    "ThresholdNetwork": {"max_depth": 5},
    "OneClassSVM": {"tol": 1e-11, "max_iter": 100_000},
    "OutlierEnsemble": {"n_estimators": 10, "cv": 2, "random_state": 0},
    "SVC": {"tol": 1e-11},
    "SVR": {"tol": 1e-11, "max_iter": 100_000},
    **{f"Bagging{kind}": {"n_estimators": 4, "random_state": 0} for kind in ("Classifier", "Regressor")},
}

# Learners that need another one inside, and those tried there.
INSIDE = {
    "BayesianVoting": ["NaiveBayes", "DecisionTreeRegressor"],
    "CrossValidatedCommittee": ["NaiveBayes", "DecisionTreeRegressor"],
    "Scaled": [
        "KNeighborsClassifier",
        "KNeighborsRegressor",
        "LogisticRegression",
        "NaiveBayes",
        "AgglomerativeClustering",
    ],
}

# Learners of these types with names, for those that combine several.
NAMED = {
    "Classifier": [
        ("bayes", learner_class("NaiveBayes")()),
        ("stump", learner_class("DecisionStump")()),
        ("tree", learner_class("DecisionTreeClassifier")(max_depth=3)),
    ],
    "Regressor": [
        ("line", learner_class("Ridge")()),
        ("tree", learner_class("DecisionTreeRegressor")(max_depth=3)),
    ],
}
COMBINE = {f"{way}{kind}" for way in ("Stacking", "Voting") for kind in NAMED}

# Learners that draw even when left alone; as they are compared with themselves, every fit has one seed.
DRAW = {"OutputCodes", "OverSampler", "UnderSampler"}

# Learners for which one class is no task; trees, Bayes, neighbors and ensembles predict it.
REFUSE_ONE_CLASS: set[str] = {
    "BasicLinearClassifier",
    "DualPerceptron",
    "ElmanClassifier",
    "GeneralizedLinearClassifier",
    "KernelDiscriminant",
    "KernelPerceptron",
    "LinearDiscriminant",
    "LinearSVC",
    "LogisticRegression",
    "MLPClassifier",
    "NearestMeanClassifier",
    "Perceptron",
    "RBFNetworkClassifier",
    "SVC",
    "PolynomialClassifier",
    "SurrogateLossClassifier",
    "ThresholdNetwork",
}


def instances():
    """The default and the variants of every registered learner."""
    made = []
    for name in sorted(LEARNERS):
        cls = learner_class(name)
        usual = USUAL.get(name, {})
        if name in INSIDE:
            first = [cls(learner_class(inside)(), **usual) for inside in INSIDE[name]]
        elif name in COMBINE:
            (members,) = (members for kind, members in NAMED.items() if name.endswith(kind))
            first = [cls(members)]
        else:
            first = [cls(**usual)]
        if name in DRAW:
            first = [learner.set_params(random_state=0) for learner in first]
        made += [*first, *(clone(first[0]).set_params(**setting) for setting in VARIANTS.get(name, []))]
    return made


def name_of(learner):
    usual = {key: parameter.default for key, parameter in signature(type(learner)).parameters.items()}
    changed = {
        key: value
        for key, value in learner.get_params(deep=False).items()
        if key != "estimators" and value != usual[key]
    }
    return type(learner).__name__ + "".join(f"-{key}={value}" for key, value in changed.items())


def predicts(learner):
    return is_classifier(learner) or is_regressor(learner)


def explains(learner):
    """Whether the learner shows how an answer comes about."""
    return hasattr(learner, "working")


def refuses_one_class(learner):
    """Whether a target of one class is an error, of the learner or of the one inside."""
    names = {type(learner).__name__, type(getattr(learner, "estimator", learner)).__name__}
    return not names.isdisjoint(REFUSE_ONE_CLASS)


def counts_batches(learner):
    """Whether the result depends on which rows come together, so that a weight is not a repeated row."""
    return getattr(learner, "batch_size", None) is not None


def draws_samples(learner):
    """Whether the learner draws rows in proportion to their weights, as many as there are."""
    return getattr(learner, "bootstrap", False) is True or getattr(learner, "method", None) == "resample"


def without_draws(learner):
    """The same learner on all rows, weighted."""
    if hasattr(learner, "method"):
        return clone(learner).set_params(method="weights")
    return clone(learner).set_params(bootstrap=False, oob_score=False)


def mixed_table(n=60, seed=0, *, missing=True):
    """Two numbers, a category and an ordered category that say something about the target."""
    draw = np.random.default_rng(seed)
    group = draw.integers(0, 3, n)
    table = pd.DataFrame(
        {
            "size": draw.normal(group, 0.7),
            "mass": draw.normal(2 * group, 1.0).round(2),
            "color": pd.Series(np.array(["green", "dark", "light"])[(group + (draw.random(n) < 0.2)) % 3]),
            "grade": pd.Categorical.from_codes(group.clip(0, 1), ["low", "high"], ordered=True),
        }
    )
    if missing:
        table.loc[draw.choice(n, 5, replace=False), "size"] = np.nan
        table.loc[draw.choice(n, 5, replace=False), "color"] = None
    return table, group


def target_for(learner, group):
    """A target of the learner's kind made from the hidden groups."""
    if is_regressor(learner):
        lift = 1.0 if get_tags(learner).target_tags.positive_only else 0.0
        return group * 1.5 + np.arange(len(group)) % 4 / 4 + lift
    return np.array(["one", "two", "three"])[group]


def answers(learner, X):
    """Everything a fitted learner says about rows."""
    methods = ("predict_proba", "decision_function", "predict", "transform")
    return {name: np.asarray(getattr(learner, name)(X)) for name in methods if hasattr(learner, name)}


def same_answers(one, other, X, exact=True):
    left, right = answers(one, X), answers(other, X)
    assert left.keys() == right.keys()
    assert left, "a learner says something about rows"
    for key in left:
        if exact or left[key].dtype.kind != "f":
            np.testing.assert_array_equal(left[key], right[key], err_msg=key)
        else:
            np.testing.assert_allclose(left[key], right[key], rtol=1e-9, atol=1e-12, err_msg=key)
