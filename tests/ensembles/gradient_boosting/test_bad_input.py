"""What boosting cannot do is said in one sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hornbook import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    NaiveBayes,
    Ridge,
)
from hornbook.frame import Blocks, Frame
from hornbook.losses import Loss, SquaredError

X = np.random.default_rng(0).normal(size=(40, 2))
NUMBERS = X[:, 0] + 3.0
CLASSES = (X[:, 0] > 0).astype(int)


class BrokenError(SquaredError):
    def gradient(self, y, z):
        return np.where(y > 4, np.nan, z - y)


class NarrowError(SquaredError):
    def hessian(self, y, z):
        return 1.0


@pytest.mark.parametrize(
    ("loss", "sentence"),
    [
        (
            BrokenError(),
            r"the first derivative of BrokenError is nan in round 1, for a target of .* and a score of",
        ),
        (NarrowError(), r"the second derivative of NarrowError has shape \(\) for scores of shape \(40,\)"),
    ],
)
def test_a_loss_that_is_not_finite(loss, sentence):
    with pytest.raises(ValueError, match=sentence):
        GradientBoostingRegressor(loss=loss).fit(X, NUMBERS)


class UnknownValueError(SquaredError):
    def value(self, y, z):
        return np.where(np.abs(z) > 1, np.nan, super().value(y, z))


def test_a_loss_whose_value_is_no_number():
    for model in (
        GradientBoostingRegressor(UnknownValueError()),
        HistGradientBoostingRegressor(UnknownValueError(), early_stopping=True),
    ):
        with pytest.raises(
            ValueError, match="after round [01], the value of UnknownValueError is nan: lower"
        ):
            model.fit(X, NUMBERS)
    # Nothing asks for the value: steps need derivatives only.
    assert np.isfinite(HistGradientBoostingRegressor(UnknownValueError()).fit(X, NUMBERS).predict(X)).all()


def test_a_score_that_is_no_number():
    model = HistGradientBoostingRegressor(early_stopping=True, scoring=lambda model, rows, y: np.nan)  # noqa: ARG005
    with pytest.raises(ValueError, match="after round 0, what scoring returns is nan"):
        model.fit(X, NUMBERS)


class CauchyLoss(Loss):
    """Concave where a residual is larger than 1."""

    def value(self, y, z):
        return 0.5 * np.log1p((z - y) ** 2)

    def gradient(self, y, z):
        return (z - y) / (1 + (z - y) ** 2)

    def hessian(self, y, z):
        return (1 - (z - y) ** 2) / (1 + (z - y) ** 2) ** 2


@pytest.mark.parametrize("settings", [{"min_samples_leaf": 3}, {"leaf": "exact"}, {"estimator": Ridge()}])
def test_newtons_step_needs_a_loss_that_is_convex(settings):
    y = NUMBERS + 10 * (np.arange(40) % 8 == 0)
    model = HistGradientBoostingRegressor(CauchyLoss(), step="newton", **settings)
    with pytest.raises(ValueError, match=r"that of CauchyLoss is -0\..* for a row: set step='gradient'"):
        model.fit(X, y)
    model.set_params(step="gradient", leaf="newton", estimator=None, min_samples_leaf=3).fit(X, y)
    assert np.median(np.abs(model.predict(X) - NUMBERS)) < 0.5  # rows that are far off hardly count


def test_newtons_step_needs_a_loss_that_is_convex_in_blocks():
    y = NUMBERS + 10 * (np.arange(40) % 8 == 0)
    frame = Frame(pd.DataFrame(X, columns=["a", "b"]).assign(y=y), target="y")
    blocks = Blocks([frame[:25], frame[25:]])
    with pytest.raises(TypeError, match="with init='zero' for one of your own"):
        HistGradientBoostingRegressor(CauchyLoss()).fit(blocks)
    with pytest.raises(ValueError, match="that of CauchyLoss is -"):
        HistGradientBoostingRegressor(CauchyLoss(), init="zero").fit(blocks)


@pytest.mark.filterwarnings("error")
def test_scores_that_overflow_are_an_error_without_a_warning():
    model = HistGradientBoostingRegressor(learning_rate=1e6, min_samples_leaf=1)
    with pytest.raises(ValueError, match="first derivative of SquaredError is -?inf in round"):
        model.fit(X, NUMBERS)


def test_steps_that_are_too_large():
    model = HistGradientBoostingRegressor(loss="poisson", learning_rate=1e4, min_samples_leaf=1)
    with pytest.raises(ValueError, match="derivative of PoissonLoss is inf in round .*: lower learning_rate"):
        model.fit(X, NUMBERS)
    both_ways = GradientBoostingClassifier(loss="exponential", learning_rate=1e6)  # +inf and -inf, no sum
    with pytest.raises(ValueError, match="derivative of ExponentialLoss is .*inf in round 2"):
        both_ways.fit(X, np.random.default_rng(0).permutation(CLASSES))


def test_steps_that_cancel_in_the_sum_and_overflow_in_size():
    model = HistGradientBoostingRegressor(learning_rate=50.0, max_iter=400, min_samples_leaf=1)
    with pytest.raises(
        ValueError, match="first derivative of SquaredError is .*e.30. in round .*: lower learning_rate"
    ):
        model.fit(X, NUMBERS)


def test_a_word_that_is_no_loss():
    with pytest.raises(ValueError, match="parameter 'loss' must be .*; got 'squared'"):
        HistGradientBoostingRegressor(loss="squared").fit(X, NUMBERS)


@pytest.mark.parametrize(
    ("loss", "y", "sentence"),
    [
        ("poisson", NUMBERS - 5, r"loss 'poisson' needs a target in \[0, inf\), but y has -"),
        ("gamma", np.maximum(NUMBERS - 3, 0), r"loss 'gamma' needs a target in \(0, inf\), but y has 0"),
        ("tweedie", NUMBERS - 5, r"loss 'tweedie' needs a target in \[0, inf\)"),
        ("poisson", np.zeros(40), "loss 'poisson' is smallest at a score of -inf for this target"),
    ],
)
def test_targets_that_a_loss_is_not_defined_for(loss, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        HistGradientBoostingRegressor(loss=loss).fit(X, y)


def test_losses_of_two_classes_refuse_three():
    three = np.arange(40) % 3
    with pytest.raises(
        ValueError, match="loss 'exponential' is for two classes, but y has 3: set loss='log_loss'"
    ):
        GradientBoostingClassifier(loss="exponential").fit(X, three)
    with pytest.raises(ValueError, match="loss SquaredError is for two classes"):
        HistGradientBoostingClassifier(loss=SquaredError()).fit(X, three)


def test_a_quantile_must_be_named():
    with pytest.raises(ValueError, match="loss='quantile' needs a quantile: set quantile"):
        HistGradientBoostingRegressor(loss="quantile").fit(X, NUMBERS)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"reg_lambda": 1.0},
            "'reg_lambda' applies to gradient-pair trees: set step='newton' and leaf='newton'",
        ),
        ({"gamma": 1.0, "step": "newton", "leaf": "exact"}, "'gamma' applies to gradient-pair trees"),
        ({"min_hessian": 1.0}, "'min_hessian' applies to gradient-pair trees"),
        ({"step": "newton", "min_weight_fraction_leaf": 0.1}, "set min_hessian instead"),
        ({"step": "newton", "ccp_alpha": 0.1}, "set gamma, the cost of a leaf, instead"),
        (
            {"estimator": DecisionTreeRegressor(), "max_depth": 5},
            "'max_depth' applies to trees, but an estimator is given",
        ),
        ({"estimator": NaiveBayes()}, "'estimator' must be a learner for regression"),
        ({"init": "one"}, "'init' must be 'zero', an estimator or None; got 'one'"),
        ({"power": 1.2}, "'power' applies to loss='tweedie', but the loss is 'squared_error': leave it out"),
        ({"sampling": "gradient"}, "subsample=1 takes all: set subsample below 1"),
        (
            {"validation_fraction": "oob", "n_iter_no_change": 3},
            "subsample=1 draws all: set subsample below 1",
        ),
    ],
)
def test_parameters_that_contradict_each_other(settings, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        GradientBoostingRegressor(**settings).fit(X, NUMBERS)


def test_a_quantile_without_a_loss_that_has_one():
    model = HistGradientBoostingRegressor(quantile=0.2)
    with pytest.raises(ValueError, match="'quantile' applies to loss='quantile' or loss='huber', but"):
        model.fit(X, NUMBERS)
    with pytest.raises(ValueError, match="but the loss is BrokenError"):
        model.set_params(loss=BrokenError()).fit(X, NUMBERS)


def test_too_few_rows_to_hold_any_out():
    with pytest.raises(ValueError, match="validation_fraction takes none of 5 rows: raise it, pass X_val"):
        GradientBoostingRegressor(n_iter_no_change=2).fit(X[:5], NUMBERS[:5])


@pytest.mark.parametrize("n_held", [40, 500])
def test_more_rows_to_hold_out_than_there_are(n_held):
    model = HistGradientBoostingRegressor(early_stopping=True, validation_fraction=n_held)
    frame = Frame(pd.DataFrame(X, columns=["a", "b"]).assign(y=NUMBERS), target="y")
    for rows in ((X, NUMBERS), (Blocks([frame[:25], frame[25:]]),)):
        with pytest.raises(
            ValueError, match=f"validation_fraction={n_held} holds out as many rows as there are"
        ):
            model.fit(*rows)


def test_rows_not_drawn_are_judged_by_their_loss():
    model = HistGradientBoostingRegressor(
        early_stopping=True, validation_fraction="oob", subsample=0.5, scoring="r2"
    )
    with pytest.raises(ValueError, match="'oob' judges by the loss .* but scoring='r2': set scoring='loss'"):
        model.fit(X, NUMBERS)
    assert model.set_params(scoring="loss").fit(X, NUMBERS).n_iter_ > 0


def test_validation_rows_that_do_not_fit():
    named = pd.DataFrame(X, columns=["a", "b"])
    model = HistGradientBoostingRegressor()
    with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- c"):
        model.fit(named, NUMBERS, X_val=named.rename(columns={"b": "c"}), y_val=NUMBERS)
    with pytest.raises(ValueError, match="In the validation rows X_val and y_val: X has 1 features"):
        model.fit(X, NUMBERS, X_val=X[:, :1], y_val=NUMBERS)
    with pytest.raises(ValueError, match="y_val is provided, but X_val was not"):
        model.fit(X, NUMBERS, y_val=NUMBERS)
    with pytest.raises(ValueError, match="X_val is provided, but y_val was not"):
        model.fit(X, NUMBERS, X_val=X)
    with pytest.raises(ValueError, match="X_val and y_val: .*inconsistent numbers of samples"):
        model.fit(X, NUMBERS, X_val=X, y_val=NUMBERS[:3])
    assert not hasattr(model, "schema_")


def test_validation_rows_of_a_new_class():
    with pytest.raises(ValueError, match="X_val and y_val: y contains the class 2, which is not among"):
        HistGradientBoostingClassifier().fit(X, CLASSES, X_val=X, y_val=CLASSES + 1)


def test_marks_of_categories_that_are_none():
    with pytest.raises(ValueError, match="must be an array-like of bool, int or str, got: bytes, float"):
        HistGradientBoostingRegressor(categorical_features=np.array([b"a", 1.5], dtype=object)).fit(
            X, NUMBERS
        )
    with pytest.raises(ValueError, match="should be passed as an array of integers"):
        HistGradientBoostingRegressor(categorical_features=["a"]).fit(X, NUMBERS)
    with pytest.raises(ValueError, match="'c' which is not a valid feature name"):
        HistGradientBoostingRegressor(categorical_features=["c"]).fit(
            pd.DataFrame(X, columns=["a", "b"]), NUMBERS
        )


@pytest.mark.parametrize(
    "only_on_bins",
    [
        {"reg_alpha": 1.0},
        {"monotonic_cst": [1]},
        {"interaction_cst": "no_interactions"},
        {"colsample_bylevel": 0.5},
    ],
)
def test_what_needs_few_bins_is_refused_by_its_own_name(only_on_bins):
    rows, (name,) = np.arange(600.0)[:, None], only_on_bins
    model = HistGradientBoostingRegressor(max_bins=1000, **only_on_bins)
    with pytest.raises(
        ValueError, match=f"'{name}' is for columns of at most 255 bins or levels: lower max_bins"
    ):
        model.fit(rows, rows[:, 0])


def test_columns_of_a_tree_are_said_once():
    model = GradientBoostingRegressor(max_features=1, subspace="tree", colsample_bytree=0.5)
    with pytest.raises(ValueError, match="as colsample_bytree does: set only one of them"):
        model.fit(X, NUMBERS)


def test_a_word_is_no_score():
    with pytest.raises(ValueError, match="goodness"):
        HistGradientBoostingClassifier(scoring="goodness").fit(X, CLASSES)


def test_a_loss_of_ones_own_is_checked_as_such():
    assert isinstance(BrokenError(), Loss)
    with pytest.raises(ValueError, match="parameter 'loss' must be"):
        GradientBoostingRegressor(loss=BrokenError).fit(X, NUMBERS)
