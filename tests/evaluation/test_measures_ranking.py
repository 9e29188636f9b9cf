"""AUC and ranking loss, against scikit-learn and pair by pair; the bootstrap interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from tests.oracles import ranking as oracle

from hornbook.evaluation import auc, auc_interval, ranking_loss, roc_curve

NAMES = np.array(["ant", "bee", "cat", "dog"])


@st.composite
def ranked(draw, n_classes=2):
    size = draw(st.integers(n_classes, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    codes = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, size - n_classes)])
    score = rng.normal(size=(size, n_classes)) + np.eye(n_classes)[codes]
    if draw(st.booleans()):
        score = score.round()  # ties
    return codes, score, rng.uniform(0.1, 2, size) if draw(st.booleans()) else None


@settings(derandomize=True, max_examples=150, deadline=None)
@given(rows=ranked())
def test_auc_and_ranking_loss_add_up_to_one_and_count_pairs(rows):
    codes, table, weight = rows
    score = table[:, 1]
    area = auc(codes, score, sample_weight=weight)
    assert area + ranking_loss(codes, score, sample_weight=weight) == pytest.approx(1, abs=1e-12)
    assert area == pytest.approx(oracle.auc(codes == 1, score, weight), abs=1e-12)
    assert area == pytest.approx(metrics.roc_auc_score(codes, score, sample_weight=weight), abs=1e-12)
    assert area == pytest.approx(roc_curve(codes, score, sample_weight=weight).area, abs=1e-12)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=ranked())
def test_only_the_order_counts(rows):
    codes, table, weight = rows
    score = table[:, 1]
    area = auc(codes, score, sample_weight=weight)
    assert auc(codes, np.exp(3 * score + 1), sample_weight=weight) == pytest.approx(area, abs=1e-12)
    assert auc(codes, -score, sample_weight=weight) == pytest.approx(1 - area, abs=1e-12)
    assert auc(codes, score, positive=0, sample_weight=weight) == pytest.approx(1 - area, abs=1e-12)


@pytest.mark.parametrize("scheme", ["one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
@settings(derandomize=True, max_examples=50, deadline=None)
@given(rows=ranked(n_classes=4))
def test_several_classes_as_scikit_learn(scheme, average, rows):
    codes, score, weight = rows
    shares = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    kind = {"one_vs_rest": "ovr", "one_vs_one": "ovo"}[scheme]
    weight = None if kind == "ovo" else weight  # scikit-learn's has no weights
    expected = metrics.roc_auc_score(codes, shares, multi_class=kind, average=average, sample_weight=weight)
    area = auc(NAMES[codes], shares, scheme=scheme, average=average, sample_weight=weight)
    assert area == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@settings(derandomize=True, max_examples=30, deadline=None)
@given(rows=ranked(n_classes=3), seed=st.integers(0, 99))
def test_pairs_of_classes_with_whole_weights_are_repeated_rows(average, rows, seed):
    codes, score, _ = rows
    times = np.random.default_rng(seed).integers(1, 4, len(codes))
    one = auc(codes, score, scheme="one_vs_one", average=average, sample_weight=times)
    many = auc(np.repeat(codes, times), np.repeat(score, times, axis=0), scheme="one_vs_one", average=average)
    assert one == pytest.approx(many, abs=1e-12)


def test_constant_scores_are_chance():
    assert auc([0, 1, 1], [0.3, 0.3, 0.3]) == 0.5
    assert ranking_loss([0, 1, 1], [0.3, 0.3, 0.3]) == 0.5


def test_infinite_scores_rank_first_and_last():
    assert auc([0, 0, 1, 1], [-np.inf, 0.0, 0.0, np.inf]) == pytest.approx(3.5 / 4)


def test_two_columns_stand_for_two_classes():
    table = np.array([[0.8, 0.2], [0.4, 0.6], [0.3, 0.7]])
    assert auc(["a", "b", "a"], table) == auc(["a", "b", "a"], table[:, 1]) == 0.5
    assert auc(["a", "b", "b"], table, positive="a") == auc(["a", "b", "b"], table[:, 0], positive="a") == 1.0


def test_one_class_against_all_others():
    assert auc(["a", "b", "c", "a"], [0.9, 0.2, 0.5, 0.4], positive="a") == 0.75


def test_columns_in_another_order():
    codes, score, _ = np.array([0, 1, 2, 0, 1, 2]), np.random.default_rng(0).random((6, 3)), None
    expected = auc(NAMES[codes], score)
    assert auc(NAMES[codes], score[:, [2, 0, 1]], labels=["cat", "ant", "bee"]) == pytest.approx(expected)


def test_integers_that_span_much_and_objects_are_labels():
    score = [0.1, 0.9, 0.4]
    assert auc(np.array([10**12, -(10**12), 10**12]), score) == 0.0
    assert auc(np.array(["b", "a", "b"], dtype=object), score) == 0.0
    assert auc(np.array([1.0, 0.0, 1.0]), score) == 0.0


class TestRefusals:
    def test_of_choices(self):
        with pytest.raises(
            ValueError, match="auc: 'scheme' must be 'one_vs_rest' or 'one_vs_one'; got 'ovo'"
        ):
            auc([0, 1], [0.1, 0.2], scheme="ovo")
        with pytest.raises(ValueError, match="auc: 'average' must be 'macro' or 'weighted'; got 'micro'"):
            auc([0, 1], [0.1, 0.2], average="micro")

    def test_of_columns(self):
        with pytest.raises(
            ValueError, match=r"auc: 'y_score' must have a column for each of the classes \[0, 1\]"
        ):
            auc([0, 1], np.ones((2, 3)))
        with pytest.raises(ValueError, match="auc: 'y_true' must have rows of two classes, .*; got only 'b'"):
            auc(["b", "b"], np.ones((2, 3)), labels=["a", "b", "c"])
        with pytest.raises(
            ValueError, match="ranking_loss: 'y_score' must have one column, .*; got 3: choose"
        ):
            ranking_loss([0, 1], np.ones((2, 3)))


class TestInterval:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    score = rng.normal(size=300) + truth

    def test_holds_the_area_and_says_what_it_is(self):
        interval = auc_interval(self.truth, self.score, random_state=1)
        assert interval.estimate == auc(self.truth, self.score)
        assert interval.low < interval.estimate < interval.high
        assert (interval.level, interval.method) == (0.95, "bootstrap percentile")

    def test_is_as_wide_as_theory_says(self):
        # Hanley and McNeil: the variance of the area from the shares of triples in the right order
        a = auc(self.truth, self.score)
        n1 = self.truth.sum()
        n0 = len(self.truth) - n1
        q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
        deviation = np.sqrt((a * (1 - a) + (n1 - 1) * (q1 - a**2) + (n0 - 1) * (q2 - a**2)) / (n1 * n0))
        interval = auc_interval(self.truth, self.score, random_state=1)
        assert interval.width == pytest.approx(2 * 1.96 * deviation, rel=0.15)
        assert auc_interval(self.truth, self.score, level=0.5, random_state=1).width < 0.5 * interval.width

    def test_depends_on_the_seed_and_not_on_threads(self):
        one = auc_interval(self.truth, self.score, random_state=7, n_jobs=1, n_replicates=500)
        assert auc_interval(self.truth, self.score, random_state=7, n_jobs=3, n_replicates=500) == one
        assert auc_interval(self.truth, self.score, random_state=8, n_replicates=500) != one

    @pytest.mark.slow
    def test_is_that_of_a_plain_loop_in_distribution(self):
        interval = auc_interval(self.truth, self.score, random_state=1)
        rng = np.random.default_rng(5)
        areas = []
        for _ in range(2000):
            drawn = rng.integers(0, 300, 300)
            areas.append(metrics.roc_auc_score(self.truth[drawn], self.score[drawn]))
        assert [interval.low, interval.high] == pytest.approx(np.quantile(areas, [0.025, 0.975]), abs=0.005)

    def test_choices_are_checked(self):
        with pytest.raises(
            ValueError, match="auc_interval: 'level' must be a number between 0 and 1; got 95"
        ):
            auc_interval(self.truth, self.score, level=95)
        with pytest.raises(
            ValueError, match="auc_interval: 'n_replicates' must be a positive integer; got 0"
        ):
            auc_interval(self.truth, self.score, n_replicates=0)
        with pytest.raises(ValueError, match="auc_interval: 'y_true' must have rows of two classes"):
            auc_interval([1, 1], [0.1, 0.2])
