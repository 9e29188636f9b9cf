"""Nodes of monotone columns: of the splits that keep values in order, the best, found by trying them all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import coded, grown, options, tables, walk
from tests.oracles.tree import best_gain, class_score, number_score, score_in_order

CRITERIA = ("gini", "entropy", "squared_error", "poisson")
WHOLE = (-np.inf, np.inf)


def check(data, criterion, signs, *, drawn=False):
    columns, y, w = data
    classes = criterion in ("gini", "entropy")
    values = np.minimum(y, 1).astype(float) if classes else np.array([0.0, 1.0, 5.0])[y]
    target = {"label": values.astype(np.int32), "n_classes": 2} if classes else {"total": values * w}
    made = options(criterion=criterion, monotone=list(signs), random_thresholds=drawn)
    tree = grown(coded(columns), made, weight=w, **target)
    rows_of = dict(walk(tree, columns, w))
    means = {node: np.average(values, weights=rows) for node, rows in rows_of.items()}
    bounds = {0: WHOLE}
    for node, rows in rows_of.items():
        value = tree["value"][node]
        value = value[1] / value.sum() if classes else value[0]
        assert value == pytest.approx(np.clip(means[node], *bounds[node]), abs=1e-9)
        here = rows > 0
        scored = (values[here].astype(np.int32), rows[here])
        score = class_score(*scored, 2, criterion) if classes else number_score(*scored, criterion)
        bests = [
            best_gain(
                columns[j : j + 1, here],
                [j == 2],
                rows[here],
                score_in_order(score, *scored, sign, bounds[node]) if sign else score,
            )
            for j, sign in enumerate(signs)
        ]
        best = max((gain for gain in bests if gain is not None), default=-np.inf)
        if not tree["kind"][node]:
            assert drawn or len(set(values[here])) == 1 or best == -np.inf
            continue
        assert drawn or tree["gain"][node] == pytest.approx(best, abs=1e-9)
        first, sign = tree["first_child"][node], signs[tree["feature"][node]]
        low, high = bounds[node]
        middle = (means[first] + means[first + 1]) / 2
        bounds[first] = bounds[first + 1] = (low, high)
        if sign:
            assert (means[first] - means[first + 1]) * sign <= 1e-12
            bounds[first if sign > 0 else first + 1] = (low, middle)
            bounds[first + 1 if sign > 0 else first] = (middle, high)
    return len(tree["kind"])


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(derandomize=True, max_examples=12, deadline=None)
@given(data=tables(), signs=st.tuples(st.sampled_from([-1, 1]), st.sampled_from([-1, 0, 1]), st.just(0)))
def test_every_node_has_the_best_split_in_order(criterion, data, signs):
    check(data, criterion, signs)


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(derandomize=True, max_examples=5, deadline=None)
@given(data=tables())
def test_drawn_splits_are_in_order(criterion, data):
    check(data, criterion, (1, -1, 0), drawn=True)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n", [160, 161])  # of an odd number of rows the levels are many
def test_every_node_of_a_larger_tree(criterion, n):
    draw = np.random.default_rng(n)
    columns = np.array([draw.integers(0, 150, n), draw.integers(0, 6, n), draw.integers(0, 6, n)])
    y = np.clip(columns[0] // 60 + draw.integers(-1, 2, n), 0, 2).astype(np.int32)
    columns[draw.random(columns.shape) < 0.1] = -1
    assert check((columns.astype(np.int32), y, draw.integers(1, 4, n) * 1.0), criterion, (1, -1, 0)) > 20


@pytest.mark.parametrize(
    "wrong",
    [{"monotone": [1]}, {"monotone": [0, 2, 0]}, {"monotone": [0, 0, 1]}, {"fractional": True}],
    ids=str,
)
def test_constraints_that_cannot_be_kept_are_refused(wrong):
    columns = np.zeros((3, 6), dtype=np.int32)
    with pytest.raises(ValueError, match=r"^monotone"):
        grown(coded(columns), options(criterion="squared_error", **({"monotone": [1, 0, 0]} | wrong)),
              total=np.arange(6.0))  # fmt: skip
