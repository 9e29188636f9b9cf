"""AdaBoost: equal to scikit-learn's, any learner inside, every way to fail."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import AdaBoostClassifier as Peer
from sklearn.linear_model import Perceptron as NoProbabilities
from sklearn.neighbors import KNeighborsClassifier as NoWeights
from sklearn.neighbors import KNeighborsRegressor as NoWeightsRegressor
from sklearn.tree import DecisionTreeClassifier as PeerTree

from hornbook import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    Baseline,
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    LogisticRegression,
    NaiveBayes,
    Ridge,
    datasets,
)
from hornbook.ensembles import error_bounds, reweighted, suggested_size, vote_weight
from hornbook.ensembles.adaboost import _engines

VARIANTS = ["samme", "discrete", "real", "gentle", "logit"]


def table(n_classes=2, n=300, seed=0):
    return make_classification(
        n_samples=n, n_features=6, n_informative=4, n_classes=n_classes, random_state=seed
    )


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("depth", [1, 3])
def test_default_is_that_of_scikit_learn(n_classes, rate, depth):
    X, y = table(n_classes)
    w = np.random.default_rng(0).random(len(y))
    ours = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=20, learning_rate=rate)
    theirs = Peer(PeerTree(max_depth=depth), n_estimators=20, learning_rate=rate, random_state=0)
    ours, theirs = ours.fit(X, y, sample_weight=w), theirs.fit(X, y, sample_weight=w)
    n = len(ours.alphas_)
    assert n == len(theirs.estimators_)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_[:n], rtol=1e-10)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_[:n], rtol=1e-10)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-10)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    if depth == 1:  # deeper trees have small nodes, where columns tie and scikit-learn draws one
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-10)
    stages = zip(ours.staged_predict_proba(X), theirs.staged_predict_proba(X), strict=True)
    for one, other in stages:
        np.testing.assert_allclose(one, other, atol=1e-10)
    np.testing.assert_allclose(list(ours.staged_score(X, y, w)), list(theirs.staged_score(X, y, w)))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_stages_end_in_the_model(variant, n_classes):
    X, y = table(n_classes)
    labels = np.array(["low", "mid", "top"])[y]
    model = AdaBoostClassifier(n_estimators=6, variant=variant).fit(X, labels)
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))
    *_, last = model.staged_predict_proba(X)
    np.testing.assert_allclose(last, model.predict_proba(X), atol=1e-12)
    *_, last = model.staged_decision_function(X)
    np.testing.assert_allclose(last, model.decision_function(X), atol=1e-12)
    errors = model.staged_errors(X, labels)
    assert len(errors) == len(model.alphas_) == len(list(model.staged_weights(X, labels)))
    assert errors[-1] == pytest.approx(1 - model.score(X, labels))
    assert errors[-1] < Baseline().fit(X, labels).score(X, labels)
    assert ((model.margins(X, labels) > 0) == (model.predict(X) == labels)).all()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("method", ["weights", "resample"])
def test_trees_on_codes_are_those_of_any_learner(variant, method, monkeypatch):
    """Coding the table once, and sorting it for stumps, changes nothing."""
    X, y = table(2, seed=3)
    X[:, 0] = X[:, 0].round(1)
    models = [AdaBoostClassifier(n_estimators=8, variant=variant, method=method, random_state=5).fit(X, y)]
    monkeypatch.setattr(_engines.StumpGrower, "of", lambda *_: None)
    models.append(
        AdaBoostClassifier(n_estimators=8, variant=variant, method=method, random_state=5).fit(X, y)
    )
    monkeypatch.setattr(_engines, "_grows_plainly", lambda *_, **__: False)
    models.append(
        AdaBoostClassifier(n_estimators=8, variant=variant, method=method, random_state=5).fit(X, y)
    )
    for other in models[1:]:
        np.testing.assert_allclose(models[0].alphas_, other.alphas_, rtol=1e-9)
        np.testing.assert_allclose(models[0].decision_function(X), other.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("variant", ["samme", "discrete", "real"])
@pytest.mark.parametrize(
    "member", [NaiveBayes(), LogisticRegression(), PeerTree(max_depth=2, random_state=0)]
)
def test_any_classifier_can_be_a_member(variant, member):
    X, y = table(3, seed=1)
    model = AdaBoostClassifier(member, n_estimators=5, variant=variant).fit(X, y)
    assert model.score(X, y) > Baseline().fit(X, y).score(X, y) + 0.1
    *_, last = model.staged_predict_proba(X)
    np.testing.assert_allclose(last, model.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("variant", ["gentle", "logit"])
def test_any_regressor_can_be_a_member(variant):
    X, y = table(3, seed=1)
    model = AdaBoostClassifier(Ridge(), n_estimators=5, variant=variant).fit(X, y)
    assert len(model.estimators_) == 15
    assert model.score(X, y) > 0.5


def test_boosting_with_a_linear_regressor_is_logistic_regression():
    """LogitBoost is Newton's method: with least squares it ends in the maximum of the likelihood."""
    draw = np.random.default_rng(0)
    X = draw.uniform(-1, 1, size=(500, 3))
    y = draw.random(500) < 1 / (1 + np.exp(-X @ [0.4, -0.3, 0.1]))  # probabilities that need no cutting off
    boosted = AdaBoostClassifier(Ridge(alpha=1e-9), n_estimators=8, variant="logit").fit(X, y)
    logistic = LogisticRegression(C=np.inf, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(boosted.predict_proba(X), logistic.predict_proba(X), atol=1e-7)


def test_a_member_without_weights_learns_from_drawn_rows_and_says_so():
    X, y = table()
    with pytest.warns(UserWarning, match=r"KNeighborsClassifier takes no sample_weight.*method='resample'"):
        warned = AdaBoostClassifier(NoWeights(), n_estimators=3, random_state=0).fit(X, y)
    asked = AdaBoostClassifier(NoWeights(), n_estimators=3, method="resample", random_state=0).fit(X, y)
    np.testing.assert_array_equal(warned.alphas_, asked.alphas_)
    with pytest.warns(UserWarning, match="KNeighborsRegressor takes no sample_weight"):
        AdaBoostRegressor(NoWeightsRegressor(), n_estimators=3, method="weights").fit(X, y)


def test_a_sample_of_one_class_is_drawn_again():
    """One of 60 rows is of the second class, and every third sample lacks it; the member needs both."""
    X, y = table(n=60)
    y = (np.arange(60) == np.flatnonzero(y)[0]).astype(int)
    model = AdaBoostClassifier(LogisticRegression(), n_estimators=10, method="resample", random_state=0)
    assert model.fit(X, y).score(X, y) > 0.9


def test_wrong_members_are_refused_by_name():
    X, y = table()
    with pytest.raises(TypeError, match="must be a learner for classification; got Ridge"):
        AdaBoostClassifier(Ridge()).fit(X, y)
    with pytest.raises(TypeError, match="must be a learner for regression; got NaiveBayes"):
        AdaBoostClassifier(NaiveBayes(), variant="gentle").fit(X, y)
    with pytest.raises(TypeError, match="must be a learner for regression"):
        AdaBoostRegressor(NaiveBayes()).fit(X, y)
    with pytest.raises(TypeError, match="gives no probabilities"):
        AdaBoostClassifier(NoProbabilities(), variant="real").fit(X, y)
    with pytest.raises(TypeError, match="must be a classifier or regressor"):
        AdaBoostClassifier("stump").fit(X, y)


class Endless(RegressorMixin, BaseEstimator):
    """A regressor whose predictions are not finite."""

    def fit(self, X, y, sample_weight=None):
        return self

    def predict(self, X):
        return np.full(len(X), np.inf)


def test_a_member_that_predicts_no_number_is_refused_by_name():
    X, y = table()
    for model in (AdaBoostClassifier(Endless(), variant="gentle"), AdaBoostRegressor(Endless())):
        with pytest.raises(ValueError, match="member 1, Endless, predicts a number that is not finite"):
            model.fit(X, y)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"on_failure": "redraw", "variant": "gentle"}, "on_failure='redraw' applies to votes"),
        ({"probability": "mean", "variant": "logit"}, "probability='mean' applies to votes"),
        ({"on_perfect": "drop", "variant": "gentle"}, "on_perfect='drop' applies to classifiers"),
        ({"on_failure": "discard", "estimator": NaiveBayes()}, "NaiveBayes is deterministic"),
    ],
)
def test_settings_that_contradict_each_other(settings, words):
    with pytest.raises(ValueError, match=words):
        AdaBoostClassifier(**settings).fit(*table())


