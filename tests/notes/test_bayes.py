"""The full Bayes classifier of the notes: Iris in the plane and in named bins, and decisions by risk."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from hornbook import BayesClassifier, NaiveBayes, datasets
from hornbook.plots import ellipses


def ordered(model, *labels):
    return [model.classes_.tolist().index(label) for label in labels]


def plane():
    table = datasets.iris(view="plane", positive="setosa")
    model = BayesClassifier(var_smoothing=0.0).fit(table)
    return (
        model,
        ordered(model, "setosa", "rest"),
        dict(zip(table.features.schema.names, (6.75, 4.25), strict=True)),
    )


def test_means_and_covariances_of_iris():
    model, order, _ = plane()
    assert [round(p, 2) for p in model.class_prior_[order]] == [0.33, 0.67]
    assert np.round(model.means_[order], 3).tolist() == [[5.006, 3.418], [6.262, 2.872]]
    first, second = model.covariance_[order]
    assert np.round(first, 4).tolist() == [[0.1218, 0.0983], [0.0983, 0.1423]]
    assert np.round(second, 6).tolist() == [[0.434956, 0.120936], [0.120936, 0.109616]]


def test_densities_posterior_and_decision_of_iris():
    model, order, x = plane()
    joint = np.exp(model.predict_joint_log_proba([x])[0, order])
    assert joint / model.class_prior_[order] == pytest.approx([4.91412e-7, 2.58901e-5], rel=1e-5)
    assert joint == pytest.approx([1.63804e-7, 1.72601e-5], rel=1e-5)
    assert [round(p, 4) for p in model.predict_proba([x])[0, order]] == [0.0094, 0.9906]
    assert model.predict([x]).tolist() == ["rest"]
    # The printed figures come from parameters and priors rounded to the digits shown.
    rounded = [
        multivariate_normal(mean, cov).pdf([6.75, 4.25])
        for mean, cov in (
            ([5.006, 3.418], [[0.1218, 0.0983], [0.0983, 0.1423]]),
            ([6.262, 2.872], [[0.435, 0.1209], [0.1209, 0.1096]]),
        )
    ]
    assert [f"{f:.3e}" for f in rounded] == ["4.951e-07", "2.589e-05"]
    assert [f"{f * p:.3e}" for f, p in zip(rounded, (0.33, 0.67), strict=True)] == ["1.634e-07", "1.735e-05"]


def bins(**setting):
    table = datasets.iris(view="discretized", positive="setosa")
    model = BayesClassifier(**setting).fit(table)
    return model, ordered(model, "setosa", "rest"), table.features.schema.names


def test_joint_table_with_margins():
    model, _, (length, width) = bins(smoothing="none")
    (table,) = model.tables_["setosa"]
    assert list(table.head) == [length, "Short", "Medium", "Long", "total"]
    shares = {row[0]: [round(50 * share) for share in row[1:]] for row in table.rows}
    assert shares["Very Short"] == [1, 33, 5, 39]
    # 11 of 50 is what the counts give where one slide prints 13.
    assert shares["Short"] == [0, 3, 8, 11]
    assert shares["Long"] == shares["Very Long"] == [0, 0, 0, 0]
    assert shares["total"] == [1, 36, 13, 50]
    (rest,) = model.tables_["rest"]
    counts = {row[0]: [round(100 * share) for share in row[1:-1]] for row in rest.rows}
    assert counts == {
        "Very Short": [6, 0, 0],
        "Short": [24, 15, 0],
        "Long": [13, 30, 0],
        "Very Long": [3, 7, 2],
        "total": [46, 52, 2],
    }
    assert width in table.title


def test_empirical_joint_probability():
    for smoothing in ("none", "zero_only"):
        model, order, (length, width) = bins(smoothing=smoothing)
        row = [{length: "Short", width: "Medium"}]
        likelihood = np.exp(model.predict_joint_log_proba(row)[0, order]) / model.class_prior_[order]
        assert likelihood == pytest.approx([3 / 50, 15 / 100])
        assert [round(p, 4) for p in likelihood * [0.33, 0.67]] == [0.0198, 0.1005]
        assert model.predict(row).tolist() == ["rest"]


def test_pseudo_counts_for_a_combination_that_was_never_seen():
    for smoothing in ("laplace", "zero_only"):
        model, order, (length, width) = bins(smoothing=smoothing)
        row = [{length: "Long", width: "Long"}]
        joint = np.exp(model.predict_joint_log_proba(row)[0, order])
        likelihood = joint / model.class_prior_[order]
        assert likelihood == pytest.approx([1 / 62, 1 / 112])
        assert [f"{p:.2e}" for p in likelihood] == ["1.61e-02", "8.93e-03"]
        assert [f"{p:.2e}" for p in likelihood * [0.33, 0.67]] == ["5.32e-03", "5.98e-03"]
        assert [f"{p:.3e}" for p in joint] == ["5.376e-03", "5.952e-03"]
        assert model.predict(row).tolist() == ["rest"]


def test_naive_and_full_bayes_on_the_same_point_and_side_by_side():
    full, order, x = plane()
    table = datasets.iris(view="plane", positive="setosa")
    naive = NaiveBayes(var_smoothing=0.0).fit(table)
    assert full.predict([x]).tolist() == naive.predict([x]).tolist() == ["rest"]
    np.testing.assert_allclose(np.diagonal(full.covariance_, axis1=1, axis2=2), naive.var_, rtol=1e-12)
    # Axis-parallel ellipses on one side, rotated ones on the other.
    assert [patch.angle for patch in naive.plot(table).patches] == [0.0] * 4
    assert all(patch.angle != 0 for patch in full.plot(table).patches)
    assert order


def test_level_curves_at_a_hundredth_of_the_peak_and_the_point_that_is_asked_about():
    """The ellipse of the notes' picture lies where the density is 1 % of the largest: at distance 3.035."""
    model, order, x = plane()
    table = datasets.iris(view="plane", positive="setosa")
    radius = np.sqrt(-2 * np.log(0.01))
    assert round(radius, 3) == 3.035
    labels = model.classes_.tolist()
    points = {"X": table.features, "y": table.y, "levels": (radius,), "asked": [list(x.values())]}
    ax = ellipses(model.means_, model.covariance_, labels, **points)
    for c in order:
        patch = ax.patches[c]
        edge = patch.get_patch_transform().transform([[1.0, 0.0], [0.0, 1.0]])
        normal = multivariate_normal(model.means_[c], model.covariance_[c])
        assert normal.pdf(edge) / normal.pdf(model.means_[c]) == pytest.approx([0.01, 0.01])
    square = ax.lines[-1]
    assert square.get_xydata().tolist() == [[6.75, 4.25]]
    assert (square.get_marker(), square.get_markerfacecolor()) == ("s", "white")


