"""What the columns contribute to the predictions of forests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.persist.old_files import FOLDER
from tests.trees.mixed_table import mixed

import hornbook
from hornbook import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
)

CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier, TotallyRandomTreesClassifier]
REGRESSORS = [RandomForestRegressor, ExtraTreesRegressor, TotallyRandomTreesRegressor]
SETTINGS = [
    {},
    {"missing": "fractional"},
    {"max_bins": 8},
    {"bootstrap": True, "oob_score": True, "max_samples": 0.6},
    {"bootstrap": True, "max_depth": 3},
    {"ccp_alpha": 0.01},
]
VOTES = [
    {"vote": "hard"},
    {"vote_smoothing": 2.0},
    {"vote": "hard", "vote_smoothing": 1.0, "max_depth": 2},
    {"class_weight": "balanced"},
    {"class_weight": "balanced_subsample", "bootstrap": True},
]


def classes(score, n=3):
    return np.array(["bad", "fair", "good"])[np.digitize(score, np.quantile(score, [0.3, 0.7][: n - 1]))]


@pytest.mark.parametrize("forest", CLASSIFIERS)
@pytest.mark.parametrize("settings", SETTINGS + VOTES, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_they_add_up_to_the_probabilities(forest, settings, n_classes):
    X, score = mixed()
    w = np.random.default_rng(0).uniform(0.2, 2.0, len(score))
    model = forest(6, random_state=0, **settings).fit(X, classes(score, n_classes), sample_weight=w)
    parts = model.contributions(X)
    assert parts.values.shape == (len(score), 4, n_classes)
    np.testing.assert_allclose(parts.predictions, model.predict_proba(X), atol=1e-12)
    assert parts.meaning == ("share of votes" if settings.get("vote") == "hard" else "probability")


@pytest.mark.parametrize("forest", REGRESSORS)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_they_add_up_to_the_value(forest, settings):
    X, score = mixed()
    model = forest(6, random_state=0, **settings).fit(X, score)
    parts = model.contributions(X, interactions=True)
    np.testing.assert_allclose(parts.predictions, model.predict(X), atol=1e-11)
    np.testing.assert_array_equal(parts.interactions, parts.interactions.swapaxes(1, 2))
    np.testing.assert_allclose(model.contributions(X).values, parts.values, atol=1e-12)


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_levels_with_branches_of_their_own(vote):
    X, score = mixed(gaps=False)
    model = RandomForestClassifier(6, splits="multiway", vote=vote, random_state=0).fit(X, classes(score))
    np.testing.assert_allclose(model.contributions(X).predictions, model.predict_proba(X), atol=1e-12)


def test_they_are_the_mean_of_those_of_the_trees():
    X, score = mixed()
    for missing in ("direction", "fractional"):
        model = RandomForestRegressor(5, missing=missing, random_state=0).fit(X, score)
        trees = [model.tree(t, X, score).contributions(X) for t in range(5)]
        parts = model.contributions(X)
        np.testing.assert_allclose(parts.values, np.mean([tree.values for tree in trees], axis=0), atol=1e-12)
        np.testing.assert_allclose(parts.base, np.mean([tree.base for tree in trees]))


def test_hard_votes_of_rows_that_go_both_ways_are_refused():
    X, score = mixed()
    model = RandomForestClassifier(5, vote="hard", missing="fractional", random_state=0).fit(
        X, classes(score)
    )
    with pytest.raises(ValueError, match=r"one vote together: fill in the values, or set vote='soft'"):
        model.contributions(X)
    complete = X.dropna()
    parts = model.contributions(complete)
    np.testing.assert_allclose(parts.predictions, model.predict_proba(complete), atol=1e-12)


def test_a_saved_forest_has_the_same(tmp_path):
    X, score = mixed()
    model = RandomForestClassifier(4, random_state=0).fit(X, classes(score))
    hornbook.save(model, tmp_path / "forest.hornbook")
    again = hornbook.load(tmp_path / "forest.hornbook").contributions(X)
    np.testing.assert_array_equal(again.values, model.contributions(X).values)


def test_files_of_earlier_versions_have_no_weights_of_leaves():
    model = hornbook.load(FOLDER / "RandomForestRegressor.hornbook")
    assert not len(model.forest_.cover)
    with pytest.raises(ValueError, match="which older model files lack: fit the model again"):
        model.forest_.weighted(1.0, np.zeros(1), "value")


def test_trees_added_to_those_of_an_earlier_version_have_none_either():
    X, score = mixed()
    model = RandomForestRegressor(2, warm_start=True, random_state=0).fit(X, score)
    model.forest_ = replace(model.forest_, cover=np.zeros(0))
    model.set_params(n_estimators=4).fit(X, score)
    assert model.predict(X).shape == (len(X),)
    with pytest.raises(ValueError, match="fit the model again"):
        model.contributions(X)


def test_added_trees_count():
    X, score = mixed()
    model = RandomForestRegressor(2, warm_start=True, random_state=0).fit(X, score)
    model.set_params(n_estimators=5).fit(X, score)
    np.testing.assert_allclose(model.contributions(X).predictions, model.predict(X), atol=1e-11)


def test_trees_may_add_to_different_outputs():
    X, score = mixed()
    model = RandomForestRegressor(4, random_state=0).fit(X, score)
    rows = model._coded(model._prepared(X))
    trees = model.forest_.weighted(0.1, np.array([1.0, -1.0]), "score", output=np.arange(4) % 2)
    values, base = trees.contributions(rows, 2, interactions=False)
    outputs = model.tree_answers(X)
    expected = np.column_stack([1 + 0.1 * (outputs[0] + outputs[2]), -1 + 0.1 * (outputs[1] + outputs[3])])
    np.testing.assert_allclose(base + values.sum(axis=1), expected, atol=1e-12)
