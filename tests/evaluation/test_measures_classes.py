"""Measures of classes: against scikit-learn, against counting by hand, and their identities."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn import metrics

from hornbook.evaluation import (
    ConfusionTable,
    accuracy,
    balanced_accuracy,
    confusion_table,
    cost_risk,
    error_rate,
    f_measure,
    false_negative_rate,
    false_positive_rate,
    kappa,
    matthews,
    negative_precision,
    precision,
    recall,
    specificity,
)

AVERAGES = ["macro", "micro", "weighted"]
KINDS = {
    "text": np.array(["ant", "bee", "cat", "dog"]),
    "numbers": np.array([3, -1, 7, 100_000]),
    "floats": np.arange(4.0),
}
RATIOS = (
    precision,
    recall,
    specificity,
    false_positive_rate,
    false_negative_rate,
    negative_precision,
    f_measure,
)


@st.composite
def answers(draw, n_classes=3):
    pairs = draw(
        st.lists(
            st.tuples(st.integers(0, n_classes - 1), st.integers(0, n_classes - 1), st.integers(0, 4)),
            min_size=1,
            max_size=30,
        )
    )
    truth, answer, weight = np.array(pairs).T
    return truth, answer, weight + 0.0 if weight.any() else None


def cells(truth, answer, weight, label):
    """TP, FN, FP, TN of one class, counted row by row."""
    weight = np.ones(len(truth)) if weight is None else weight
    is_it, called = truth == label, answer == label
    masks = (is_it & called, is_it & ~called, ~is_it & called, ~is_it & ~called)
    return [float(weight[mask].sum()) for mask in masks]


# numerator and denominator from a row (TP, FN, FP, TN)
TP, FN, FP, TN = np.eye(4)
FORMULAS = {
    precision: (TP, TP + FP),
    recall: (TP, TP + FN),
    specificity: (TN, TN + FP),
    false_positive_rate: (FP, TN + FP),
    false_negative_rate: (FN, TP + FN),
    negative_precision: (TN, TN + FN),
    f_measure: (2 * TP, 2 * TP + FP + FN),
}


@pytest.mark.parametrize("ratio", RATIOS, ids=lambda measure: measure.name)
@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=answers(), value=st.sampled_from([0.0, 0.25, 1.0]))
def test_each_class_and_each_average_by_counting(ratio, rows, value):
    truth, answer, weight = rows
    labels = sorted({*truth.tolist(), *answer.tolist()})
    counted = np.array([cells(truth, answer, weight, label) for label in labels])

    def share(four):
        top, bottom = (four @ part for part in FORMULAS[ratio])
        return top / bottom if bottom else value

    measure = np.array([share(four) for four in counted])
    options = {"sample_weight": weight, "zero_division": value}
    assert_allclose(ratio(truth, answer, average=None, **options), measure, atol=1e-12)
    expected = {
        "macro": measure.mean(),
        "micro": share(counted.sum(axis=0)),
        "weighted": np.average(measure, weights=counted[:, 0] + counted[:, 1]),
        "predicted": np.average(measure, weights=counted[:, 0] + counted[:, 2]),
    }
    for average, number in expected.items():
        assert ratio(truth, answer, average=average, **options) == pytest.approx(number, abs=1e-12)
    table = confusion_table(truth, answer, sample_weight=weight)
    assert ratio(table, average="macro", zero_division=value) == pytest.approx(expected["macro"], abs=1e-12)
    assert ratio(table.turned(), average="micro", zero_division=value) == pytest.approx(
        expected["micro"], abs=1e-12
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_as_scikit_learn_with_several_classes(kind, weighted):
    rng = np.random.default_rng(0)
    for _ in range(20):
        t, p = rng.integers(0, 4, 40), rng.integers(0, 3, 40)
        truth, answer = KINDS[kind][t], KINDS[kind][np.where(rng.random(40) < 0.5, t, p)]
        w = rng.random(40) if weighted else None
        for average in [*AVERAGES, None]:
            theirs = {"average": average, "sample_weight": w, "zero_division": 0}
            ours = {"average": average, "sample_weight": w, "zero_division": 0.0}
            assert_allclose(
                precision(truth, answer, **ours), metrics.precision_score(truth, answer, **theirs), atol=1e-12
            )
            assert_allclose(
                recall(truth, answer, **ours), metrics.recall_score(truth, answer, **theirs), atol=1e-12
            )
            for beta in (0.5, 1.0, 2.0):
                assert_allclose(
                    f_measure(truth, answer, beta=beta, **ours),
                    metrics.fbeta_score(truth, answer, beta=beta, **theirs),
                    atol=1e-12,
                )
        assert accuracy(truth, answer, sample_weight=w) == pytest.approx(
            metrics.accuracy_score(truth, answer, sample_weight=w), abs=1e-12
        )
        assert error_rate(truth, answer, sample_weight=w) == pytest.approx(
            metrics.zero_one_loss(truth, answer, sample_weight=w), abs=1e-12
        )
        assert kappa(truth, answer, sample_weight=w) == pytest.approx(
            metrics.cohen_kappa_score(truth, answer, sample_weight=w), abs=1e-12
        )
        assert matthews(truth, answer, sample_weight=w) == pytest.approx(
            metrics.matthews_corrcoef(truth, answer, sample_weight=w), abs=1e-12
        )
        assert balanced_accuracy(truth, answer, sample_weight=w) == pytest.approx(
            metrics.balanced_accuracy_score(truth, answer, sample_weight=w), abs=1e-12
        )


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), ("no", "yes")])
@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=answers(n_classes=2))
def test_as_scikit_learn_with_two_classes(labels, rows):
    t, p, weight = rows
    truth, answer = np.array(labels)[t], np.array(labels)[p]
    named = {"positive": "yes"} if labels[1] == "yes" else {}
    theirs = {"sample_weight": weight, "zero_division": 0, "labels": list(labels), "average": None}
    for ours, score in (
        (precision, metrics.precision_score),
        (recall, metrics.recall_score),
        (f_measure, metrics.f1_score),
    ):
        value = ours(truth, answer, sample_weight=weight, zero_division=0, **named)
        assert value == pytest.approx(np.ravel(score(truth, answer, **theirs))[-1], abs=1e-12)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(rows=answers(n_classes=2))
def test_identities_of_two_classes(rows):
    truth, answer, weight = rows
    table = confusion_table(truth, answer, labels=[1, 0], sample_weight=weight)
    tp, fn, fp, tn, total = table.tp, table.fn, table.fp, table.tn, table.total
    assert tp + fn + fp + tn == pytest.approx(total)
    assert error_rate(table) + accuracy(table) == pytest.approx(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        p, r, f = precision(table), recall(table), f_measure(table)
        tpr, tnr = recall(table), specificity(table)
        if tp + fn and tn + fp:
            # the accuracy is the mean of both rates, weighted by the classes
            assert accuracy(table) == pytest.approx(((tp + fn) * tpr + (tn + fp) * tnr) / total)
            assert balanced_accuracy(table) == pytest.approx((tpr + tnr) / 2)
            assert false_positive_rate(table) == pytest.approx(1 - tnr)
            assert false_negative_rate(table) == pytest.approx(1 - tpr)
        if p + r:
            assert f == pytest.approx(2 * p * r / (p + r))
        if total + tp - tn:
            assert f == pytest.approx(2 * tp / (total + tp - tn))
        for beta in (0.5, 2.0):
            if p + r:
                expected = (1 + beta**2) * p * r / (beta**2 * p + r)
                assert f_measure(table, beta=beta) == pytest.approx(expected)


def test_a_large_beta_favors_recall():
    truth, answer = [1, 1, 1, 1, 0, 0], [1, 0, 0, 0, 0, 0]  # precision 1, recall 1/4
    value = [f_measure(truth, answer, beta=beta) for beta in (0.1, 1, 10)]
    assert value == sorted(value, reverse=True)
    assert value[0] == pytest.approx(1, abs=0.05)
    assert value[2] == pytest.approx(0.25, abs=0.01)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=answers(n_classes=4))
def test_averages_over_all_classes_that_are_the_accuracy(rows):
    truth, answer, weight = rows
    right = accuracy(truth, answer, sample_weight=weight)
    options = {"sample_weight": weight, "zero_division": 0.0}
    assert recall(truth, answer, average="weighted", **options) == pytest.approx(right)
    assert precision(truth, answer, average="predicted", **options) == pytest.approx(right)
    for ratio in (precision, recall, f_measure):
        assert ratio(truth, answer, average="micro", **options) == pytest.approx(right)


TABLES = [
    ConfusionTable([[8, 2], [1, 9]], ["P", "N"], positive="P"),
    ConfusionTable([[3, 1], [5, 11]], ["P", "N"], positive="P"),
    ConfusionTable([[13, 8], [2, 4]], ["N", "P"], positive="P"),
]


class TestSeveralTables:
    P = (8 / 9, 3 / 8, 4 / 12)
    R = (8 / 10, 3 / 4, 4 / 6)

    def test_a_value_for_each(self):
        assert_allclose(precision(TABLES, average=None), self.P)
        assert_allclose(recall(TABLES, average=None), self.R)

    def test_macro_is_the_mean_and_the_f_measure_is_that_of_the_means(self):
        mp, mr = np.mean(self.P), np.mean(self.R)
        assert precision(TABLES, average="macro") == pytest.approx(mp)
        assert recall(TABLES, average="macro_means") == pytest.approx(mr)
        assert f_measure(TABLES, average="macro_means") == pytest.approx(2 * mp * mr / (mp + mr))
        measure = [2 * p * r / (p + r) for p, r in zip(self.P, self.R, strict=True)]
        assert f_measure(TABLES, average="macro") == pytest.approx(np.mean(measure))
        assert f_measure(TABLES, average="macro") != pytest.approx(f_measure(TABLES, average="macro_means"))

    def test_micro_averages_the_tables_first(self):
        tp, fn, fp = np.mean([8, 3, 4]), np.mean([2, 1, 2]), np.mean([1, 5, 8])
        assert precision(TABLES, average="micro") == pytest.approx(tp / (tp + fp))
        assert recall(TABLES, average="micro") == pytest.approx(tp / (tp + fn))
        assert f_measure(TABLES, average="micro") == pytest.approx(2 * tp / (2 * tp + fp + fn))

    def test_refusals(self):
        with pytest.raises(ValueError, match="precision: 'average' must say how to join 3 tables: 'macro'"):
            precision(TABLES)
        with pytest.raises(ValueError, match="recall: a list of tables must hold confusion tables only"):
            recall([TABLES[0], [1, 0]], average="macro")
        with pytest.raises(
            ValueError, match="true and false positives need two classes of which one is positive"
        ):
            recall([ConfusionTable(np.eye(3), ["a", "b", "c"])], average="macro")
        with pytest.raises(
            ValueError, match="f_measure: a confusion table has counted all rows; leave 'y_pred'"
        ):
            f_measure(TABLES, [1], average="macro")


class TestNothingOutOfNothing:
    def test_is_zero_with_one_warning_that_names_the_classes(self):
        with pytest.warns(
            UserWarning, match="precision of 'c' is 0 / 0 because no row counts, and is set to 0"
        ) as seen:
            value = precision(["a", "b", "c"], ["a", "b", "b"], average=None)
        assert len(seen) == 1
        assert value.tolist() == [1.0, 0.5, 0.0]
        assert seen[0].filename == __file__

    def test_names_the_positive_class(self):
        with pytest.warns(UserWarning, match="recall of 1 is 0 / 0"):
            assert recall([0, 0], [0, 1]) == 0.0
        with pytest.warns(UserWarning, match="precision of 'x' is 0 / 0"):
            assert precision(["y", "y"], ["y", "y"], positive="x") == 0.0
        with pytest.warns(UserWarning, match="specificity of True is 0 / 0"):
            assert specificity([True, True], [True, False]) == 0.0

    def test_many_classes_are_not_all_named(self):
        with pytest.warns(UserWarning, match="precision of 1, 2, 3, 4, 5 and others is 0 / 0"):
            precision(range(9), [0] * 9, average="macro")

    def test_can_be_chosen(self):
        assert precision([0, 0], [0, 0], zero_division=1) == 1.0
        assert kappa([1, 1], [1, 1], zero_division=1) == 1.0
        with pytest.raises(
            ValueError, match=r"'zero_division' must be 'warn' or a number in \[0, 1\]; got 2"
        ):
            precision([0, 0], [0, 0], zero_division=2)
        with pytest.raises(
            ValueError, match=r"'zero_division' must be 'warn' or a number in \[0, 1\]; got nan"
        ):
            precision([0, 0], [0, 0], zero_division=np.nan)

    def test_kappa_and_matthews_of_one_class(self):
        with pytest.warns(UserWarning, match="kappa of 'a' is 0 / 0") as seen:
            assert kappa(["a", "a"], ["a", "a"]) == 0.0
        assert seen[0].filename == __file__
        with pytest.warns(UserWarning, match="matthews of 'a' is 0 / 0"):
            assert matthews(["a", "b"], ["a", "a"]) == 0.0
        assert kappa(["a", "b"], ["a", "a"]) == 0.0  # no warning: p_e is 1/2

    def test_classes_without_rows_do_not_count_for_the_average_recall(self):
        truth, answer = ["a", "a", "b"], ["a", "c", "b"]
        with pytest.warns(
            UserWarning, match=r"balanced_accuracy: the classes \['c'\] are predicted but have no rows"
        ):
            assert balanced_accuracy(truth, answer) == 0.75
        assert balanced_accuracy(truth, answer, zero_division=0) == pytest.approx(0.5)
        with pytest.warns(UserWarning, match="balanced_accuracy of 'c' is 0 / 0"):
            assert balanced_accuracy(truth, answer, zero_division="warn") == pytest.approx(0.5)


class TestChoices:
    def test_several_classes_need_an_average(self):
        with pytest.raises(
            ValueError, match="precision: there are 3 classes, so 'average' must be chosen: 'macro'"
        ):
            precision(["a", "b", "c"], ["a", "b", "c"])

    @pytest.mark.parametrize("labels", [("a", "b"), (1, 2), ("yes", "no")])
    def test_of_two_classes_the_one_that_sorts_last_is_positive(self, labels):
        truth, answer = (np.array(labels)[codes] for codes in ([0, 0, 0, 1, 1], [0, 0, 1, 1, 0]))
        last = max(labels)
        for measure in (precision, recall, f_measure):
            assert measure(truth, answer) == measure(truth, answer, positive=last)
            assert measure(truth, answer) != measure(truth, answer, positive=min(labels))
            assert measure(confusion_table(truth, answer)) == measure(truth, answer)

    def test_a_single_class_of_text_does_not_tell(self):
        with pytest.raises(ValueError, match=r"recall: 'positive' must say which of the classes \['a'\]"):
            recall(["a", "a"], ["a", "a"])
        with pytest.raises(
            ValueError, match=r"recall: 'positive' must be one of the classes \['a', 'b'\]; got 'c'"
        ):
            recall(["a", "b"], ["a", "b"], positive="c")

    def test_averages_and_beta_are_checked(self):
        with pytest.raises(
            ValueError, match="f_measure: 'average' must be None or one of binary, macro, macro_means"
        ):
            f_measure([0, 1], [0, 1], average="median")
        for beta in (0, -1, np.inf, np.nan, "two"):
            with pytest.raises(ValueError, match="f_measure: 'beta' must be a positive number; got"):
                f_measure([0, 1], [0, 1], beta=beta)

    def test_a_label_that_is_not_named(self):
        with pytest.raises(
            ValueError, match=r"recall: 'y_pred' has the label 'z' in row 1, which is not one of 'labels'"
        ):
            recall(["a", "b"], ["a", "z"], labels=["a", "b"], average="macro")

    def test_named_classes_without_rows_count(self):
        value = recall(["a", "b"], ["a", "b"], labels=["a", "b", "c"], average="macro", zero_division=0)
        assert value == pytest.approx(2 / 3)

    def test_a_table_knows_its_positive_class(self):
        table = confusion_table(["P", "N", "P"], ["P", "N", "N"], positive="P")
        assert recall(table) == 0.5
        assert recall(table, positive="N") == 1.0


class TestCosts:
    def test_equal_costs_are_the_error_rate(self):
        rng = np.random.default_rng(1)
        truth, answer, w = rng.integers(0, 3, 50), rng.integers(0, 3, 50), rng.random(50)
        assert cost_risk(truth, answer, costs=1 - np.eye(3), sample_weight=w) == pytest.approx(
            error_rate(truth, answer, sample_weight=w)
        )

    def test_rows_are_decisions_and_columns_the_truth(self):
        costs = [[0, 5], [1, 0]]
        assert cost_risk([1], [0], costs=costs, labels=[0, 1]) == 5
        assert cost_risk([0], [1], costs=costs, labels=[0, 1]) == 1
        table = confusion_table([1, 1, 0], [0, 1, 1], labels=[0, 1])
        assert cost_risk(table, costs=costs) == pytest.approx((5 + 0 + 1) / 3)
        assert cost_risk(table.turned(), costs=costs) == pytest.approx((5 + 0 + 1) / 3)

    @settings(derandomize=True, max_examples=50, deadline=None)
    @given(rows=answers(), seed=st.integers(0, 99))
    def test_is_the_mean_of_what_is_paid(self, rows, seed):
        truth, answer, weight = rows
        costs = np.random.default_rng(seed).random((3, 3))
        paid = [costs[i, j] for i, j in zip(answer, truth, strict=True)]
        assert cost_risk(truth, answer, costs=costs, labels=[0, 1, 2], sample_weight=weight) == pytest.approx(
            np.average(paid, weights=weight)
        )

    def test_costs_fit_the_classes(self):
        with pytest.raises(
            ValueError, match=r"'costs' must be 3 x 3 finite numbers for the classes \[0, 1, 2\]; got"
        ):
            cost_risk([0, 1, 2], [0, 1, 2], costs=np.eye(2))
        with pytest.raises(ValueError, match="'costs' must be 2 x 2 finite numbers"):
            cost_risk([0, 1], [0, 1], costs=[[0, np.nan], [1, 0]])
