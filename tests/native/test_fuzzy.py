"""Sums of fuzzy clustering against their oracle, and what the kernel refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import fuzzy as oracle

from hornbook import _native
from hornbook.clustering.fuzzy._passes import SHARING, FuzzyTotals
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes


@st.composite
def problems(draw):
    n, d, k = draw(st.integers(1, 150)), draw(st.integers(1, 9)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(list(SHARING)))
    X = rng.normal(size=(n, d)) if draw(st.booleans()) else rng.integers(3, size=(n, d)) * 1.0
    centers = X[rng.integers(n, size=k)].copy()  # rows lie on centers, and centers may coincide
    if draw(st.booleans()):
        centers += 0.1 * rng.normal(size=(k, d))
    weights = rng.integers(0, 4, n) * 0.7 if draw(st.booleans()) else np.ones(n)
    scales = {"probabilistic": [], "noise": [0.7], "possibilistic": rng.uniform(0.2, 3.0, k)}[kind]
    way = draw(st.sampled_from(["plain", "gaps", "shaped"]))
    shapes = None
    if way == "gaps":
        X[rng.random((n, d)) < 0.2] = np.nan
    elif way == "shaped":
        roots = rng.normal(size=(k, d, d))
        shapes = roots @ np.swapaxes(roots, 1, 2) + 0.5 * np.eye(d)
    w = draw(st.sampled_from([2.0, 1.5, 1.1, 3.7]))
    return X, weights, centers, w, kind, np.array(scales, dtype=np.float64), shapes


@settings(derandomize=True, max_examples=60, deadline=None)
@given(problem=problems())
def test_sums(problem):
    X, weights, centers, w, kind, scales, shapes = problem
    gaps, shaped = bool(np.isnan(X).any()), shapes is not None
    factors = FuzzyPrototypes.shaped(centers, shapes).factors.reshape(len(centers), -1) if shaped else None
    flat = _native.fuzzy_sums(X, weights, centers, factors, w, SHARING[kind], scales, gaps, shaped)
    totals = FuzzyTotals.of(flat, centers.shape, gaps=gaps, shapes=shaped)
    *expected, scatter = oracle.sums(X, weights, centers, w, kind, scales, shapes)
    names = ("sums", "mass", "shares", "spread", "heights", "weight", "objective")
    for name, value in zip(names, expected, strict=True):
        scale = max(1.0, float(np.abs(value).max()))
        np.testing.assert_allclose(getattr(totals, name), value, rtol=1e-9, atol=1e-10 * scale, err_msg=name)
    if shaped:
        np.testing.assert_allclose(totals.scatter, scatter, rtol=1e-9, atol=1e-10)


def test_powers_from_nearly_hard_to_nearly_even():
    d2 = np.geomspace(1e-12, 1e12, 25)
    X, centers = np.sqrt(d2)[:, None], np.array([[0.0], [-1.0]])
    for w in (1.001, 1.01, 1.3, 2.5, 6.0, 50.0):
        for row in X:
            args = (row[None], None, centers, None, w, 0, np.empty(0), False, False)
            shares = FuzzyTotals.of(_native.fuzzy_sums(*args), (2, 1), gaps=False, shapes=False).shares
            squares = oracle.squares(row[None], centers)
            expected = oracle.memberships(squares, w, "probabilistic", ())[0]
            np.testing.assert_allclose(shares, expected, rtol=1e-11 / (w - 1), atol=1e-15)


def good():
    return {
        "X": np.zeros((3, 2)),
        "w": None,
        "centers": np.zeros((2, 2)),
        "factors": None,
        "exponent": 2.0,
        "sharing": 0,
        "scales": np.empty(0),
        "gaps": False,
        "shapes": False,
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"w": np.ones(2)}, "w must have one entry per row of X; it has 2 for 3 rows"),
        ({"centers": np.zeros((2, 3))}, "centers must have the 2 columns of X; they have 3"),
        ({"centers": np.full((2, 2), np.inf)}, "centers must be finite"),
        ({"factors": np.zeros((2, 3))}, r"factors must have one row per center.*got shape \(2, 3\)"),
        ({"factors": np.zeros((2, 4)), "gaps": True}, "gaps is not possible together with factors or shapes"),
        ({"shapes": True, "gaps": True}, "gaps is not possible together with factors or shapes"),
        ({"exponent": 1.0}, "exponent must be above 1 and finite; got 1"),
        ({"exponent": np.nan}, "exponent must be above 1 and finite"),
        ({"sharing": 3}, "sharing must be 0, 1 or 2; got 3"),
        ({"sharing": 1}, "scales must have 1 entries; got 0"),
        ({"sharing": 2, "scales": np.ones(3)}, "scales must have 2 entries; got 3"),
        ({"X": np.array([[0.0, 0.0], [0.0, np.nan]])}, "X has missing cells in row 1, and gaps is off"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    _native.fuzzy_sums(**good())
    with pytest.raises(ValueError, match=message):
        _native.fuzzy_sums(**(good() | changes))


def test_no_rows_give_sums_of_zero():
    assert not _native.fuzzy_sums(**(good() | {"X": np.zeros((0, 2))})).any()


@settings(derandomize=True, max_examples=60, deadline=None)
@given(problem=problems())
def test_memberships(problem):
    X, _, centers, w, kind, scales, shapes = problem
    gaps, shaped = bool(np.isnan(X).any()), shapes is not None
    factors = FuzzyPrototypes.shaped(centers, shapes).factors.reshape(len(centers), -1) if shaped else None
    degrees, labels = _native.fuzzy_memberships(X, centers, factors, w, SHARING[kind], scales, gaps)
    wide = (~np.isnan(X)).mean(axis=1)[:, None] * np.reshape(scales, (1, -1))
    d2 = oracle.squares(X, centers, shapes)
    np.testing.assert_allclose(degrees, oracle.memberships(d2, w, kind, wide), rtol=1e-9, atol=1e-10)
    every = np.hstack([degrees, 1 - degrees.sum(axis=1, keepdims=True)]) if kind == "noise" else degrees
    assert ((labels >= -1) & (labels < len(centers))).all()
    assert kind == "noise" or (labels >= 0).all()
    # The label is the place of the greatest membership; -1 is that of the noise, which comes last.
    np.testing.assert_allclose(every[np.arange(len(X)), labels], every.max(axis=1), rtol=1e-9, atol=1e-9)


def test_memberships_of_what_does_not_fit():
    fits = {name: value for name, value in good().items() if name not in ("w", "shapes")}
    degrees, labels = _native.fuzzy_memberships(**fits)
    assert degrees.tolist() == [[0.5, 0.5]] * 3
    assert labels.tolist() == [0, 0, 0]  # the first of equals
    with pytest.raises(ValueError, match="X has missing cells in row 1, and gaps is off"):
        _native.fuzzy_memberships(**(fits | {"X": np.array([[0.0, 0.0], [0.0, np.nan]])}))
    with pytest.raises(ValueError, match="scales must have 1 entries; got 0"):
        _native.fuzzy_memberships(**(fits | {"sharing": 1}))
