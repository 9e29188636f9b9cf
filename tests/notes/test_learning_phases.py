"""Learning and use of a model in the notes: examples, training and new samples, tasks, repeated estimates."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
import pytest
from scipy.stats import norm

import hornbook
from hornbook import (
    Baseline,
    DecisionTreeClassifier,
    KMeans,
    LinearRegression,
    Memorizer,
    NaiveBayes,
    datasets,
)
from hornbook.evaluation import (
    HoldOut,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_validation_summary,
    error_rate,
    fit_diagnosis,
    mean_interval,
    permutation_test,
    random_search,
)
from hornbook.frame import outliers
from hornbook.registry import TASK_TYPES

small_folds = pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")


def test_four_melons_are_examples_of_three_attributes():
    """m = 4 and d = 3: the number of a melon is no attribute, and its ripeness is a label, true or false."""
    table = datasets.watermelon("1.0")
    assert table.features.shape == (4, 3)
    assert table.features.schema.names == ("color", "root", "sound")
    assert table.features.schema.kinds == ("nominal", "nominal", "nominal")
    assert table["ID"].tolist() == [1, 2, 3, 4]
    assert table.y.tolist() == [True, True, False, False]
    assert table["root"].tolist() == ["curly", "curly", "straight", "slightly curly"]
    # Attributes may be words or numbers; without labels nobody can learn which melons are ripe.
    assert datasets.watermelon("3.0").features.schema.kinds == ("nominal",) * 6 + ("numeric",) * 2
    assert datasets.watermelon("4.0").y is None
    with pytest.raises(ValueError, match="requires y to be passed"):
        NaiveBayes().fit(table.features)


def test_what_is_learned_from_a_sample_holds_for_new_samples_of_the_same_distribution():
    """Training sees the training rows alone, and new rows of the same source are what it is judged on."""
    rng = np.random.default_rng(0)

    def sample(n, shift=0.0):
        y = rng.integers(0, 2, n)
        return (rng.normal(2.0 * y - 1.0 + shift, 1.0))[:, None], y

    X, y = sample(2000)
    model = NaiveBayes(var_smoothing=0.0).fit(X, y)
    new, truth = sample(20_000)
    # By hand: prior, mean and variance of the training rows of each class, then the larger product.
    parts = [X[y == c, 0] for c in (0, 1)]
    joint = [len(own) / 2000 * norm.pdf(new[:, 0], own.mean(), own.std()) for own in parts]
    np.testing.assert_array_equal(model.predict(new), joint[1] > joint[0])
    # The best error of this source is the mass of a normal distribution beyond 1.
    best = norm.cdf(-1)
    spread = np.sqrt(best * (1 - best))
    assert error_rate(truth, model.predict(new)) == pytest.approx(best, abs=4 * spread / np.sqrt(20_000))
    assert error_rate(y, model.predict(X)) == pytest.approx(best, abs=4 * spread / np.sqrt(2000))
    # Rows of another distribution: nothing that was measured holds.
    moved, truth = sample(20_000, shift=1.0)
    assert error_rate(truth, model.predict(moved)) > best + 0.08


@small_folds
def test_every_fold_of_a_stratified_cut_into_ten_has_its_share():
    """150 flowers in 10 folds: 15 in each, 5 of each kind; the other 135 train."""
    flowers = datasets.iris()
    rounds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(flowers))
    assert sorted(np.concatenate([test for _, test in rounds])) == list(range(150))
    for train, test in rounds:
        assert sorted([*train, *test]) == list(range(150))
        assert np.unique(flowers.y[test], return_counts=True)[1].tolist() == [5, 5, 5]


@small_folds
def test_repeated_folds_are_averaged_over_their_repeats():
    melons = datasets.watermelon("3.0")
    ripe = melons.y.astype(bool)
    for kind in (RepeatedKFold, RepeatedStratifiedKFold):
        folds = list(kind(n_splits=4, n_repeats=3, random_state=1).split(melons))
        errors = np.array(
            [
                error_rate(ripe[test], Baseline().fit(melons[train]).predict(melons[test]))
                for train, test in folds
            ]
        ).reshape(3, 4)
        for repeat in range(3):
            tested = [test for _, test in folds[4 * repeat : 4 * repeat + 4]]
            assert sorted(np.concatenate(tested)) == list(range(17))
            if kind is RepeatedStratifiedKFold:
                assert [ripe[test].sum() for test in tested] == [2, 2, 2, 2]
        assert len({str(folds[4 * repeat][1].tolist()) for repeat in range(3)}) == 3
        runs = cross_validation_summary(errors)
        assert runs.mean == pytest.approx(np.mean([run.mean() for run in errors]))
        assert runs.variance == pytest.approx(np.mean([run.var(ddof=1) for run in errors]))
        assert runs.variance_of_mean == pytest.approx(np.var([run.mean() for run in errors], ddof=1))


def test_k_estimates_give_a_mean_and_how_far_it_may_be_off():
    """Four accuracies: their mean varies 1 / sqrt(4) as much as one of them."""
    values = [0.8, 0.7, 0.6, 0.9]
    summary = cross_validation_summary(values)
    assert summary.standard_error == pytest.approx(np.sqrt(0.05 / 3) / 2)
    interval = mean_interval(values, method="normal")
    assert (interval.high - 0.75) / 1.959964 == pytest.approx(summary.standard_error, rel=1e-6)
    assert (0.75 - interval.low) / 1.959964 == pytest.approx(summary.standard_error, rel=1e-6)


def test_a_known_deviation_makes_the_interval_and_not_the_values():
    """K = 5 and sigma = 0.1 given: 1.96 * 0.1 / sqrt(5) = 0.088 and 2.58 * 0.1 / sqrt(5) = 0.115."""
    for values in ([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30], [7 / 30] * 5):
        for level, point, half in ((0.95, 1.96, 0.088), (0.99, 2.58, 0.115)):
            interval = mean_interval(values, level=level, method="known_variance", sigma=0.1)
            assert round((interval.high - interval.low) / 2, 3) == half
            assert round((interval.high - interval.low) / 2 / 0.1 * np.sqrt(5), 2) == point
            assert (interval.low + interval.high) / 2 == pytest.approx(7 / 30)
    assert mean_interval([0.2], method="known_variance", sigma=0.1).high == pytest.approx(0.2 + 0.1959964)


@small_folds
def test_values_drawn_from_a_range_are_tried_as_those_of_a_grid_are():
    """Drawn settings lie in the range, each has the score of its folds, and the best is kept."""
    flowers, folds = datasets.iris(), StratifiedKFold(5, shuffle=True, random_state=0)
    search = random_search(
        DecisionTreeClassifier(),
        flowers,
        grid={"max_depth": [1, 2, 3, 4]},
        n_iter=3,
        measure="accuracy",
        cv=folds,
        nested=False,
        random_state=0,
    )
    depths = [setting["max_depth"] for setting in search.trials.settings]
    assert 1 < len(set(depths)) == len(depths) <= 3
    assert set(depths) <= {1, 2, 3, 4}
    scores = [
        np.mean(
            [
                DecisionTreeClassifier(max_depth=depth)
                .fit(flowers[train])
                .score(flowers[test], flowers.y[test])
                for train, test in folds.split(flowers)
            ]
        )
        for depth in depths
    ]
    np.testing.assert_allclose(search.trials.scores.mean(axis=1), scores)
    assert search.best_score == pytest.approx(max(scores))


def test_a_table_learned_by_heart_overfits():
    """No error on rows that were seen, as good as a guess on others: the diagnosis says so."""
    flowers = datasets.iris()
    train_errors, test_errors = [], []
    for seed in range(5):
        [(train, test)] = HoldOut(0.4, stratify=True, random_state=seed).split(flowers)
        model = Memorizer().fit(flowers.features[train], flowers.y[train])
        train_errors.append(error_rate(flowers.y[train], model.predict(flowers.features[train])))
        test_errors.append(error_rate(flowers.y[test], model.predict(flowers.features[test])))
    assert train_errors == [0.0] * 5
    assert min(test_errors) > 0.5
    assert fit_diagnosis(train_errors, test_errors).fit == "overfitting"


def test_each_kind_of_task_is_answered():
    assert [kind.name for kind in TASK_TYPES] == [
        "classification",
        "segmentation",
        "concept description",
        "prediction",
        "dependence",
        "deviation",
    ]
    for kind in TASK_TYPES:
        assert kind.question.endswith("?")
        for name in kind.answered_by:
            assert callable(attrgetter(name.removeprefix("hornbook."))(hornbook)), name
    melons = datasets.watermelon("3.0")
    model = NaiveBayes().fit(melons)
    assert (model.predict(melons) == melons.y).mean() > 0.8
    assert "sugar" in str(model.describe())
    groups = KMeans(2, random_state=0).fit_predict([[0.0], [0.1], [9.0], [9.1]])
    assert groups[0] == groups[1] != groups[2] == groups[3]
    line = LinearRegression().fit([[1.0], [2.0], [3.0]], [10.0, 20.0, 30.0])
    assert line.predict([[4.0]]) == pytest.approx([40.0])
    rain = np.arange(20.0)
    together = permutation_test(rain, 2 * rain, statistic="pearson", alternative="greater", random_state=0)
    assert together.rejected
    assert np.flatnonzero(outliers([10.0, 11.0, 12.0, 11.0, 500.0])).tolist() == [4]


@small_folds
def test_the_four_steps_of_modeling():
    """Model class, objective, optimizer, validation: trees, their impurity, induction, cross-validation."""
    cards = {card.name: card for card in hornbook.learners()}
    tree = cards["DecisionTreeClassifier"]
    for card in cards.values():
        assert all(len(words) > 3 for words in (card.model_class, card.objective, card.optimizer)), card.name
    assert "tree" in tree.model_class
    assert cards["NaiveBayes"].objective == "likelihood of the training rows"
    assert "squared" in cards["LinearRegression"].objective
    assert "classification" in tree.tasks
    assert cards["LinearRegression"].tasks == ("regression",)
    assert "clustering" in cards["KMeans"].tasks
    flowers, folds = datasets.iris(), KFold(5, shuffle=True, random_state=0)
    scored = hornbook.compare(
        {"tree": DecisionTreeClassifier(), "guess": Baseline()}, flowers, measure="error_rate", cv=folds
    )
    by_hand = [
        error_rate(flowers.y[test], DecisionTreeClassifier().fit(flowers[train]).predict(flowers[test]))
        for train, test in folds.split(flowers)
    ]
    np.testing.assert_allclose(scored.scores.values[list(scored.scores.names).index("tree")], by_hand)
    assert scored.best == "tree"