def test_a_first_member_no_better_than_chance_stays_alone():
    X, y = np.zeros((6, 1)), [0, 0, 0, 1, 1, 1]
    for variant in ("samme", "discrete"):
        with pytest.warns(
            UserWarning, match=r"no DecisionTreeClassifier was better than chance.* error 0\.5"
        ):
            model = AdaBoostClassifier(variant=variant).fit(X, y)
        assert (len(model.estimators_), model.alphas_.tolist()) == (1, [1.0])
        assert set(model.predict(X).tolist()) == {0}


def failing_rounds(monkeypatch, wrong):
    """Let the member of the numbered fits answer the opposite."""
    fit, calls = _engines.TreeMemberEngine.fit, []

    def flipped(self, y, w, counts, seed):
        member, votes = fit(self, y, w, counts, seed)
        calls.append(votes)
        return member, 1 - votes if len(calls) - 1 in wrong else votes

    monkeypatch.setattr(_engines.TreeMemberEngine, "fit", flipped)
    return calls


def test_a_member_that_fails_is_the_end(monkeypatch):
    X, y = table()
    calls = failing_rounds(monkeypatch, {2})
    model = AdaBoostClassifier(n_estimators=6).fit(X, y)
    assert (len(model.alphas_), len(calls)) == (2, 3)


