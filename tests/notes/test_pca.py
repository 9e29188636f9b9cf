"""Principal components as the notes tell them: directions of greatest variance, spectrum, cut-off."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from hornbook import PCA
from hornbook.plots import spectrum
from hornbook.reduction import cutoff


def table():
    rng = np.random.default_rng(0)
    return rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5))


def test_first_component_has_the_greatest_variance_and_the_others_are_perpendicular():
    """PC1 = argmax over unit vectors y of (y'X)(X'y), for X with mean zero and points in columns."""
    X = table()
    model, centered = PCA().fit(X), X - X.mean(axis=0)
    best = np.square(centered @ model.components_[0]).sum()
    others = np.random.default_rng(1).normal(size=(500, 5))
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    assert (np.square(centered @ others.T).sum(axis=0) <= best).all()
    assert_allclose(model.components_ @ model.components_.T, np.eye(5), atol=1e-12)
    scatter = centered.T @ centered
    for direction, value in zip(model.components_, model.singular_values_, strict=True):
        assert_allclose(scatter @ direction, value**2 * direction, atol=1e-8)


def test_reduction_keeps_the_first_eigenvectors():
    X = table()
    whole, two = PCA().fit(X), PCA(2).fit(X)
    assert_allclose(two.transform(X), whole.transform(X)[:, :2], atol=1e-10)
    lost = np.square(X - two.inverse_transform(two.transform(X))).sum()
    assert_allclose(lost, np.square(whole.singular_values_[2:]).sum())


def test_the_ordered_spectrum_shows_where_to_cut():
    """Sixty columns of which five carry nearly everything."""
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(400, 5)) * [9.0, 8.0, 7.0, 6.0, 5.0]
    X = hidden @ np.linalg.qr(rng.normal(size=(60, 5)))[0].T + 0.1 * rng.normal(size=(400, 60))
    model = PCA().fit(X)
    assert (np.diff(model.spectrum_) <= 0).all()
    assert [cutoff(model.spectrum_, rule) for rule in ("kaiser", "elbow")] == [5, 5]
    assert PCA(0.99).fit(X).n_components_ == 5
    ax = spectrum(model.spectrum_, 5)
    assert [bar.get_height() for bar in ax.patches] == model.spectrum_.tolist()
    assert "5 kept" in {text.get_text() for text in ax.get_legend().get_texts()}
