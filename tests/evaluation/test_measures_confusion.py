"""The confusion table: both orientations, sums, print, and two classifiers instead of a truth."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import confusion_matrix

from hornbook.evaluation import ConfusionTable, confusion_table

LABELS = np.array(["ant", "bee", "cat", "dog"])


@settings(derandomize=True, max_examples=100, deadline=None)
@given(
    pairs=st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30
    ),
    weighted=st.booleans(),
)
def test_counts_as_scikit_learn_does(pairs, weighted):
    t, p, w = np.array(pairs).T
    weight = w / 4 if weighted and w.any() else None
    truth, answer = LABELS[t], LABELS[p]
    table = confusion_table(truth, answer, sample_weight=weight)
    names = sorted({*truth.tolist(), *answer.tolist()})
    if len(names) == 1:  # scikit-learn warns of a single class
        expected = np.array([[len(t) if weight is None else weight.sum()]])
    else:
        expected = confusion_matrix(truth, answer, labels=names, sample_weight=weight)
    assert table.labels == tuple(names)
    assert_allclose(table.array, expected, atol=1e-12)
    assert_allclose(table.turned().array, expected.T, atol=1e-12)
    turned = confusion_table(truth, answer, rows="prediction", sample_weight=weight)
    assert_allclose(turned.array, expected.T, atol=1e-12)
    for variant in (table, turned, table.turned().turned()):
        assert_allclose(variant.by_truth, expected, atol=1e-12)
        assert_allclose(variant.true_totals, expected.sum(axis=1), atol=1e-12)
        assert_allclose(variant.predicted_totals, expected.sum(axis=0), atol=1e-12)
        assert variant.total == pytest.approx(expected.sum())
    for label in names:
        one = table.against_rest(label)
        place = names.index(label)
        assert one.tp == pytest.approx(expected[place, place])
        assert one.fn == pytest.approx(expected[place].sum() - expected[place, place])
        assert one.fp == pytest.approx(expected[:, place].sum() - expected[place, place])
        assert turned.against_rest(label).tn == pytest.approx(one.tn)


class TestTwoClasses:
    def test_positive_comes_first(self):
        table = confusion_table([1, 1, 1, 0, 0], [1, 1, 0, 1, 0])
        assert table.labels == (1, 0)
        assert table.array.tolist() == [[2, 1], [1, 1]]  # [[TP, FN], [FP, TN]]
        assert (table.tp, table.fn, table.fp, table.tn) == (2, 1, 1, 1)
        named = confusion_table(["b", "a", "b"], ["b", "b", "a"], positive="b")
        assert (named.labels, named.positive) == (("b", "a"), "b")
        assert named.array.tolist() == [[1, 1], [1, 0]]

    def test_rows_may_be_the_prediction(self):
        table = confusion_table([1, 1, 1, 0], [1, 1, 0, 0], rows="prediction")
        assert table.array.tolist() == [[2, 0], [1, 1]]  # [[TP, FP], [FN, TN]]
        assert (table.tp, table.fn, table.fp, table.tn) == (2, 1, 0, 1)

    def test_without_a_positive_class_there_are_no_positives(self):
        table = confusion_table(["a", "b"], ["a", "b"])
        assert (table.labels, table.positive) == (("a", "b"), None)
        with pytest.raises(
            ValueError, match=r"confusion table of \['a', 'b'\]: true and false positives need two"
        ):
            _ = table.tp

    def test_named_order_is_kept(self):
        table = confusion_table([0, 1], [0, 1], labels=[0, 1])
        assert (table.labels, table.positive, table.tn) == ((0, 1), 1, 1)

    def test_one_class_only(self):
        table = confusion_table([1, 1], [1, 1])
        assert (table.labels, table.tp, table.fn, table.fp, table.tn) == ((1,), 2, 0, 0, 0)
        for table in (confusion_table([0, 0], [0, 0]), confusion_table(["a", "a"], ["a", "a"], positive="b")):
            assert len(table.labels) == 1
            assert (table.tp, table.fn, table.fp, table.tn) == (0, 0, 0, 2)

    def test_booleans(self):
        table = confusion_table([True, False, True], [True, True, False])
        assert (table.labels, table.tp, table.fn, table.fp, table.tn) == ((True, False), 1, 1, 1, 0)


def test_shares():
    table = ConfusionTable([[6, 2], [0, 0]], ["a", "b"])
    assert_array_equal(table.shares(), [[0.75, 0.25], [0, 0]])
    assert_array_equal(table.shares("truth"), [[0.75, 0.25], [0, 0]])
    assert_array_equal(table.shares("prediction"), [[1, 1], [0, 0]])
    assert_array_equal(table.turned().shares("prediction"), [[1, 0], [1, 0]])
    with pytest.raises(ValueError, match="shares: 'of' must be 'truth', 'prediction' or 'all'; got 'rows'"):
        table.shares("rows")


def test_print_has_heads_and_sums():
    table = confusion_table(
        ["ripe", "raw", "raw"], ["raw", "raw", "ripe"], rows="prediction", positive="ripe"
    )
    assert str(table).splitlines() == [
        "confusion table",
        "  prediction \\ truth  ripe  raw  total",
        "  ripe                   0    1      1",
        "  raw                    1    1      2",
        "  total                  1    2      3",
    ]
    assert '<td style="text-align: left">ripe</td><td style="text-align: right">0</td>' in table._repr_html_()
    weighted = confusion_table(["a", "b"], ["a", "b"], sample_weight=[0.5, 123456.0])
    assert str(weighted).splitlines()[2].split() == ["a", "0.5000", "0", "0.5000"]
    assert str(weighted).splitlines()[4].split() == ["total", "0.5000", "123456", "123456.5000"]


def test_two_classifiers_instead_of_a_truth():
    table = confusion_table(["x", "y", "y"], ["x", "x", "y"], names=("tree", "forest"))
    assert str(table).splitlines()[1].startswith("  tree \\ forest")
    assert str(table.turned()).splitlines()[1].startswith("  forest \\ tree")
    assert table.true_totals.tolist() == [1, 2]


def test_plain_data():
    table = confusion_table([1, 0, 1], [1, 1, 1], rows="prediction", sample_weight=[1, 2, 0.5])
    assert json.loads(json.dumps(table.to_dict())) == {
        "labels": [1, 0],
        "rows": "prediction",
        "names": ["truth", "prediction"],
        "positive": 1,
        "counts": [[1.5, 2.0], [0.0, 0.0]],
        "true_totals": [1.5, 2.0],
        "predicted_totals": [3.5, 0.0],
        "total": 3.5,
    }
    whole = confusion_table(np.array(["a", "b"]), np.array(["a", "b"]))
    assert json.loads(json.dumps(whole.to_dict()))["counts"] == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([[1, 2]], ["a"]), r"1 classes need 1 x 1 counts; got shape \(1, 2\)"),
        (([[1, -2], [0, 0]], ["a", "b"]), "counts must be finite and not negative, and not all zero"),
        (([[0, 0], [0, 0]], ["a", "b"]), "counts must be finite and not negative, and not all zero"),
        (([[1, np.nan], [0, 0]], ["a", "b"]), "counts must be finite and not negative, and not all zero"),
        (([[1, 0], [0, 1]], ["a", "a"]), r"'labels' must name each class once; got \['a', 'a'\]"),
        (([[1, 0], [0, 1]], ["a", "b"], "columns"), "'rows' must be 'truth' or 'prediction'; got 'columns'"),
        (
            ([[1, 0], [0, 1]], ["a", "b"], "truth", "c"),
            r"'positive' must be one of the classes \['a', 'b'\]; got 'c'",
        ),
    ],
)
def test_what_is_no_table_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=f"confusion_table: {sentence}"):
        ConfusionTable(*arguments)


def test_unknown_labels_are_refused():
    with pytest.raises(
        ValueError, match=r"'y_true' has the label 'c' in row 2, which is not one of 'labels' \['a'"
    ):
        confusion_table(["a", "b", "c"], ["a", "b", "b"], labels=["a", "b"])
    with pytest.raises(
        ValueError, match=r"'y_pred' has the label 7 in row 1, which is not one of 'labels' \[0, 1\]"
    ):
        confusion_table([0, 1], [0, 7], labels=[0, 1])
    with pytest.raises(ValueError, match=r"confusion table: there is no class 'z'; there are \['a', 'b'\]"):
        confusion_table(["a", "b"], ["a", "b"]).against_rest("z")