def test_a_member_that_fails_is_left_out(monkeypatch):
    X, y = table()
    calls = failing_rounds(monkeypatch, {2})
    model = AdaBoostClassifier(n_estimators=6, on_failure="discard").fit(X, y)
    assert (len(model.alphas_), len(calls)) == (5, 6)


def test_redraws_have_a_limit(monkeypatch):
    X, y = table()
    settings = {"n_estimators": 4, "on_failure": "redraw", "method": "resample", "random_state": 0}
    calls = failing_rounds(monkeypatch, {1, 2})
    model = AdaBoostClassifier(max_redraws=2, **settings).fit(X, y)
    assert (len(model.alphas_), len(calls)) == (4, 6)
    assert not np.array_equal(calls[1], calls[3])  # other rows were drawn


def test_redraws_end_at_the_limit(monkeypatch):
    X, y = table()
    settings = {"n_estimators": 4, "on_failure": "redraw", "method": "resample", "random_state": 0}
    calls = failing_rounds(monkeypatch, {1, 2, 3})
    model = AdaBoostClassifier(max_redraws=2, **settings).fit(X, y)
    assert (len(model.alphas_), len(calls)) == (1, 4)


def test_a_member_without_error_is_the_last():
    X, y = np.arange(8.0)[:, None], np.arange(8) > 3
    for variant in ("samme", "discrete", "real"):
        model = AdaBoostClassifier(variant=variant).fit(X, y)
        assert model.alphas_.tolist() == [1.0]
        assert model.score(X, y) == 1.0
    only = AdaBoostClassifier(on_perfect="drop").fit(X, y)
    assert len(only.estimators_) == 1  # it is the only one


