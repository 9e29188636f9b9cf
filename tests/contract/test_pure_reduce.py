"""Sums over rows are pure: other processes that compute chunks in any order give the same to the last bit."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone, is_regressor
from tests.contract.learners import instances, mixed_table, name_of, same_answers, target_for
from tests.contract.scattered import Scattered

from hornbook import (
    AODE,
    Blocks,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesRegressor,
    Frame,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    KMeans,
    LogisticRegression,
    RandomForestClassifier,
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
)
from hornbook.ensembles.gradient_boosting.blocks import _block_fit
from hornbook.frame.rows._block import blocks_of
from hornbook.registry import LEARNERS, learner_class
from hornbook.trees.binned import _coded_blocks

SUMS = [learner for learner in instances() if hasattr(learner, "_fit_blocks")]
NEWTON = {"step": "newton", "leaf": "newton", "max_bins": 32, "n_estimators": 2}
# Learn from histograms that are summed over the rows, by their settings.
GROWN = [
    DecisionTreeClassifier(max_bins=32, class_weight="balanced"),
    DecisionTreeRegressor(max_bins=32),
    RandomForestClassifier(3, max_bins=32, class_weight="balanced_subsample"),
    ExtraTreesRegressor(3, max_bins=32, bootstrap=True),
    TotallyRandomTreesClassifier(3, max_bins=32),
    TotallyRandomTreesRegressor(3, max_bins=32),
    GradientBoostingClassifier(**NEWTON),
    GradientBoostingRegressor(**NEWTON),
    HistGradientBoostingClassifier(max_iter=2, early_stopping=True),
]
LARGE = [
    AODE(),
    HistGradientBoostingRegressor(max_iter=3),
    KMeans(3, random_state=0),
    KMeans(3, random_state=0, batch_size=3000),
    LogisticRegression(),
]


@pytest.fixture(scope="module")
def pool():
    """Two other processes, started anew and with BLAS on one thread."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setenv(name, "1")
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as team:
            list(team.map(abs, range(8)))  # all of them are there before the names are taken back
            yield team


def frames_for(learner, n):
    X, group = mixed_table(n)
    X["color"] = X["color"].astype(pd.CategoricalDtype(["dark", "green", "light"]))
    table = X.assign(target=target_for(learner, group), w=1.0 + np.arange(n) % 3)
    if not is_regressor(learner):
        table["target"] = pd.Categorical(table["target"])
    cuts = [0, 10, n // 2, n]
    roles = {"target": "target", "weight": "w"}
    whole = Frame(table, **roles)
    return X, whole, [whole[a:b] for a, b in pairwise(cuts)]


def same(one, other, where):
    """Equal to the last bit, whatever it is."""
    assert type(one) is type(other), where
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other, err_msg=where)
        assert one.dtype == other.dtype, where
    elif isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            same(one[key], other[key], f"{where}[{key!r}]")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for i, (left, right) in enumerate(zip(one, other, strict=True)):
            same(left, right, f"{where}[{i}]")
    elif isinstance(one, BaseEstimator):
        same(fitted(one), fitted(other), where)
    elif is_dataclass(one):
        for field in fields(one):
            same(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    else:
        np.testing.assert_equal(one, other, err_msg=where)


def fitted(model):
    return {name: value for name, value in vars(model).items() if name.endswith("_")}


def check(learner, pool, n):
    X, whole, frames = frames_for(learner, n)
    rows = Scattered(pool, list(blocks_of(frames)), np.random.default_rng(0))
    if "random_state" in learner.get_params():
        learner = clone(learner).set_params(random_state=0)
    memory = clone(learner).fit(Blocks(whole))
    scattered = clone(learner).fit(Blocks.over(rows, whole.schema))
    same(fitted(memory), fitted(scattered), name_of(learner))
    same_answers(memory, scattered, X.iloc[:1000])


def test_no_learner_that_sums_over_rows_is_left_out():
    names = {name for name in LEARNERS if "_fit_blocks" in dir(learner_class(name))}
    assert all(hasattr(learner, "_fit_blocks") for learner in GROWN)
    assert names == {type(learner).__name__ for learner in (*SUMS, *GROWN)}


def is_long(learner):
    """Whether a fit takes many hundreds of passes, each of which is sent away in pieces."""
    return getattr(learner, "penalty", "") == "l0" or getattr(learner, "l1_ratio", 0.0) == 0.5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "learner",
    [
        pytest.param(learner, id=name_of(learner), marks=[pytest.mark.slow] if is_long(learner) else [])
        for learner in SUMS
    ],
)
def test_other_processes_learn_the_same(learner, pool):
    check(learner, pool, 9000)


@pytest.mark.parametrize("learner", GROWN, ids=name_of)
def test_passes_in_other_processes_grow_the_same_trees(learner, pool, monkeypatch):
    monkeypatch.setattr(_coded_blocks, "MEMORY_BYTES", 2**14)  # several levels from histograms
    check(learner, pool, 9000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    [
        HistGradientBoostingClassifier(max_iter=3, class_weight="balanced"),
        HistGradientBoostingRegressor("poisson", max_iter=3, quantize=True),
    ],
    ids=name_of,
)
def test_passes_in_other_processes_boost_the_same_trees(learner, pool, monkeypatch):
    monkeypatch.setattr(_coded_blocks, "MEMORY_BYTES", 0)
    monkeypatch.setattr(_block_fit, "TOGETHER", 8)  # whole runs of sums, and several calls in each pass
    check(learner, pool, 140_000)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [pytest.param(learner, id=name_of(learner)) for learner in LARGE])
def test_other_processes_learn_the_same_from_many_rows(learner, pool):
    check(learner, pool, 70_000)
