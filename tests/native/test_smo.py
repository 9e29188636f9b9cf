"""Kernel values, sums over support vectors, and the solver of quadratic programs, against plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.svm import dual_optimum, kernel_matrix

from hornbook import _native
from hornbook.frame import SparseRows

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
        X, 2, 0.5, 0.0, 1, starts, rows, signs, costs, np.empty(0), squared, *limits, 2
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
        ({"values": np.ones(3)}, "a start needs one value"),
        ({"values": np.full(4, 2.0)}, "start between its bounds"),
    ],
)
def test_problems_that_are_none_are_refused(changes, sentence):
    call = {
        "starts": np.array([0, 4]),
        "rows": np.arange(4),
        "signs": np.array([1.0, -1.0, 1.0, -1.0]),
        "costs": np.ones(4),
        "values": np.empty(0),
        **changes,
    }
    with pytest.raises(ValueError, match=sentence):
        _native.smo_pairs(np.eye(4), 2, 0.5, 0.0, 1, *call.values(), False, 1e-3, 100, 2**20, True, 1)


@pytest.mark.parametrize("distance", [0.0, 30.0, 1e3, 1e8])
def test_gaussian_values_far_from_the_origin(distance):
    """Near it they come from products, far from it from differences: both are exact."""
    draw = np.random.default_rng(0)
    X = distance + draw.normal(size=(300, 5))
    gaps = ((X[:, None].astype(np.longdouble) - X[None]) ** 2).sum(axis=2)
    K = _native.kernel_values(X, X, 2, 0.2, 0.0, 1, 1)
    np.testing.assert_allclose(K, np.exp(-0.2 * gaps).astype(float), rtol=1e-11)
    np.testing.assert_array_equal(np.diag(K), 1.0)
    np.testing.assert_array_equal(K, K.T)


def test_gaussian_values_do_not_depend_on_the_other_queries():
    draw = np.random.default_rng(1)
    X, rows = draw.normal(size=(30, 4)), draw.normal(size=(40, 4))
    X[::7] *= 1e3
    K = _native.kernel_values(X, rows, 2, 0.5, 0.0, 1, 1)
    for i in range(30):
        np.testing.assert_array_equal(_native.kernel_values(X[i : i + 1], rows, 2, 0.5, 0.0, 1, 1)[0], K[i])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 999), st.sampled_from([0, 1, 2, 3]), st.integers(1, 40), st.integers(1, 20))
def test_kernel_values_of_sparse_rows_are_those_of_dense_ones(seed, kind, n, cols):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, cols)) * (draw.random((n, cols)) < 0.3)
    rows = SparseRows.of(X)
    table = rows.values, rows.columns, rows.offsets, rows.n_columns
    spec = kind, 0.3, 0.5, 2
    dense = _native.kernel_values(X, X, *spec, 1)
    for threads in (1, 2):
        sparse = _native.kernel_values(table, table, *spec, threads)
        if kind == 2:  # by squares and products, where dense rows are subtracted
            np.testing.assert_allclose(sparse, dense, rtol=1e-12, atol=1e-14)
            assert (np.diag(sparse) == 1).all()
        else:
            np.testing.assert_array_equal(sparse, dense)


def test_a_sparse_table_gives_the_solution_of_a_dense_one():
    X, row_of, *terms = problem("classes", 3)
    X = X * (np.abs(X) > 0.5)
    rows = SparseRows.of(X)
    table = rows.values, rows.columns, rows.offsets, rows.n_columns
    arguments = 1, 0.5, 1.0, 2, np.arange(len(X)), row_of, *terms, 1e-9, 10**6, 2**20, True, 1
    solvers = [_native.smo_solver(form, *arguments) for form in (X, table)]
    for solver in solvers:
        solver.run(10**6, 1)
    np.testing.assert_array_equal(solvers[0].values(), solvers[1].values())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"columns": np.array([0, 5], dtype=np.int32)}, "column 5 is not among 2"),
        ({"columns": np.array([0], dtype=np.int32)}, "a column for each"),
        ({"offsets": np.array([0, 2, 1, 2])}, "must ascend"),
        ({"offsets": np.array([0, 1, 1, 3])}, "end with the number of values"),
        ({"offsets": np.empty(0, dtype=np.int64)}, "need offsets"),
    ],
)
def test_sparse_tables_that_are_none_are_refused(changes, sentence):
    parts = {
        "stored": np.ones(2),
        "columns": np.array([0, 1], dtype=np.int32),
        "offsets": np.array([0, 1, 1, 2]),
        "n_columns": 2,
    }
    table, wrong = tuple(parts.values()), tuple({**parts, **changes}.values())
    with pytest.raises(ValueError, match=sentence):
        _native.kernel_values(wrong, table, 2, 1.0, 0.0, 1, 1)
    with pytest.raises(ValueError, match="must be sparse"):
        _native.kernel_values(np.ones((3, 2)), table, 2, 1.0, 0.0, 1, 1)
    with pytest.raises(ValueError, match="not a sparse one"):
        _native.kernel_values(table, np.ones((2, 2)), 4, 1.0, 0.0, 1, 1)


def test_objective_and_gap_are_true_while_rows_are_left_out():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(1500, 4))
    signs = np.where(X[:, 0] + X[:, 1] ** 2 + 0.5 * draw.normal(size=1500) > 1, 1.0, -1.0)
    high, n = 10.0, len(X)
    low, top = np.where(signs > 0, 0.0, -high), np.where(signs > 0, high, 0.0)
    terms = low, top, -signs, np.zeros(n), np.zeros(n)
    arguments = X, 2, 0.5, 0.0, 1, np.arange(n), np.arange(n), *terms
    solver = _native.smo_solver(*arguments, 1e-4, 10**6, 2**26, True, 1)
    K = kernel_matrix(X, X, "rbf", 0.5)
    duals, primals = [], []
    more = True
    while more:
        more = solver.run(4, 1)
        b = solver.values()
        assert solver.dual == pytest.approx(np.abs(b).sum() - 0.5 * b @ K @ b, rel=1e-9)
        duals.append(solver.dual)
        primals.append(solver.dual + solver.gap)
    assert (np.diff(duals) >= -1e-9 * duals[-1]).all()
    assert len(duals) > 4
    assert (np.array(primals) >= duals[-1] * (1 - 1e-9)).all()  # no primal value is below the optimum
