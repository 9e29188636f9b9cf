"""Kernel machines at the limits: impossible margins, huge columns, gaps, tolerances below rounding."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hornbook import (
    SVC,
    SVR,
    DualPerceptron,
    KernelDiscriminant,
    KernelPerceptron,
    KernelRidge,
    LinearSVR,
    OneClassSVM,
)

LEARNERS = (
    KernelPerceptron(),
    DualPerceptron(),
    KernelDiscriminant(),
    KernelRidge(),
    KernelRidge(kernel="rbf"),
    SVC(),
)


def table(n=60, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + 0.3 * rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_gradient_ascent_notices_that_no_hard_margin_exists(kernel):
    X, y = table()
    X, y = np.vstack([X, X]), np.append(y, 1 - y)
    begin = time.perf_counter()
    with pytest.raises(ValueError, match="hard margin, and this kernel does not separate"):
        SVC(C=np.inf, kernel=kernel, solver="dual_ascent", augment=True).fit(X, y)
    assert time.perf_counter() - begin < 20  # a million passes would take a minute


def test_gradient_ascent_finds_a_hard_margin_that_exists():
    X, _ = table()
    y = (X[:, 0] > 0.1).astype(int)
    model = SVC(C=np.inf, kernel="linear", solver="dual_ascent", augment=True).fit(X, y)
    assert (np.where(y, 1, -1) * model.decision_function(X)).min() > 0.99


@pytest.mark.filterwarnings("ignore:KernelRidge. kernel values up to .* leave rounding errors")
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_column_of_another_size_is_named(learner):
    X, y = table()
    X[:, 1] *= 1e9
    with pytest.warns(UserWarning, match="column 'x1' varies by .* scale the columns"):
        learner.fit(X, y)
    X[:, 1] *= 1e191
    with pytest.raises(ValueError, match="column 'x1' has numbers so large that their squares overflow"):
        learner.fit(X, y)


@pytest.mark.parametrize("kind", [SVC, SVR, KernelRidge, KernelPerceptron, KernelDiscriminant])
def test_a_kernel_matrix_has_no_gaps(kind):
    X, y = table(20)
    K = X @ X.T
    model = kind(kernel="precomputed").fit(K, y)
    K[2, 1] = np.nan
    with pytest.raises(ValueError, match="column .x1. has missing values and .* cannot use them"):
        kind(kernel="precomputed").fit(K, y)
    with pytest.raises(ValueError, match="column .x1. has missing values and .* cannot use them"):
        model.predict(K)


@pytest.mark.parametrize(
    "learner",
    [
        SVC(),
        SVC(solver="dual_ascent", augment=True),
        SVC(solver="primal_newton", loss="squared_hinge"),
        SVC(solver="primal_newton", loss="squared_hinge", augment=True),
        SVR(),
        OneClassSVM(),
        KernelPerceptron(),
    ],
    ids=str,
)
def test_an_indefinite_kernel_is_said(learner):
    X, y = table(120)
    learner.set_params(kernel="sigmoid", gamma=2.0, coef0=-1.0)
    with pytest.warns(UserWarning, match="the kernel is not positive semidefinite, so"):
        learner.fit(X, y)
    # Lengths and distances are those of points here.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.set_params(kernel="poly", gamma=1.0, coef0=1.0, degree=2).fit(X, y)


@pytest.mark.parametrize("classes", [2, 3])
def test_an_indefinite_kernel_without_a_bound_has_no_solution(classes):
    X, _ = table(120, seed=1)
    y = np.arange(120) % classes
    for kernel in ("sigmoid", lambda a, b: -float(a @ b)):
        with pytest.raises(ValueError, match="with this loss the objective has no optimum"):
            SVC(kernel=kernel, gamma=2.0, coef0=-1.0, loss="squared_hinge").fit(X, y)


def test_squares_of_kernel_values_that_overflow_are_refused():
    X, y = table()
    with pytest.raises(ValueError, match="values so large that their squares overflow: scale the columns"):
        KernelDiscriminant(kernel="poly", gamma=1.0, degree=24).fit(1e4 * X, y)
    with pytest.raises(ValueError, match="a column of y has numbers so large that their squares overflow"):
        KernelRidge().fit(X, 1e200 * y)


def test_a_tolerance_below_rounding_ends_where_the_objective_cancels():
    # The weights of the best solution are 0, so that the objective is nothing but rounding.
    X = np.random.default_rng(0).normal(size=(300, 5))
    with pytest.warns(ConvergenceWarning, match="rounding keeps the solver from reaching 'tol'.*raise tol"):
        model = OneClassSVM(kernel="linear", tol=1e-30).fit(X)
    assert model.n_iter_ < 5_000_000
    assert model.kkt_ < 1e-11


MEASURED = """
import resource, sys, warnings
import numpy as np
from hornbook import SVC

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)

warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(150_000, 2))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
SVC(max_iter=10).fit(X[:2000], y[:2000])
before = peak()
SVC(cache_size=1.0, max_iter=300).fit(X, y)
print(peak() - before)
"""


@pytest.mark.slow
def test_memory_for_kernel_values_is_bounded_with_many_rows():
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 160  # 64 for kernel values, the rest for the rows; 256 rows would take 307


def test_a_linear_machine_that_was_stopped_names_the_one_that_is_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = X @ rng.normal(size=5) + rng.normal(size=200)
    with pytest.warns(ConvergenceWarning, match=r"raise max_iter, .*lower C, or use hornbook.LinearSVR"):
        slow = SVR(kernel="linear", C=1e6, max_iter=5000).fit(X, y)
    quick = LinearSVR(C=1e6, epsilon=0.1, intercept_scaling=100.0).fit(X, y)
    errors = [np.maximum(np.abs(y - model.predict(X)) - 0.1, 0).sum() for model in (slow, quick)]
    assert errors[1] < errors[0]
    with pytest.warns(ConvergenceWarning, match=r"raise max_iter, scale the columns, or raise tol\.$"):
        OneClassSVM(max_iter=10).fit(X)
