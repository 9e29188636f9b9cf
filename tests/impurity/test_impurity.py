"""Impurities and gains: identities, limits and what is refused. Numbers of the notes are in tests/notes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hornbook import impurity as im

tables = arrays(
    np.float64, st.tuples(st.integers(2, 4), st.integers(2, 4)), elements=st.integers(0, 9)
).filter(lambda table: (table.sum(axis=1) > 0).all())


@settings(derandomize=True, max_examples=80, deadline=None)
@given(table=tables)
def test_gains_are_written_in_two_ways(table):
    joint, by_class, by_branch = table.ravel(), table.sum(axis=0), table.sum(axis=1)
    both_forms = im.entropy(by_class) + im.entropy(by_branch) - im.entropy(joint)
    assert im.information_gain(table) == pytest.approx(both_forms, abs=1e-12)
    p = table / table.sum()
    rows = p.sum(axis=1)
    index = (rows * ((p / rows[:, None]) ** 2).sum(axis=1)).sum() - (p.sum(axis=0) ** 2).sum()
    assert im.gain(table, "gini") == pytest.approx(index, abs=1e-12)
    assert im.gain(table, "daroczy", beta=2.0) == pytest.approx(2 * index, abs=1e-12)
    assert im.gain(table, "daroczy", beta=1.0) == pytest.approx(im.information_gain(table), abs=1e-12)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(counts=arrays(np.float64, st.integers(2, 5), elements=st.integers(0, 9)).filter(lambda c: c.sum() > 0))
def test_impurities_belong_together(counts):
    assert im.quadratic_entropy(counts) == pytest.approx(2 * im.gini(counts))
    assert im.daroczy_entropy(counts, 2.0) == pytest.approx(im.quadratic_entropy(counts))
    assert im.daroczy_entropy(counts, 1.0 + 1e-7) == pytest.approx(im.entropy(counts), abs=1e-5)
    assert im.purity(counts) == pytest.approx(1 - im.misclassification(counts))
    assert im.entropy(counts) <= np.log2(len(counts)) + 1e-12
    pure = (counts > 0).sum() == 1
    for name in im.IMPURITIES:
        assert (im.impurity(counts, name) == 0) == pure or not pure


def test_every_criterion_of_a_perfect_and_a_useless_split():
    for name in im.CRITERIA:
        assert im.gain([[3, 0], [0, 3]], name) > 0.4
        if name != "quadratic_gain":
            assert im.gain([[2, 2], [1, 1]], name) == pytest.approx(0.0, abs=1e-12)


def test_spread_of_numbers():
    y, w = [1.0, 2.0, 6.0], [1.0, 1.0, 2.0]
    assert im.variance(y, w) == pytest.approx(np.var([1, 2, 6, 6]))
    assert im.absolute_deviation(y, w) == pytest.approx(np.abs(np.array([1, 2, 6, 6]) - 4).mean())


def test_empty_branches_weigh_nothing():
    assert im.split_impurity([[2, 2], [0, 0]]) == 1.0
    assert im.gain_ratio([[2, 2]]) == 0.0
    assert im.cart_measure([[2, 2], [0, 0]]) == 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: im.entropy([-1, 2]), "at least 0"),
        (lambda: im.information_gain([1, 2]), "a row for each branch"),
        (lambda: im.information_gain([[0, 0]]), "every entry is 0"),
        (lambda: im.cart_measure([[1], [1], [1]]), "two branches; got 3"),
        (lambda: im.gain([[1, 2]], "x"), "must be one of gini, .* got 'x'"),
        (lambda: im.impurity([1, 2], "x"), "must be one of gini, .* got 'x'"),
        (lambda: im.daroczy_entropy([1, 2], 0.0), "above 0"),
        (lambda: im.symmetric_gain_ratio([[1, 2]], "x"), "'joint' or 'sum'"),
        (lambda: im.variance([]), "weights of the same length, with a sum above 0"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
