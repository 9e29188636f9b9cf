"""Bayes classifiers of the notes from counts and densities: joint probability, one parent a feature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from hornbook import SPODE, TAN, BayesClassifier, LogisticRegression, NaiveBayes, datasets

T1 = {
    "color": "green",
    "root": "curly",
    "sound": "muffled",
    "texture": "clear",
    "umbilicus": "hollow",
    "surface": "hard",
}


def melons():
    return datasets.watermelon("2.0")


def conditional(child, parent, label):
    """(n(class, parent, child) + 1) / (n(class, parent) + values of the child) at the values of T1."""
    table = melons()
    own = table.y.astype(bool) == label
    if parent is not None:
        own &= table[parent] == T1[parent]
    return (np.sum(own & (table[child] == T1[child])) + 1) / (own.sum() + len(set(table[child])))


def test_generative_models_have_the_joint_probability_first():
    """P(row, class) = P(class) times the density of the class; logistic regression has no such thing."""
    table = datasets.iris(view="plane", positive="setosa")
    X, y = table.features.numbers, np.asarray(table.y)
    full = BayesClassifier(var_smoothing=0.0).fit(table)
    naive = NaiveBayes(var_smoothing=0.0).fit(table)
    for model in (full, naive):
        joint = np.exp(model.predict_joint_log_proba(table))
        for column, label in enumerate(model.classes_):
            own = X[y == label]
            density = (
                multivariate_normal(own.mean(axis=0), np.cov(own.T, ddof=0)).pdf(X)
                if model is full
                else norm.pdf(X, own.mean(axis=0), own.std(axis=0)).prod(axis=1)
            )
            np.testing.assert_allclose(joint[:, column], len(own) / 150 * density, rtol=1e-6)
        evidence = joint.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(table), joint / evidence, rtol=1e-10)
    # Of counted columns, the joint probabilities of all rows there can be add up to 1.
    words = datasets.iris(view="discretized", positive="setosa")
    model = BayesClassifier(smoothing="none").fit(words)
    length, width = words.features.schema.names
    lengths, widths = (words.features.schema.columns[j].levels for j in (0, 1))
    every = [{length: a, width: b} for a in lengths for b in widths]
    assert np.exp(model.predict_joint_log_proba(every)).sum() == pytest.approx(1.0)
    assert not hasattr(LogisticRegression(), "predict_joint_log_proba")


def test_tan_multiplies_the_prior_with_each_feature_given_its_parent():
    """P(class) prod P(x_i | class, pa_i), counted by hand from the melons with one added to each count."""
    model = TAN().fit(melons())
    assert sum(parent is None for parent in model.parents_.values()) == 1
    assert set(model.parents_) == set(T1)
    joint = np.exp(model.predict_joint_log_proba([T1])[0])
    for column, label in enumerate((False, True)):
        expected = np.mean(melons().y.astype(bool) == label)
        for name, parent in model.parents_.items():
            expected *= conditional(name, parent, label)
        assert joint[column] == pytest.approx(expected)
    np.testing.assert_allclose(model.predict_proba([T1])[0], joint / joint.sum())
    assert model.predict([T1]).tolist() == [True]


@pytest.mark.parametrize("parent", sorted(T1))
def test_spode_has_one_parent_for_all_other_features(parent):
    """P(class, x_p) prod P(x_j | class, x_p) with (n + 1) / (17 + 2 N_p) for the first."""
    table = melons()
    model = SPODE(super_parent=parent).fit(table)
    joint = np.exp(model.predict_joint_log_proba([T1])[0])
    for column, label in enumerate((False, True)):
        together = np.sum((table.y.astype(bool) == label) & (table[parent] == T1[parent]))
        expected = (together + 1) / (17 + 2 * len(set(table[parent])))
        for name in T1:
            expected *= conditional(name, parent, label) if name != parent else 1.0
        assert joint[column] == pytest.approx(expected)
    np.testing.assert_allclose(model.predict_proba([T1])[0], joint / joint.sum())
