"""AdaBoost of the notes: the ten points, the 29 points, watermelons, irises, and what is proved equal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from hornbook import (
    AdaBoostClassifier,
    Baseline,
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    LinearDiscriminant,
    datasets,
    losses,
)
from hornbook.ensembles import error_bounds, reweighted, suggested_size, vote_weight
from hornbook.evaluation import KFold, expected_loss

STUMP = DecisionStump(criterion="misclassification")

# Ten points that give every number of the example: blue is 1, red is -1.
POINTS = np.array(
    [[-3, -1], [-4, -4], [1, 4], [1, 2], [0, 3], [0, -2], [-1, -5], [-1, -1], [5, 0], [3, -3]], dtype=float
)
COLORS = np.repeat([1, -1], 5)


@pytest.fixture(scope="module")
def ten():
    return AdaBoostClassifier(STUMP, n_estimators=3, variant="discrete").fit(POINTS, COLORS)


def test_ten_points_have_three_stumps(ten):
    asked = [(int(m.nodes_.feature[0]), float(m.nodes_.threshold[0])) for m in ten.estimators_]
    assert asked == [(1, 1.0), (0, -2.0), (0, 2.0)]  # of two equal cuts the second has the smaller threshold
    answers = [ten.classes_[m.nodes_.value.argmax(axis=1)[1:]].tolist() for m in ten.estimators_]
    assert answers == [[-1, 1], [1, -1], [1, -1]]


def test_ten_points_errors_weights_and_scores(ten):
    assert ten.estimator_errors_ == pytest.approx([0.2, 0.1875, 0.1153846], abs=1e-7)
    assert ten.alphas_ == pytest.approx([0.693147, 0.733169, 1.018441], abs=1e-6)
    after = [
        [2.5, 0.625, 0.625, 0.625],
        [1.53846, 1.66667, 0.38462, 0.38462],
        [0.86957, 0.94203, 1.66667, 0.21739],
    ]
    counts = [2, 3, 3, 2]
    for weights, expected in zip(ten.staged_weights(POINTS, COLORS), after, strict=True):
        np.testing.assert_allclose(weights, np.repeat(expected, counts), atol=5e-6)
    scores = np.repeat([1.05846, 0.97842, -0.40787, -2.44476], counts)
    np.testing.assert_allclose(ten.decision_function(POINTS), scores, atol=5e-6)
    assert ten.staged_errors(POINTS, COLORS).tolist() == [0.2, 0.3, 0.0]  # two members: the heavier decides


def test_weights_are_the_loss_of_the_joint_score_and_its_sum_is_the_bound(ten):
    """Weights are exp(-y F); the sum of the losses is 8, 6.2450 and 3.9904, and n times the product of Z."""
    sums = []
    scores = ten.staged_decision_function(POINTS)
    for score, weights in zip(scores, ten.staged_weights(POINTS, COLORS), strict=True):
        loss = losses.ExponentialLoss().value(COLORS > 0, score)
        np.testing.assert_allclose(weights, loss * 10 / loss.sum())
        sums.append(loss.sum())
    assert sums == pytest.approx([8.0, 6.2450, 3.9904], abs=5e-5)
    np.testing.assert_allclose(10 * ten.error_bounds_, sums)
    np.testing.assert_allclose(error_bounds(ten.estimator_errors_), np.array(sums) / 10)
    errors = ten.estimator_errors_
    np.testing.assert_allclose(
        ten.error_bounds_[1:] / ten.error_bounds_[:-1], 2 * np.sqrt(errors * (1 - errors))[1:]
    )
    assert (ten.staged_errors(POINTS, COLORS) <= ten.error_bounds_).all()


def test_no_single_stump_can_do_what_three_do():
    assert STUMP.fit(POINTS, COLORS).score(POINTS, COLORS) == 0.8


def test_all_ways_to_write_a_round_are_one(ten):
    """By error or edge, both weights or one or halves, with and without the factor 1/2."""
    w = np.ones(10)
    for member, alpha, after in zip(
        ten.estimators_, ten.alphas_, ten.staged_weights(POINTS, COLORS), strict=True
    ):
        answers = ten.classes_[member.predict(POINTS)]
        wrong = answers != COLORS
        edge = float((w * COLORS * answers).sum() / w.sum())
        assert edge == pytest.approx(1 - 2 * w[wrong].sum() / w.sum())
        assert alpha == pytest.approx(0.5 * math.log((1 + edge) / (1 - edge)))
        assert alpha == pytest.approx(vote_weight(float(w[wrong].sum() / w.sum())) / 2)
        ways = [reweighted(w, wrong, rule=rule) for rule in ("wrong", "both", "halves")]
        for way in ways:
            np.testing.assert_allclose(way, after)
        w = after
        assert w[wrong].sum() == pytest.approx(w[~wrong].sum())  # half of the weight each
    whole = AdaBoostClassifier(STUMP, n_estimators=3).fit(POINTS, COLORS)
    np.testing.assert_allclose(whole.alphas_, 2 * ten.alphas_)
    assert whole.predict(POINTS).tolist() == ten.predict(POINTS).tolist()


def test_weight_of_a_member_minimizes_the_exponential_loss():
    """exp(-a) (1 - e) + exp(a) e is smallest at 1/2 ln((1 - e) / e); its Taylor apex has the same sign."""
    steps = np.linspace(-3, 3, 6001)
    for error in (0.1, 0.25, 0.4):
        loss = np.exp(-steps) * (1 - error) + np.exp(steps) * error
        assert steps[loss.argmin()] == pytest.approx(vote_weight(error) / 2, abs=1e-3)
        assert loss.min() == pytest.approx(error_bounds([error])[0], abs=1e-6)
        parabola = 1 - steps * (1 - 2 * error) + steps**2 / 2  # order 2 around 0, where y h has mean 1 - 2 e
        assert steps[parabola.argmin()] == pytest.approx(1 - 2 * error, abs=1e-3)


def test_best_member_of_the_quadratic_view_is_the_weighted_majority():
    """The weighted least squares choice of -1 or 1 is the class of more weight; y h = 1 - 2 [y != h]."""
    draw = np.random.default_rng(0)
    y, w = draw.choice([-1.0, 1.0], 50), draw.random(50)
    square = [np.average((y - h) ** 2, weights=w) / 2 - 1 for h in (-1.0, 1.0)]
    assert square == pytest.approx([-np.average(y * h, weights=w) for h in (-1.0, 1.0)])
    majority = np.sign((w * y).sum())
    assert (-1.0, 1.0)[int(np.argmin(square))] == majority
    leaf = DecisionTreeRegressor(max_depth=1).fit(np.zeros((50, 1)), y, sample_weight=w)
    assert np.sign(leaf.predict([[0.0]])[0]) == majority
    constant = AdaBoostClassifier(n_estimators=1).fit(np.zeros((50, 1)), y, sample_weight=w)
    assert constant.predict([[0.0]])[0] == majority


def test_expected_exponential_loss_is_smallest_at_half_the_log_odds():
    """The minimizer has the sign of the Bayes decision; 1 / (1 + exp(-2m)) is the probability again."""
    scores = np.linspace(-3, 3, 6001)
    for p in (0.1, 0.5, 0.8):
        risk = expected_loss(
            [[1 - p, p]],
            [-1.0, 1.0],
            scores,
            loss=lambda y, m: losses.ExponentialLoss().value(
                y > 0, np.broadcast_to(m, np.broadcast(y, m).shape)
            ),
        )[0]
        best = scores[risk.argmin()]
        assert best == pytest.approx(0.5 * math.log(p / (1 - p)), abs=1e-3)
        assert 1 / (1 + math.exp(-2 * best)) == pytest.approx(p, abs=1e-3)


@pytest.mark.parametrize("variant", ["samme", "discrete", "real", "gentle", "logit"])
def test_probabilities_come_from_twice_the_score(variant):
    data = datasets.gaussians("eight", random_state=0)
    model = AdaBoostClassifier(n_estimators=8, variant=variant, probability="loss").fit(data)
    score = model.decision_function(data)
    if variant == "samme":  # it is scaled to at most 2, and its votes have no factor 1/2
        score = score * model.alphas_.sum() / 4
    np.testing.assert_allclose(model.predict_proba(data)[:, 1], 1 / (1 + np.exp(-2 * score)))


def test_five_losses_of_the_margin():
    margin = np.array([-1.0, 0.0, 0.5, 2.0])
    ones = np.ones(4)
    values = {
        losses.ZeroOneLoss(boundary=0.0): [1, 0, 0, 0],  # in the notes, 0 is no mistake
        losses.ZeroOneLoss(): [1, 0.5, 0, 0],
        losses.HingeLoss(): [2, 1, 0.5, 0],
        losses.SquaredMarginLoss(): [4, 1, 0.25, 1],
        losses.ExponentialLoss(): np.exp(-margin),
    }
    for loss, expected in values.items():
        np.testing.assert_allclose(loss.value(ones, margin), expected)
    np.testing.assert_allclose(losses.LogLoss().value(ones, 2 * margin), np.log1p(np.exp(-2 * margin)))


def test_twenty_nine_points():
    """Weights 1/29; of 6 errors, and of 7, the printed weights and factors."""
    for errors, alpha, factors in (
        (6, 0.671867, [2.416667, 0.630435]),
        (7, 0.572566, [2.071429, 0.659091]),  # as printed: counts, though the weights are no longer equal
    ):
        assert vote_weight(errors / 29) / 2 == pytest.approx(alpha, abs=1e-6)
        wrong = np.arange(29) < errors
        w = reweighted(np.full(29, 1 / 29), wrong, rule="halves")
        assert [w[0] * 29, w[-1] * 29] == pytest.approx(factors, abs=1e-6)
        assert w[wrong].sum() == pytest.approx(0.5)
    assert round(1 / 29, 3) == 0.034
    second = reweighted(np.ones(29), np.arange(29) < 6) / 29
    assert [second[0], second[-1]] == pytest.approx([1 / 12, 1 / 46])
    possible = [m / 12 + (7 - m) / 46 for m in range(7)]  # weighted errors that seven points can have
    assert possible == pytest.approx([0.1522, 0.2138, 0.2754, 0.3370, 0.3986, 0.4601, 0.5217], abs=5e-5)


def test_watermelons_with_3_5_and_11_stumps():
    melons = datasets.watermelon("3.0a")
    model = AdaBoostClassifier(STUMP, n_estimators=11, variant="discrete").fit(melons)
    names = melons.features.schema.names
    asked = [
        (names[m.nodes_.feature[0]], round(float(m.nodes_.threshold[0]), 4)) for m in model.estimators_[:3]
    ]
    assert asked == [("sugar", 0.2045), ("density", 0.3815), ("sugar", 0.373)]
    assert model.estimator_errors_[:3] == pytest.approx([0.1765, 0.1786, 0.2101], abs=5e-5)
    assert model.alphas_[:3] == pytest.approx([0.7702, 0.7630, 0.6620], abs=5e-5)
    wrong = np.rint(model.staged_errors(melons) * 17).astype(int)
    assert wrong[[0, 2, 4, 6, 10]].tolist() == [3, 1, 1, 0, 0]


def test_irises_by_drawn_rows_and_linear_members():
    """Versicolor against the rest on two principal components; the printed run is one of many."""
    errors = [0.280, 0.305, 0.174, 0.282]
    printed = [0.944, 0.826, 1.559, 0.935]
    assert [vote_weight(e) for e in errors] == pytest.approx(printed, abs=3e-3)  # errors have three digits
    flowers = datasets.iris()
    centered = flowers.features.matrix - flowers.features.matrix.mean(axis=0)
    X = centered @ np.linalg.svd(centered, full_matrices=False)[2][:2].T
    y = np.where(flowers.y == "versicolor", "versicolor", "rest")
    last = []
    for seed in range(20):
        model = AdaBoostClassifier(
            LinearDiscriminant(),
            n_estimators=4,
            variant="discrete",
            method="resample",
            on_failure="redraw",
            random_state=seed,
        ).fit(X, y)
        last.append(model.staged_errors(X, y)[-1])
        votes = np.array([m.predict(X) for m in model.estimators_])
        tally = np.array([(model.alphas_[:, None] * (votes == c)).sum(axis=0) for c in (0, 1)])
        assert model.predict(X).tolist() == model.classes_[tally.argmax(axis=0)].tolist()
    assert 0.04 <= np.median(last) <= 0.37


def test_boosting_curve_under_cross_validation():
    """Training error falls faster than that of held-out rows; the size is read from the curve."""
    flowers = datasets.iris()
    X, y = flowers.features.matrix, np.where(flowers.y == "versicolor", 1, 0)
    seen, unseen = [], []
    for train, test in KFold(5, shuffle=True, random_state=0).split(X, y):
        model = AdaBoostClassifier(n_estimators=30).fit(X[train], y[train])
        seen.append(model.staged_errors(X[train], y[train]))
        unseen.append(model.staged_errors(X[test], y[test]))
    training, held_out = np.mean(seen, axis=0), np.mean(unseen, axis=0)
    assert training[-1] < 0.02 < held_out[-1]
    assert training[-1] < training[0]
    assert 1 < suggested_size(held_out) <= suggested_size(held_out, rule="smallest")


def test_bagging_is_boosting_without_new_weights():
    """With weights 1/n and votes that all count 1, AdaBoost by drawn rows is bagging."""
    data = datasets.gaussians("eight", random_state=1)
    model = AdaBoostClassifier(
        DecisionTreeClassifier(), n_estimators=11, method="resample", learning_rate=1e-9, random_state=0
    ).fit(data)
    for weights in model.staged_weights(data):
        np.testing.assert_allclose(weights, 1.0, atol=1e-6)
    model.alphas_ = np.ones(11)
    votes = np.mean([m.predict(data) for m in model.estimators_], axis=0)
    assert model.predict(data).tolist() == model.classes_[(votes > 0.5).astype(int)].tolist()
    fresh = datasets.gaussians("eight", random_state=2)
    single = DecisionTreeClassifier().fit(data)
    assert model.score(fresh, fresh.y) > single.score(fresh, fresh.y)


def test_trees_can_be_boosted_and_weighted():
    """Boosting as the constructor of a forest: the trees have weights, and the leaves weighted averages."""
    data, fresh = datasets.gaussians("eight", random_state=0), datasets.gaussians("eight", random_state=5)
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=15).fit(data)
    assert len(set(model.alphas_.round(6))) > 10
    assert model.staged_errors(fresh)[-1] < model.staged_errors(fresh)[0]
    weights = next(model.staged_weights(data))
    tree = model.estimators_[1].nodes_
    rows = model.estimators_[1].apply(data.features)
    for leaf in np.flatnonzero(tree.is_leaf):
        share = np.average(data.y[rows == leaf] == "B", weights=weights[rows == leaf])
        assert tree.value[leaf, 1] / tree.value[leaf].sum() == pytest.approx(share)


def test_real_members_leave_no_class_the_heavier_in_any_leaf():
    """m = 1/2 ln(P(+1) / P(-1)) by weighted leaf shares, w <- w exp(-y m): then E_w(y | leaf) = 0."""
    data = datasets.gaussians("eight", random_state=3)
    model = AdaBoostClassifier(n_estimators=6, variant="real").fit(data)
    signs, w, score = np.where(data.y == "B", 1.0, -1.0), np.ones(400), np.zeros(400)
    for member, after in zip(model.estimators_, model.staged_weights(data), strict=True):
        leaves = member.apply(data.features)
        for leaf in np.unique(leaves):
            inside = leaves == leaf
            p = w[inside & (signs > 0)].sum() / w[inside].sum()
            score[inside] += 0.5 * math.log(p / (1 - p))
            assert (after * signs)[inside].sum() == pytest.approx(0.0, abs=1e-9)
        w = after
    np.testing.assert_allclose(model.decision_function(data), score)
    assert (model.alphas_ == 1.0).all()


def test_score_is_built_one_member_after_the_other():
    """An additive model on a constant: the majority class, which is 0 here, for there are as many of each."""
    data = datasets.gaussians("eight", random_state=0)
    model = AdaBoostClassifier(n_estimators=5, variant="discrete").fit(data)
    votes = [2.0 * m.predict(data.features) - 1.0 for m in model.estimators_]
    score = np.zeros(400)
    for t, staged in enumerate(model.staged_decision_function(data)):
        score = score + model.alphas_[t] * votes[t]
        np.testing.assert_allclose(staged, score)
    np.testing.assert_array_equal(np.sign(score) > 0, model.predict(data) == "B")
    assert Baseline().fit(data).predict_proba(data)[0].tolist() == [0.5, 0.5]


def test_weighting_and_drawing_do_about_as_well():
    errors = {}
    for method in ("weights", "resample"):
        errors[method] = [
            AdaBoostClassifier(n_estimators=40, method=method, random_state=seed)
            .fit(datasets.gaussians("eight", random_state=seed))
            .staged_errors(datasets.gaussians("eight", n=2000, random_state=100 + seed))[-1]
            for seed in range(5)
        ]
    assert abs(np.mean(errors["weights"]) - np.mean(errors["resample"])) < 0.03


def test_noise_in_the_labels_hurts():
    """Good on clean labels; on noisy ones the heaviest rows are those with a wrong label."""
    data, fresh = (
        datasets.gaussians("twenty", random_state=0),
        datasets.gaussians("twenty", n=2000, random_state=1),
    )
    flipped = np.random.default_rng(0).random(200) < 0.2
    noisy = np.where(flipped, np.where(data.y == "A", "B", "A"), data.y)
    clean, dirty = (AdaBoostClassifier(n_estimators=60).fit(data.features, y) for y in (data.y, noisy))
    assert clean.staged_errors(fresh)[-1] < dirty.staged_errors(fresh)[-1]
    *_, w = dirty.staged_weights(data.features, noisy)
    assert w[flipped].mean() > 2 * w[~flipped].mean()


class Counting(ClassifierMixin, BaseEstimator):
    """A member that counts the cells it is given."""

    cells = 0

    def fit(self, X, y, sample_weight=None):
        Counting.cells += X.size
        self.stump_ = DecisionStump(criterion="misclassification").fit(X, y, sample_weight=sample_weight)
        self.classes_ = self.stump_.classes_
        return self

    def predict(self, X):
        return self.stump_.predict(X)


def test_work_is_members_times_rows_times_columns():
    Counting.cells = 0
    AdaBoostClassifier(Counting(), n_estimators=7).fit(datasets.gaussians("twenty", random_state=0))
    assert Counting.cells == 7 * 200 * 20


class AboveZero(ClassifierMixin, BaseEstimator):
    """The literal stump of the example: a random column, class B above 0."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        AboveZero.draws = getattr(AboveZero, "draws", None) or np.random.default_rng(0)
        self.column_ = int(AboveZero.draws.integers(X.shape[1]))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(X[:, self.column_] > 0).astype(int)]


