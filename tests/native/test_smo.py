"""Kernel values, sums over support vectors, and the solver of quadratic programs, against plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.svm import dual_optimum, kernel_matrix

from hornbook import _native

KINDS = {"linear": 0, "poly": 1, "rbf": 2, "sigmoid": 3}


def rows_of(n, d, seed):
    return np.random.default_rng(seed).normal(size=(n, d))


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(sorted(KINDS)),
    st.integers(1, 40),
    st.integers(1, 600),
    st.integers(1, 9),
    st.integers(0, 99),
)
def test_values_and_sums_are_those_of_the_formulas(kind, n, m, d, seed):
    X, Y = rows_of(n, d, seed), rows_of(m, d, seed + 1)
    K = kernel_matrix(X, Y, kind, 0.3, 0.5, 3)
    spec = KINDS[kind], 0.3, 0.5, 3
    if kind == "linear":
        spec = 0, 1.0, 0.0, 1
    np.testing.assert_allclose(_native.kernel_values(X, Y, *spec, 2), K, rtol=1e-12, atol=1e-13)
    coef = rows_of(2, m, seed + 2)
    starts = np.array([0, m // 3, m])
    sums = _native.kernel_sums(X, Y, *spec, coef, starts, 2).reshape(n, 2, 2)
    np.testing.assert_array_equal(sums, _native.kernel_sums(X, Y, *spec, coef, starts, 1).reshape(n, 2, 2))
    for s, (a, b) in enumerate(((0, m // 3), (m // 3, m))):
        np.testing.assert_allclose(sums[:, s], K[:, a:b] @ coef[:, a:b].T, rtol=1e-9, atol=1e-9)


def problem(kind, seed, n=14):
    """Bounds and terms of a machine for two classes, for numbers, or for one class."""
    draw = np.random.default_rng(seed)
    X, high = draw.normal(size=(n, 3)), draw.uniform(0.5, 2.0, n)
    signs = np.resize([1.0, -1.0], n)
    if kind == "numbers":
        y = draw.normal(size=n)
        row_of = np.tile(np.arange(n), 2)
        low, top = np.concatenate([np.zeros(n), -high]), np.concatenate([high, np.zeros(n)])
        linear = np.concatenate([0.1 - y, -0.1 - y])
        return X, row_of, low, top, linear, np.zeros(2 * n), np.zeros(2 * n)
    if kind == "one class":
        return X, np.arange(n), np.zeros(n), high, np.zeros(n), np.zeros(n), 0.4 * high
    ridge = 0.5 / high if kind == "squared" else np.zeros(n)
    if kind == "squared":
        high = np.full(n, np.inf)
    low, top = np.where(signs > 0, 0.0, -high), np.where(signs > 0, high, 0.0)
    return X, np.arange(n), low, top, -signs, ridge, np.zeros(n)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(["classes", "squared", "numbers", "one class"]), st.integers(0, 999))
def test_the_solver_finds_the_optimum(kind, seed):
    X, row_of, *terms = problem(kind, seed)
    low, high, linear, ridge, start = terms
    solver = _native.smo_solver(
        X, 2, 0.5, 0.0, 1, np.arange(len(X)), row_of, *terms, 1e-9, 10**6, 2**20, True, 1
    )
    assert not solver.run(10**6, 1)
    assert solver.status == 1
    K = kernel_matrix(X, X, "rbf", 0.5)
    value, _ = dual_optimum(K[np.ix_(row_of, row_of)], low, high, linear, ridge, start.sum())
    assert -solver.dual == pytest.approx(value, rel=1e-6, abs=1e-8)
    assert 0 <= solver.gap < 1e-6
    b = solver.values()
    assert (b >= low).all()
    assert (b <= high).all()
    assert b.sum() == pytest.approx(start.sum(), abs=1e-9)
    np.testing.assert_allclose(solver.sums(), K @ np.bincount(row_of, b, len(X)), atol=1e-9)


def test_a_start_at_the_optimum_needs_no_step():
    X, row_of, *terms = problem("classes", 5)
    arguments = X, 2, 0.5, 0.0, 1, np.arange(len(X)), row_of
    limits = 1e-6, 10**6, 2**20, True, 1
    first = _native.smo_solver(*arguments, *terms, *limits)
    first.run(1000, 1)
    again = _native.smo_solver(*arguments, *terms[:-1], first.values(), *limits)
    again.run(1000, 1)
    assert first.steps > 0
    assert again.steps == 0
    assert again.dual == pytest.approx(first.dual)


def test_wrong_arguments_are_refused():
    X, row_of, *terms = problem("classes", 0)
    limits = 1e-6, 10**6, 2**20, True, 1
    rows = np.arange(len(X))

    def solver(table=X, kind=2, gamma=0.5, rows=rows, row_of=row_of, terms=terms):
        return _native.smo_solver(table, kind, gamma, 0.0, 1, rows, row_of, *terms, *limits)

    for changes, message in (
        ({"kind": 7}, "kind must be"),
        ({"gamma": np.nan}, "gamma and coef0"),
        ({"rows": rows + 1}, "is not in a table"),
        ({"row_of": row_of + 1}, "belongs to no row"),
        ({"terms": [terms[0], *terms[2:], terms[4]]}, "start between its bounds"),
        ({"kind": 4}, "must be square"),
        ({"rows": rows[:0], "row_of": row_of[:0]}, "needs rows"),
    ):
        with pytest.raises(ValueError, match=message):
            solver(**changes)
    one = solver()
    with pytest.raises(ValueError, match="different ones"):
        _native.smo_run_all([one, one], 2)
    with pytest.raises(ValueError, match="must have 3 columns"):
        _native.kernel_values(X[:, :2].copy(), X, 0, 1.0, 0.0, 1, 1)
    with pytest.raises(ValueError, match="starts must begin"):
        _native.kernel_sums(X, X, 0, 1.0, 0.0, 1, np.ones((1, len(X))), np.array([0, 3]), 1)
    with pytest.raises(ValueError, match="kernel must be square"):
        _native.ascent_pass(X, np.ones(14), np.ones(14), np.zeros(14), np.zeros(14))


def test_sums_need_coefficients():
    rows = np.ones((3, 2))
    with pytest.raises(ValueError, match="coef must have at least one row"):
        _native.kernel_sums(rows, rows, 0, 1.0, 0.0, 1, np.empty((0, 3)), np.array([0, 3]), 1)


@pytest.mark.parametrize("n", [20, 300, 700])  # one set of all variables, or several rounds
@pytest.mark.parametrize("squared", [False, True])
def test_problems_side_by_side_are_solved_as_each_alone(n, squared):
    draw = np.random.default_rng(n)
    X = draw.normal(size=(2 * n, 3))
    starts, rows = np.array([0, n, 2 * n]), draw.permutation(2 * n)
    signs, costs = np.where(X[rows, 0] + draw.normal(size=2 * n) > 0, 1.0, -1.0), draw.uniform(0.5, 2, 2 * n)
    limits = 1e-6, 10**7, 2**24, True
    values, sums, facts = _native.smo_pairs(
        X, 2, 0.5, 0.0, 1, starts, rows, signs, costs, squared, *limits, 2
    )
    for part, (bias, steps, violation, dual, gap, status, odd) in zip(
        (slice(n), slice(n, None)), facts.tolist(), strict=True
    ):
        high = np.full(n, np.inf) if squared else costs[part]
        side = signs[part]
        terms = np.where(side > 0, 0.0, -high), np.where(side > 0, high, 0.0), -side
        ridge = 0.5 / costs[part] if squared else np.zeros(n)
        alone = _native.smo_solver(
            X, 2, 0.5, 0.0, 1, rows[part], np.arange(n), *terms, ridge, np.zeros(n), *limits, 1
        )
        while alone.run(16, 1):
            pass
        np.testing.assert_array_equal(values[part], alone.values())
        np.testing.assert_array_equal(sums[part], alone.sums())
        np.testing.assert_allclose(
            sums[part], kernel_matrix(X[rows[part]], X[rows[part]], "rbf", 0.5) @ values[part], atol=1e-8
        )
        assert [bias, dual, gap, violation] == [alone.bias, alone.dual, alone.gap, alone.violation]
        assert (steps, status, odd) == (alone.steps, 1, 0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"starts": np.array([0, 3])}, "end with the number of rows"),
        ({"starts": np.array([0, 5, 2, 4])}, "starts must not fall"),
        ({"rows": np.array([0, 1, 2, 9])}, "row 9 is not in a table"),
        ({"signs": np.array([1.0, -1.0, 1.0, 0.5])}, "signs must be"),
        ({"costs": np.array([1.0, 1.0, 0.0, 1.0])}, "costs must be above 0"),
        ({"costs": np.ones(3)}, "a sign and a cost"),
    ],
)
def test_problems_that_are_none_are_refused(changes, sentence):
    call = {
        "starts": np.array([0, 4]),
        "rows": np.arange(4),
        "signs": np.array([1.0, -1.0, 1.0, -1.0]),
        "costs": np.ones(4),
        **changes,
    }
    with pytest.raises(ValueError, match=sentence):
        _native.smo_pairs(np.eye(4), 2, 0.5, 0.0, 1, *call.values(), False, 1e-3, 100, 2**20, True, 1)
