"""Worked examples of tables and measures in the notes, to the printed digit."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import NaiveBayes, datasets
from hornbook.evaluation import (
    ConfusionTable,
    accuracy,
    balanced_accuracy,
    confusion_table,
    error_rate,
    f_measure,
    false_negative_rate,
    false_positive_rate,
    kappa,
    mae,
    mse,
    negative_precision,
    precision,
    recall,
    specificity,
)

SPECIES = ("setosa", "versicolor", "virginica")
# rows are predicted, columns are true
THREE = ConfusionTable([[10, 0, 0], [0, 7, 5], [0, 3, 5]], SPECIES, rows="prediction")
TWO = ConfusionTable([[7, 7], [3, 13]], ["versicolor", "rest"], rows="prediction", positive="versicolor")


def rounded(values, digits=3):
    return np.round(values, digits).tolist()


class TestIrisInThreeClasses:
    def test_sums(self):
        assert THREE.predicted_totals.tolist() == [10, 12, 8]  # m_i, the sums of the rows
        assert THREE.true_totals.tolist() == [10, 10, 10]  # n_i, the sums of the columns
        assert THREE.total == 30

    def test_precision_recall_and_f_of_each_class(self):
        assert rounded(precision(THREE, average=None)) == [1.0, 0.583, 0.625]
        assert rounded(recall(THREE, average=None)) == [1.0, 0.7, 0.5]
        assert rounded(f_measure(THREE, average=None)) == [1.0, 0.636, 0.556]

    def test_overall(self):
        assert round(accuracy(THREE), 3) == 0.733
        assert round(error_rate(THREE), 2) == 0.27  # 8 of 30
        assert round(f_measure(THREE, average="macro"), 3) == 0.731

    def test_overall_precision_is_weighted_by_predicted_rows_and_is_the_accuracy(self):
        by_hand = 10 / 30 * 1.0 + 12 / 30 * 7 / 12 + 8 / 30 * 5 / 8
        assert precision(THREE, average="predicted") == pytest.approx(by_hand)
        assert precision(THREE, average="predicted") == pytest.approx(accuracy(THREE))

    def test_from_labels(self):
        pairs = [(j, i) for i in range(3) for j in range(3) for _ in range(int(THREE.array[i, j]))]
        truth, answer = np.array(SPECIES)[np.array(pairs)].T
        table = confusion_table(truth, answer, rows="prediction")
        assert table.array.tolist() == THREE.array.tolist()
        assert table.labels == SPECIES


class TestIrisInTwoClasses:
    def test_cells(self):
        assert (TWO.tp, TWO.fp, TWO.fn, TWO.tn) == (7, 7, 3, 13)

    def test_rates(self):
        assert round(error_rate(TWO), 2) == 0.33
        assert round(accuracy(TWO), 2) == 0.67
        assert precision(TWO) == 0.5
        assert negative_precision(TWO) == 0.8125
        assert recall(TWO) == 0.7
        assert specificity(TWO) == 0.65
        assert false_negative_rate(TWO) == pytest.approx(0.3)
        assert false_positive_rate(TWO) == pytest.approx(0.35)

    def test_both_forms_of_f1_agree(self):
        p, r = precision(TWO), recall(TWO)
        assert f_measure(TWO) == pytest.approx(2 * p * r / (p + r))
        assert f_measure(TWO) == pytest.approx(2 * 7 / (30 + 7 - 13))

    def test_truth_in_the_rows_and_positive_first(self):
        assert TWO.turned().array.tolist() == [[7, 3], [7, 13]]  # [[TP, FN], [FP, TN]]

    def test_accuracy_is_the_mean_of_both_rates_weighted_by_class(self):
        assert accuracy(TWO) == pytest.approx(10 / 30 * recall(TWO) + 20 / 30 * specificity(TWO))
        assert balanced_accuracy(TWO) == pytest.approx((0.7 + 0.65) / 2)


def test_resubstitution_of_naive_bayes_on_sepals():
    table = datasets.iris(view="plane")
    model = NaiveBayes(var_smoothing=0.0).fit(table)
    assert round(error_rate(table.y, model.predict(table)), 2) == 0.22


class TestKappa:
    def test_total_disagreement(self):
        # p_o = 0 and p_e = 1/2
        assert kappa(["a", "b"], ["b", "a"]) == -1.0

    def test_full_disagreement_is_p_e_over_p_e_minus_1(self):
        table = ConfusionTable([[0, 3], [1, 0]], ["a", "b"])
        p_e = (3 * 1 + 1 * 3) / 16
        assert kappa(table) == pytest.approx(p_e / (p_e - 1))

    @pytest.mark.parametrize("k", [1, 5, 24])
    def test_accurate_classifiers_may_disagree(self, k):
        triples = (
            [(0, 1, 0)] * k + [(1, 0, 0)] * k + [(0, 0, 0)] + [(0, 1, 1)] * k + [(1, 0, 1)] * k + [(1, 1, 1)]
        )
        first, second, truth = np.array(triples).T
        expected = (2 * k + 2) / (4 * k + 2)
        assert accuracy(truth, first) == pytest.approx(expected)
        assert accuracy(truth, second) == pytest.approx(expected)
        assert kappa(first, second) == pytest.approx(4 / (4 * k + 2) - 1)
        if k == 24:
            assert len(truth) == 98
            assert round(accuracy(truth, first), 2) == 0.51
            assert round(kappa(first, second), 2) == -0.96
            assert kappa(first, second) == pytest.approx(-0.9592, abs=5e-5)

    def test_agreement_matrix_of_two_classifiers(self):
        first, second = ["a", "a", "b", "c"], ["a", "b", "b", "b"]
        table = confusion_table(first, second, names=("classifier 1", "classifier 2"))
        assert table.array.tolist() == [[1, 1, 0], [0, 1, 0], [0, 1, 0]]
        assert (table.true_totals.tolist(), table.predicted_totals.tolist()) == ([2, 1, 1], [1, 3, 0])
        p_o, p_e = 2 / 4, (2 * 1 + 1 * 3 + 1 * 0) / 16
        assert kappa(table) == pytest.approx((p_o - p_e) / (1 - p_e))
        assert kappa(table) == pytest.approx(1 - (1 - p_o) / (1 - p_e))


def test_losses_of_numbers():
    data, model = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.0, 3.0])
    assert mse(data, model) == pytest.approx((0.25 + 0 + 1) / 3)
    assert mae(data, model) == pytest.approx((0.5 + 0 + 1) / 3)