def random_stumps(n, seed):
    stump = DecisionStump(criterion="misclassification", max_features=1)
    model = AdaBoostClassifier(stump, n_estimators=n, variant="discrete", random_state=seed)
    data = datasets.gaussians("twenty", random_state=seed)
    return model.fit(data), data, datasets.gaussians("twenty", n=400, random_state=1000 + seed)


def test_random_stumps_with_the_best_threshold():
    """Training error reaches 0, margins become positive and go on growing, test error stays low."""
    model, data, fresh = random_stumps(300, seed=0)
    errors = model.staged_errors(data)
    assert errors[-1] == 0.0
    margins = model.margins(data)
    assert margins.min() > 0
    signs = np.where(data.y == "B", 1.0, -1.0)
    np.testing.assert_allclose(margins, signs * model.decision_function(data) / model.alphas_.sum())
    early = AdaBoostClassifier(model.estimator, n_estimators=40, variant="discrete", random_state=0).fit(data)
    assert np.quantile(early.margins(data), 0.1) < np.quantile(margins, 0.1)
    assert model.staged_errors(fresh)[-1] < 0.09


@pytest.mark.slow
def test_random_stumps_over_twenty_seeds():
    zero, test = [], []
    for seed in range(20):
        model, data, fresh = random_stumps(2000, seed)
        errors = model.staged_errors(data)
        zero.append(errors[[39, 199, 1999]] == 0)
        test.append(model.staged_errors(fresh)[-1])
        assert model.margins(data).min() > 0
    assert np.sum(zero, axis=0)[0] >= 14  # 18 of 20 in the derivation, by other draws
    assert np.sum(zero, axis=0)[1:].tolist() == [20, 20]
    assert np.mean(test) == pytest.approx(0.046, abs=0.01)


@pytest.mark.slow
def test_literal_stumps_fall_behind():
    """A fixed threshold and direction: training error hardly ever reaches 0, and many members fail."""
    zero, test = 0, []
    for seed in range(5):
        data = datasets.gaussians("twenty", random_state=seed)
        model = AdaBoostClassifier(
            AboveZero(), n_estimators=400, variant="discrete", on_failure="redraw", max_redraws=100
        ).fit(data)
        fresh = datasets.gaussians("twenty", n=400, random_state=1000 + seed)
        zero += int(model.staged_errors(data)[-1] == 0)
        test.append(model.staged_errors(fresh)[-1])
    assert zero <= 1
    assert 0.05 < np.mean(test) < 0.12
