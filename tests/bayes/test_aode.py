"""AODE against its formula written out, and its corners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from tests.bayes.tables import coded, frame_of, mixed
from tests.oracles.one_dependence import aode

from hornbook import AODE, SPODE, TAN, NaiveBayes


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9999),
    missing=st.sampled_from([0.0, 0.2]),
    smoothing=st.sampled_from(["laplace", "zero_only", "none"]),
    min_count=st.sampled_from([0.0, 1.0, 12.0, 1000.0]),
    include_self=st.booleans(),
)
def test_agrees_with_brute_force(seed, missing, smoothing, min_count, include_self):
    codes, y, w, sizes, table = coded(seed, missing=missing)
    setting = {"smoothing": smoothing, "min_count": min_count, "include_self": include_self, "alpha": 0.6}
    model = AODE(**setting).fit(table, y, w)
    how = (smoothing, 0.6)
    judged = [aode(codes, y, w, sizes, 3, row, how, min_count, include_self) for row in codes]
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(table)), judged, rtol=1e-9, atol=1e-300)


def test_without_any_parent_it_is_naive_bayes():
    X, y = mixed()
    for density in ("bins", "gaussian"):
        model = AODE(min_count=1e6, density=density).fit(X, y)
        naive = NaiveBayes(density=density, n_bins=5).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), naive.predict_proba(X), rtol=1e-10)
        assert set(map(len, model.parents_.values())) <= {0}
        assert "naive Bayes" in str(model.working(X.iloc[[0]]))
    numbers = X[["size", "mass"]]
    only = AODE(density="gaussian").fit(numbers, y)
    np.testing.assert_allclose(
        only.predict_proba(numbers), NaiveBayes().fit(numbers, y).predict_proba(numbers)
    )


def test_a_row_of_missing_cells_gets_the_class_shares():
    X, y = mixed()
    model = AODE().fit(X, y)
    empty = X.iloc[:1].copy()
    empty.loc[:, ["size", "mass"]] = np.nan
    empty.loc[:, ["color", "shape"]] = None
    assert model.predict_proba(empty)[0] == pytest.approx(model.class_prior_)


def test_normal_densities_depend_on_the_parent():
    X, y = mixed(gaps=False)
    X = X[["mass", "shape"]]
    model = AODE(density="gaussian", smoothing="none", var_smoothing=1e-12).fit(X, y)
    joint = np.exp(model.predict_joint_log_proba(X))
    row = X.iloc[0]
    for c in range(3):
        own = X[(y == c) & (X["shape"] == row["shape"])]["mass"]
        judged = len(own) / len(X) * norm.pdf(row["mass"], own.mean(), own.std(ddof=0))
        assert joint[0, c] == pytest.approx(judged, rel=1e-6)


def test_rows_of_the_class_are_added_to_small_groups():
    X, y = mixed(gaps=False)
    X = X[["mass", "shape"]]
    model = AODE(density="gaussian", alpha=2.0, var_smoothing=1e-12).fit(X, y)
    inside = X[(y == 1) & (X["shape"] == "long")]["mass"].to_numpy()
    whole = X[y == 1]["mass"].to_numpy()
    together = np.concatenate([inside, np.repeat(whole, 1)])
    weights = np.concatenate([np.ones(len(inside)), np.full(len(whole), 2.0 / len(whole))])
    mean = np.average(together, weights=weights)
    var = np.average((together - mean) ** 2, weights=weights)
    level = model.schema_.columns[1].levels.index("long")
    assert model.factors_.given.mean[1, level, 0] == pytest.approx(mean)
    assert model.factors_.given.var[1, level, 0] == pytest.approx(var, rel=1e-9)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), cut=st.integers(10, 110), density=st.sampled_from(["bins", "gaussian"]))
def test_three_ways_of_use_agree(seed, cut, density):
    X, y = mixed(seed=seed)
    X.loc[0, ["size", "mass"]] = [-9.0, -9.0]
    X.loc[1, ["size", "mass"]] = [9.0, 9.0]
    setting = {"density": density, "n_bins": 3}
    whole = AODE(**setting).fit(X, y)
    lazy = AODE(lazy=True, **setting).fit(X, y)
    assert not hasattr(lazy, "statistics_")
    assert lazy.predict_proba(X).tolist() == whole.predict_proba(X).tolist()
    grown = AODE(**setting).partial_fit(X[:cut], y[:cut], classes=[0, 1, 2]).partial_fit(X[cut:], y[cut:])
    np.testing.assert_allclose(grown.predict_proba(X), whole.predict_proba(X), rtol=1e-7, atol=1e-12)


def test_levels_that_appear_later_enter_the_tables():
    grown = AODE().partial_fit({"c": ["x", "y"], "d": ["k", "k"]}, [0, 1])
    grown.partial_fit({"c": ["z", "x"], "d": ["m", "k"]}, [1, 0])
    table = {"c": ["x", "y", "z", "x"], "d": ["k", "k", "m", "k"]}
    whole = AODE().fit(table, [0, 1, 1, 0])
    np.testing.assert_allclose(grown.predict_proba(table), whole.predict_proba(table), rtol=1e-12)


def test_rows_are_counted_in_the_same_way_in_any_pieces():
    draw = np.random.default_rng(0)
    codes = draw.integers(0, 3, (150_000, 4))
    y, w = draw.integers(0, 2, 150_000), draw.random(150_000)
    one = AODE(n_jobs=1).fit(frame_of(codes), y, w)
    many = AODE(n_jobs=3).fit(frame_of(codes), y, w)
    assert one.statistics_.pairs.tolist() == many.statistics_.pairs.tolist()
    assert one.statistics_.pairs[:, 0, :3].sum() == pytest.approx(w[codes[:, 0] == 0].sum())


def test_many_columns_do_not_underflow(monkeypatch):
    draw = np.random.default_rng(0)
    codes = draw.integers(0, 4, (60, 200))
    model = AODE().fit(frame_of(codes), np.arange(60) % 2)
    joint = model.predict_joint_log_proba(frame_of(codes))
    assert np.isfinite(joint).all()
    assert joint.max() < -100
    exact = model.working(codes[0].astype(float).tolist())
    assert np.log(exact.scores) == pytest.approx(joint[0])
    # Where even the largest would print as 0, all are given up to a common factor.
    monkeypatch.setattr("hornbook.bayes.explain._aode_description.SMALLEST", -100.0)
    working = model.working(codes[0].astype(float).tolist())
    assert max(max(term.values) for term in working.terms) == 1.0
    assert working.shares == pytest.approx(exact.shares)
    assert model.predict_proba(frame_of(codes))[0] == pytest.approx(working.shares)


def test_pairs_that_do_not_fit_into_memory_are_refused():
    names = pd.Categorical([f"id{i}" for i in range(100_000)])
    table = pd.DataFrame({"id": names, "twin": names[::-1]})
    for learner in (AODE(), TAN(), SPODE()):
        with pytest.raises(MemoryError, match="very many levels, use fewer bins, or use NaiveBayes"):
            learner.fit(table, np.arange(100_000) % 2)


def test_told_and_drawn():
    X, y = mixed()
    text = str(AODE().fit(X, y).describe())
    assert "P(class, color)" in text
    assert "values that may be parents" in text
    assert "parent color = " in str(AODE().fit(X, y).working(X.dropna().iloc[[0]]))
