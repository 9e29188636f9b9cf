"""SPODE against its formula, leaving rows out against fitting without them, and its corners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.tables import coded, mixed
from tests.oracles.one_dependence import tree, with_parent

from hornbook import SPODE, NaiveBayes


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 9999),
    missing=st.sampled_from([0.0, 0.2]),
    smoothing=st.sampled_from(["laplace", "zero_only", "none"]),
    parent=st.integers(0, 2),
)
def test_agrees_with_brute_force(seed, missing, smoothing, parent):
    codes, y, w, sizes, table = coded(seed, missing=missing)
    model = SPODE(super_parent=parent, smoothing=smoothing, alpha=0.6).fit(table, y, w)
    how = (smoothing, 0.6)
    judged = [
        with_parent(codes, y, w, sizes, 3, row, parent, how)
        if row[parent] >= 0
        else tree(codes, y, w, sizes, 3, row, [None] * 3, how)
        for row in codes
    ]
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(table)), judged, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_left_out_losses_are_those_of_fits_without_the_row(missing):
    _, y, _, _, table = coded(5, n=25, missing=missing)
    losses = SPODE().fit(table, y).losses_
    for parent in range(3):
        total = 0.0
        for i in range(25):
            rest = np.delete(np.arange(25), i)
            # All rows define the levels and classes; the row left out has weight 0.
            weights = np.isin(np.arange(25), rest).astype(float)
            model = SPODE(super_parent=parent).fit(table, y, weights)
            total -= model.predict_log_proba(table[[i]])[0, y[i]]
        assert losses[parent] == pytest.approx(total, rel=1e-9)
    assert losses[-1] == 25


def test_left_out_densities_are_those_of_fits_without_the_row():
    X, y = mixed(n=40)
    losses = SPODE(density="gaussian", var_smoothing=1e-12).fit(X, y).losses_
    for place, name in enumerate(["color", "shape"]):
        total = 0.0
        for i in range(40):
            weights = (np.arange(40) != i).astype(float)
            model = SPODE(super_parent=name, density="gaussian", var_smoothing=1e-12).fit(X, y, weights)
            total -= model.predict_log_proba(X.iloc[[i]])[0, y[i]]
        assert losses[place] == pytest.approx(total, rel=1e-7)


def test_the_column_with_the_smallest_loss_is_chosen():
    _, y, w, _, table = coded(3)
    model = SPODE().fit(table, y, w)
    assert model.super_parent_ == table.schema.names[int(np.argmin(model.losses_[:-1]))]
    same = SPODE(super_parent=model.super_parent_).fit(table, y, w)
    assert same.predict_proba(table).tolist() == model.predict_proba(table).tolist()
    assert model.parents_[model.super_parent_] is None


def test_weights_below_one_scale_the_losses():
    _, y, _, _, table = coded(3)
    heavy, light = SPODE().fit(table, y, np.full(40, 1.0)), SPODE(alpha=0.25).fit(table, y, np.full(40, 0.25))
    np.testing.assert_allclose(light.losses_, heavy.losses_ * 0.25, rtol=1e-10)


def test_a_super_parent_finds_what_naive_bayes_cannot():
    draw = np.random.default_rng(0)
    a, b = draw.integers(0, 2, (2, 400))
    table = {"a": a.astype(str), "b": b.astype(str)}
    y = a ^ b
    assert NaiveBayes().fit(table, y).score(table, y) < 0.7
    assert SPODE().fit(table, y).score(table, y) == 1.0


def test_batches_add_up_and_lazy_agrees():
    X, y = mixed()
    X.loc[0, ["size", "mass"]] = [-9.0, -9.0]
    X.loc[1, ["size", "mass"]] = [9.0, 9.0]
    whole = SPODE(super_parent="color").fit(X, y)
    grown = (
        SPODE(super_parent="color").partial_fit(X[:50], y[:50], classes=[0, 1, 2]).partial_fit(X[50:], y[50:])
    )
    np.testing.assert_allclose(grown.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
    chosen = SPODE().partial_fit(X[:50], y[:50], classes=[0, 1, 2]).partial_fit(X[50:], y[50:])
    assert chosen.losses_[-1] == 120
    assert chosen.super_parent_ in X.columns
    lazy = SPODE(lazy=True).fit(X, y)
    assert lazy.super_parent_ == SPODE().fit(X, y).super_parent_
    assert lazy.predict_proba(X).tolist() == SPODE().fit(X, y).predict_proba(X).tolist()


def test_a_super_parent_that_does_not_exist_is_answered_with_the_nearest_name():
    X, y = mixed()
    with pytest.raises(ValueError, match="super_parent: There is no column 'colr': did you mean 'color'"):
        SPODE(super_parent="colr").fit(X, y)
    with pytest.raises(ValueError, match="There is no column at position 9"):
        SPODE(super_parent=9).fit(X, y)
    with pytest.raises(ValueError, match="super_parent is 'size', a number with a normal density.*'bins'"):
        SPODE(super_parent="size", density="gaussian").fit(X, y)
    assert SPODE(super_parent="size").fit(X, y).super_parent_ == "size"


def test_numbers_alone_with_normal_densities_are_naive_bayes():
    X, y = mixed()
    X = X[["size", "mass"]]
    model = SPODE(density="gaussian").fit(X, y)
    assert model.super_parent_ is None
    np.testing.assert_allclose(model.predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X), rtol=1e-9)


def test_a_given_parent_needs_no_room_for_other_pairs():
    names = pd.Categorical([f"id{i}" for i in range(20_000)])
    table = pd.DataFrame({"id": names, "coin": np.where(np.arange(20_000) % 3, "heads", "tails")})
    y = np.arange(20_000) % 2
    assert SPODE(super_parent="coin").fit(table, y).statistics_.pairs.shape == (2, 2, 20_002)


def test_told_and_drawn():
    X, y = mixed()
    model = SPODE(super_parent="color").fit(X, y)
    assert list(model.tables_) == list(X.columns)
    assert model.tables_["color"].title == "P(class, color)"
    assert model.tables_["shape"].title == "P(shape | class, color)"
    assert "super-parent: color" in str(model.describe())
    shown = str(model.working(X.dropna().iloc[[0]]))
    assert "P(class, color = " in shown
    assert "| class, color = " in shown
    names = {text.get_text() for text in model.plot().texts}
    assert {"class", *X.columns} <= names