def test_a_late_member_without_error_is_kept_or_dropped(monkeypatch):
    X, y = table()
    fit, calls = _engines.TreeMemberEngine.fit, []

    def perfect_third(self, target, w, counts, seed):
        member, votes = fit(self, target, w, counts, seed)
        calls.append(votes)
        return member, target if len(calls) % 4 == 3 else votes

    monkeypatch.setattr(_engines.TreeMemberEngine, "fit", perfect_third)
    kept = AdaBoostClassifier(n_estimators=6).fit(X, y)
    assert (len(kept.alphas_), kept.alphas_[-1], kept.estimator_errors_[-1]) == (3, 1.0, 0.0)
    calls.append(None)
    dropped = AdaBoostClassifier(n_estimators=6, on_perfect="drop").fit(X, y)
    assert len(dropped.alphas_) == 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_any_two_labels_work_and_one_class_too(variant):
    X, y = table()
    plain = AdaBoostClassifier(n_estimators=4, variant=variant).fit(X, y)
    for labels in (np.array([-1, 1]), np.array([False, True]), np.array(["no", "yes"])):
        model = AdaBoostClassifier(n_estimators=4, variant=variant).fit(X, labels[y])
        np.testing.assert_array_equal(model.predict(X), labels[plain.predict(X)])
        np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))
    one = AdaBoostClassifier(variant=variant).fit(X, np.full(300, "only"))
    assert set(one.predict(X)) == {"only"}
    assert one.predict_proba(X).tolist() == [[1.0]] * 300
    if variant in ("samme", "discrete"):
        assert one.margins(X, np.full(300, "only")).tolist() == [1.0] * 300


def test_extreme_weights_stay_finite():
    """Rows that no member gets right, for as many rounds as there are."""
    X, y = table(n=60)
    y[:5] = 1 - y[:5]
    for variant in VARIANTS:
        model = AdaBoostClassifier(n_estimators=300, variant=variant).fit(X, y)
        assert np.isfinite(model.alphas_).all()
        assert np.isfinite(model.predict_proba(X)).all()
        for w in model.staged_weights(X, y):
            assert np.isfinite(w).all()


def test_clip_bounds_what_a_sure_member_adds():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]), [0, 0, 1, 0, 1, 1]
    for clip in (1e-2, 1e-8):
        model = AdaBoostClassifier(n_estimators=1, variant="real", clip=clip).fit(X, y)
        assert np.abs(model.decision_function(X)).max() == pytest.approx(-0.5 * np.log(clip))


def test_categories_and_gaps_go_in():
    melons = datasets.watermelon("3.0")
    for variant in VARIANTS:
        model = AdaBoostClassifier(n_estimators=20, variant=variant).fit(melons)
        assert model.staged_errors(melons)[-1] == 0.0
        *_, last = model.staged_predict(melons)
        np.testing.assert_array_equal(last, model.predict(melons))


def test_words_and_numbers_of_the_model():
    X, y = table()
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    text = str(model.describe())
    assert "The first 20 rounds" in text
    assert "bound on the training error" in text
    working = model.working(X[0])
    assert sum(int(term.name.split()[0]) for term in working.terms) == len(model.alphas_)
    with pytest.raises(AttributeError, match="votes on two classes"):
        _ = AdaBoostClassifier(n_estimators=2, variant="real").fit(X, y).error_bounds_
    with pytest.raises(AttributeError, match="NaiveBayes has no feature_importances_"):
        _ = AdaBoostClassifier(NaiveBayes(), n_estimators=2).fit(X, y).feature_importances_


