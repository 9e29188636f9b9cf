"""The interpretation of n_jobs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

import hornbook
from hornbook.params import ParameterError, Team, blas_threads, threads
from hornbook.params._threads import _blas


@pytest.fixture(autouse=True)
def eight_processors(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 8)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "8")  # the cache of other settings stays


@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 8), (-1, 8), (-2, 7), (-8, 1), (-9, 1), (-100, 1)])
def test_negative_counts_back_from_all(n_jobs, expected):
    assert threads(n_jobs) == expected


@given(st.integers(1, 10_000))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_positive_is_taken_as_it_is(n_jobs):
    assert threads(n_jobs) == n_jobs
    assert type(threads(np.int64(n_jobs))) is int


@pytest.mark.parametrize(
    ("setting", "expected"), [("3", 3), (" 2 ", 2), ("0", 8), ("-1", 8), ("4,2", 8), ("", 8)]
)
def test_the_environment_variable_is_all_when_it_is_a_positive_integer(monkeypatch, setting, expected):
    monkeypatch.setenv("OMP_NUM_THREADS", setting)
    assert threads(None) == expected
    assert threads(-1) == expected
    assert threads(-2) == max(1, expected - 1)
    assert threads(5) == 5


@pytest.mark.parametrize("wrong", [0, 1.0, True, False, "2", "all", np.int64(0), float("nan")])
def test_anything_else_is_refused(wrong):
    with pytest.raises(ParameterError, match=r"^n_jobs must be a positive integer, .* or None for all; got "):
        threads(wrong)


def test_the_sentence_shows_what_was_given():
    with pytest.raises(ParameterError, match=r"got 0\.$"):
        threads(0)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_all_is_one_inside_a_worker(monkeypatch, backend):
    monkeypatch.setenv("OMP_NUM_THREADS", "6")
    run = joblib.Parallel(n_jobs=2, backend=backend)
    assert run(joblib.delayed(threads)(n) for n in (None, -1, -2, 3)) == [1, 1, 1, 3]
    assert threads(None) == 6


def test_a_new_limit_is_noticed(monkeypatch):
    assert threads(None) == 8
    monkeypatch.undo()
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert threads(None) == 1


def test_one_job_is_no_worker():
    assert joblib.Parallel(n_jobs=1)([joblib.delayed(threads)(None)]) == [8]


def test_importing_the_package_does_not_load_joblib():
    code = "import sys, hornbook.params; sys.exit('joblib' in sys.modules)"
    source = str(Path(hornbook.params.__file__).parents[2])
    subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": source}, check=True)


@pytest.mark.parametrize("n_jobs", [2**31, 10**18])
def test_more_threads_than_can_be_counted_are_as_many_as_can_be(n_jobs):
    X = [[1.0], [2.0], [3.0]]
    model = hornbook.DecisionTreeClassifier(n_jobs=n_jobs).fit(X, [0, 1, 1])
    assert model.predict(X).tolist() == [0, 1, 1]


def test_a_limit_inside_another_ends_with_the_outer_one():
    def counts() -> set[int]:
        return {library.num_threads for library in _blas()}

    with threadpool_limits(2, "blas"):
        with blas_threads(1):
            with blas_threads(1):
                assert counts() == {1}
            assert counts() == {1}
            with blas_threads(2):
                assert counts() == {1}
        assert counts() == {2}


def test_all_is_one_on_the_threads_of_a_team():
    with Team(2) as team:
        assert team.submit(threads, None).result() == 1
        assert team.submit(threads, 3).result() == 3
    with Team(1) as alone:
        assert alone.submit(threads, None).result() == threads(None)