def test_maximum_likelihood_is_the_mean_and_the_scatter_over_n():
    """Any other mean or covariance makes the training rows of a class less likely."""
    table = datasets.iris(view="plane", positive="setosa")
    model, order, _ = plane()
    rows = table.features.numbers[table.y == "setosa"]
    mean, cov = model.means_[order[0]], model.covariance_[order[0]]
    best = multivariate_normal(mean, cov).logpdf(rows).sum()
    for shift in (0.01, -0.01):
        assert multivariate_normal(mean + shift, cov).logpdf(rows).sum() < best
        assert multivariate_normal(mean, cov * (1 + shift)).logpdf(rows).sum() < best
    assert multivariate_normal(mean, np.cov(rows.T)).logpdf(rows).sum() < best


def test_conditional_risk_decides():
    melons = datasets.watermelon("3.0")
    costs = np.array([[0, 1], [10, 0]])  # calling an unripe melon (False) ripe is ten times as bad
    model = BayesClassifier(costs=costs, density="bins", n_bins=2).fit(melons)
    share = model.predict_proba(melons)
    risk = np.column_stack([costs[i, 0] * share[:, 0] + costs[i, 1] * share[:, 1] for i in (0, 1)])
    np.testing.assert_allclose(model.conditional_risk(melons), risk)
    assert model.predict(melons).tolist() == (risk[:, 1] < risk[:, 0]).tolist()
    assert model.bayes_risk(melons) == pytest.approx(risk.min(axis=1).mean())


def test_zero_one_costs_are_one_minus_the_posterior():
    melons = datasets.watermelon("3.0")
    plain = NaiveBayes().fit(melons)
    costly = NaiveBayes(costs=[[0, 1], [1, 0]]).fit(melons)
    share = plain.predict_proba(melons)
    np.testing.assert_allclose(plain.conditional_risk(melons), 1 - share)
    np.testing.assert_allclose(costly.conditional_risk(melons), 1 - share)
    assert plain.predict(melons).tolist() == costly.predict(melons).tolist()
    # The best accuracy there can be, if the model is true.
    assert 1 - plain.bayes_risk(melons) == pytest.approx(share.max(axis=1).mean())


def test_posterior_is_joint_over_evidence():
    melons = datasets.watermelon("3.0")
    for model in (NaiveBayes().fit(melons), BayesClassifier().fit(melons)):
        joint = np.exp(model.predict_joint_log_proba(melons))
        evidence = joint.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.predict_proba(melons), joint / evidence, rtol=1e-10)


def test_generative_models_say_how_rows_come_about():
    """Bayes goes by way of P(row, class); logistic regression has P(class | row) alone."""
    from hornbook import LogisticRegression

    assert hasattr(BayesClassifier, "predict_joint_log_proba")
    assert not hasattr(LogisticRegression, "predict_joint_log_proba")
    iris = datasets.iris(view="plane", positive="setosa")
    joint = BayesClassifier().fit(iris).predict_joint_log_proba(iris)
    assert joint.shape == (150, 2)