def test_formulas_refuse_what_they_cannot_use():
    with pytest.raises(ValueError, match="'error' must lie between 0 and 1"):
        vote_weight(0.0)
    with pytest.raises(ValueError, match="'rule' must be one of wrong, both, halves; got 'all'"):
        reweighted([1.0, 1.0], [True, False], rule="all")
    with pytest.raises(ValueError, match="at least one finite number"):
        suggested_size([])
    with pytest.raises(ValueError, match="'elbow' or 'smallest'"):
        suggested_size([0.1], rule="knee")
    assert suggested_size([0.1, 0.2]) == 1
    assert error_bounds([0.2], [0.0]).tolist() == [1.0]


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_numbers_follow_the_formulas_of_r2(loss, rate):
    """Weights, errors and medians by hand from the members."""
    X, y = make_regression(n_samples=120, n_features=4, noise=10, random_state=0)
    model = AdaBoostRegressor(n_estimators=8, learning_rate=rate, loss=loss, method="weights").fit(X, y)
    w, answers = np.full(120, 1 / 120), []
    for t, member in enumerate(model.estimators_):
        fresh = DecisionTreeRegressor(max_depth=3).fit(X, y, sample_weight=w * 120)
        answers.append(member.predict(X))
        np.testing.assert_allclose(fresh.predict(X), answers[-1])
        error = np.abs(answers[-1] - y)
        share = error / error.max()
        part = {"linear": share, "square": share**2, "exponential": 1 - np.exp(-share)}[loss]
        mean = (w * part).sum()
        beta = mean / (1 - mean)
        assert model.estimator_errors_[t] == pytest.approx(mean)
        assert model.alphas_[t] == pytest.approx(rate * np.log(1 / beta))
        w = w * beta ** ((1 - part) * rate)
        w /= w.sum()
    for i in range(0, 120, 17):
        order = np.argsort([a[i] for a in answers])
        until = np.cumsum(model.alphas_[order])
        middle = order[np.argmax(until >= until[-1] / 2)]
        assert model.predict(X[[i]])[0] == pytest.approx(answers[middle][i])


def test_numbers_by_drawn_rows_do_as_well_as_scikit_learn():
    from sklearn.ensemble import AdaBoostRegressor as PeerRegressor

    X, y = make_regression(n_samples=400, n_features=5, noise=5, random_state=1)
    train, test = slice(0, 300), slice(300, 400)
    ours = [
        AdaBoostRegressor(random_state=s).fit(X[train], y[train]).score(X[test], y[test]) for s in range(4)
    ]
    theirs = [PeerRegressor(random_state=s).fit(X[train], y[train]).score(X[test], y[test]) for s in range(4)]
    assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.03)


def test_stages_of_numbers_end_in_the_model():
    X, y = make_regression(n_samples=200, n_features=5, noise=5, random_state=1)
    model = AdaBoostRegressor(n_estimators=12, random_state=0).fit(X, y)
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))
    *_, score = model.staged_score(X, y)
    assert score == pytest.approx(model.score(X, y))
    assert model.staged_errors(X, y)[-1] == pytest.approx(((last - y) ** 2).mean())
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_a_constant_is_learned_by_one_member_and_noise_is_said():
    X = np.arange(10.0)[:, None]
    assert AdaBoostRegressor().fit(X, np.full(10, 2.5)).alphas_.tolist() == [1.0]
    with pytest.warns(UserWarning, match="below a mean loss of 1/2"):
        AdaBoostRegressor(Baseline(strategy="mean"), random_state=0).fit(X, [0.0, 1.0] * 5)


def test_seed_decides_everything():
    X, y = table(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stump = DecisionStump(max_features=1)
        one, other = (
            AdaBoostClassifier(stump, n_estimators=6, method="resample", random_state=4, n_jobs=n).fit(X, y)
            for n in (1, 2)
        )
    np.testing.assert_array_equal(one.alphas_, other.alphas_)
    different = AdaBoostClassifier(stump, n_estimators=6, method="resample", random_state=5).fit(X, y)
    assert not np.array_equal(one.decision_function(X), different.decision_function(X))


@pytest.mark.parametrize("variant", ["samme", "real"])
def test_predictions_are_those_of_the_members_as_they_are(variant):
    X, y = table(3)
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=8, variant=variant).fit(X, y)
    before = model.decision_function(X)
    np.testing.assert_array_equal(model.decision_function(X[:1]), before[:1])
    last = model.estimators_[-1]
    model.estimators_[-1] = model.estimators_[1]
    replaced = model.decision_function(X)
    assert not np.array_equal(replaced, before)
    model.estimators_[-1] = last
    np.testing.assert_array_equal(model.decision_function(X), before)
    for member in model.estimators_:
        member.set_params(leaf_smoothing=5.0)
    assert np.array_equal(model.decision_function(X), before) == (
        variant == "samme"
    )  # whose votes are classes
