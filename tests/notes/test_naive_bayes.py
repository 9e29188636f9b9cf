"""Worked examples of naive Bayes in the notes, to the printed digit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from hornbook import NaiveBayes, datasets

T1 = {
    "color": "green",
    "root": "curly",
    "sound": "muffled",
    "texture": "clear",
    "umbilicus": "hollow",
    "surface": "hard",
    "density": 0.697,
    "sugar": 0.460,
}


def notes_model(**setting):
    """The estimates of the first set of notes: no variance smoothing, divisor n - 1."""
    parameters = {"smoothing": "none", "variance": "unbiased", "var_smoothing": 0.0, **setting}
    return NaiveBayes(**parameters).fit(datasets.watermelon("3.0"))


def factor(model, x, name):
    """The factor of one column for each class, by name of the class."""
    working = model.working(x).to_dict()
    starts = (f"P({name} = ", f"density({name} = ")
    term = next(term for term in working["terms"] if term["name"].startswith(starts))
    return dict(zip(working["candidates"], np.exp(term["values"]), strict=True))


def test_prior_and_conditionals_of_watermelon():
    model = notes_model()
    assert model.class_prior_ == pytest.approx([9 / 17, 8 / 17])
    assert [round(p, 3) for p in model.class_prior_] == [0.529, 0.471]
    expected = {
        "color": (3 / 8, 3 / 9),
        "root": (5 / 8, 3 / 9),
        "sound": (6 / 8, 4 / 9),
        "texture": (7 / 8, 2 / 9),
        "umbilicus": (5 / 8, 2 / 9),
        "surface": (6 / 8, 6 / 9),
    }
    for name, (ripe, unripe) in expected.items():
        factors = factor(model, T1, name)
        assert (factors[True], factors[False]) == pytest.approx((ripe, unripe))


def test_densities_of_watermelon():
    model = notes_model()
    assert np.round(model.mean_[1], 3).tolist() == [0.574, 0.279]
    assert round(float(np.sqrt(model.var_[1, 0])), 3) == 0.129
    assert round(factor(model, T1, "density")[True], 3) == 1.959
    assert round(factor(model, T1, "sugar")[True], 4) == 0.7881
    assert round(factor(model, T1, "density")[False], 4) == 1.2033
    assert round(factor(model, T1, "sugar")[False], 4) == 0.0662


def test_product_and_decision_of_watermelon():
    model = notes_model()
    products = np.exp(model.predict_joint_log_proba([T1])[0])
    assert round(products[1], 3) == 0.052
    # 6.80e-5 is printed; it comes from factors rounded to three digits. The exact product is 6.858e-5.
    assert products[0] == pytest.approx(6.858e-5, rel=1e-4)
    assert products[1] == pytest.approx(0.05238, rel=1e-4)
    assert model.predict([T1]).tolist() == [True]


def test_products_with_divisor_n():
    products = np.exp(notes_model(variance="ml").predict_joint_log_proba([T1])[0])
    assert products == pytest.approx([4.366e-5, 0.04455], rel=2e-4)


@pytest.mark.filterwarnings("ignore:.*probability 0")
def test_zero_probability_decides_against_ripe():
    model = notes_model()
    crisp = {**T1, "sound": "crisp"}
    assert factor(model, crisp, "sound")[True] == 0.0
    assert model.predict([crisp]).tolist() == [False]
    assert model.predict_proba([crisp]).tolist() == [[1.0, 0.0]]


def test_laplacian_correction():
    model = notes_model(smoothing="laplace", smooth_prior=True)
    assert model.class_prior_ == pytest.approx([10 / 19, 9 / 19])
    assert [round(p, 3) for p in model.class_prior_] == [0.526, 0.474]
    expected = {
        "color": (4 / 11, 4 / 12),
        "root": (6 / 11, 4 / 12),
        "sound": (7 / 11, 5 / 12),
        "texture": (8 / 11, 3 / 12),
        "umbilicus": (6 / 11, 3 / 12),
        "surface": (7 / 10, 7 / 11),
    }
    for name, (ripe, unripe) in expected.items():
        factors = factor(model, T1, name)
        assert (factors[True], factors[False]) == pytest.approx((ripe, unripe))
    assert round(factor(model, {**T1, "sound": "crisp"}, "sound")[True], 3) == 0.091
    products = np.exp(model.predict_joint_log_proba([T1])[0])
    assert products == pytest.approx([7.722e-5, 0.02563], rel=2e-4)


def test_gaussian_naive_bayes_on_two_iris_columns():
    model = NaiveBayes(var_smoothing=0.0).fit(datasets.iris(view="plane", positive="setosa"))
    order = [model.classes_.tolist().index(label) for label in ("setosa", "rest")]
    assert model.mean_[order] == pytest.approx(np.array([[5.006, 3.418], [6.262, 2.872]]), abs=1e-9)
    assert np.round(model.var_[order], 4).tolist() == [[0.1218, 0.1423], [0.4350, 0.1096]]
    x = dict(zip(model.feature_names_in_, (6.75, 4.25), strict=True))
    joint = np.exp(model.predict_joint_log_proba([x])[0, order])
    assert joint == pytest.approx([1.33280e-7, 6.39771e-5], rel=1e-5)
    # The printed figures come from parameters rounded to the digits shown.
    rounded = [
        np.prod(norm.pdf([6.75, 4.25], m, np.sqrt(v)))
        for m, v in (([5.006, 3.418], [0.1218, 0.1423]), ([6.262, 2.872], [0.435, 0.1096]))
    ]
    assert [f"{f:.3e}" for f in rounded] == ["4.014e-07", "9.585e-05"]
    assert joint / [1 / 3, 2 / 3] == pytest.approx(rounded, rel=5e-3)
    assert model.predict([x]).tolist() == ["rest"]


def test_categorical_naive_bayes_smooths_only_zero_counts():
    table = datasets.iris(view="discretized", positive="setosa")
    model = NaiveBayes(smoothing="zero_only").fit(table)
    order = [model.classes_.tolist().index(label) for label in ("setosa", "rest")]
    length, width = table.features.schema.names
    row = {length: "Long", width: "Long"}
    joint = np.exp(model.predict_joint_log_proba([row])[0, order])
    likelihood = joint / model.class_prior_[order]
    assert likelihood == pytest.approx([1 / 54 * 13 / 50, 43 / 100 * 2 / 100])
    assert [f"{p:.2e}" for p in likelihood] == ["4.81e-03", "8.60e-03"]
    assert [f"{p:.2e}" for p in likelihood * [0.33, 0.67]] == ["1.59e-03", "5.76e-03"]
    assert model.predict([row]).tolist() == ["rest"]


def test_categorical_naive_bayes_smooths_all_counts():
    table = datasets.iris(view="discretized", positive="setosa")
    model = NaiveBayes(smoothing="laplace").fit(table)
    order = [model.classes_.tolist().index(label) for label in ("setosa", "rest")]
    row = dict.fromkeys(table.features.schema.names, "Long")
    likelihood = np.exp(model.predict_joint_log_proba([row])[0, order]) / model.class_prior_[order]
    assert likelihood == pytest.approx([4.892e-3, 1.2323e-2], rel=2e-4)


def test_categorical_naive_bayes_without_smoothing_uses_plain_shares():
    table = datasets.iris(view="discretized", positive="setosa")
    model = NaiveBayes(smoothing="none").fit(table)
    length, width = table.features.schema.names
    order = [model.classes_.tolist().index(label) for label in ("setosa", "rest")]
    shares = {row[0]: np.array(row[1:])[order] for row in model.tables_[length].rows}
    # Marginals of the joint counts; 11/50 is what the counts give where one slide prints 13/50.
    assert shares["Very Short"] == pytest.approx([39 / 50, 6 / 100])
    assert shares["Short"] == pytest.approx([11 / 50, 39 / 100])
    assert shares["Long"] == pytest.approx([0, 43 / 100])
    assert shares["Very Long"] == pytest.approx([0, 12 / 100])
    # P(class) times both shares: 11 of 50 setosa are short and 36 medium wide, 39 and 52 of 100 others.
    product = np.exp(model.predict_joint_log_proba([{length: "Short", width: "Medium"}])[0])[order]
    assert product == pytest.approx([50 / 150 * 11 / 50 * 36 / 50, 100 / 150 * 39 / 100 * 52 / 100])


def test_naive_bayes_on_iris_components():
    model = NaiveBayes(var_smoothing=0.0).fit(datasets.iris(view="components", positive="versicolor"))
    order = [model.classes_.tolist().index(label) for label in ("versicolor", "rest")]
    assert np.round(model.mean_[order], 3).tolist() == [[-0.532, -0.244], [0.266, 0.122]]
    assert np.round(model.var_[order], 3).tolist() == [[0.349, 0.181], [5.908, 0.226]]


@pytest.mark.parametrize("density", ["gaussian", "kernel", "bins"])
def test_three_ways_of_use_agree(density):
    """Tables made beforehand, counting at prediction, and learning row by row give one answer."""
    table = datasets.watermelon("3.0")
    setting = {"density": density, "n_bins": 4}
    eager = NaiveBayes(**setting).fit(table)
    lazy = NaiveBayes(lazy=True, **setting).fit(table)
    assert not hasattr(lazy, "factors_")
    assert lazy.predict_proba(table).tolist() == eager.predict_proba(table).tolist()
    # The first batch holds both ends of every numeric column, so that the bins are those of all rows.
    rows = [0, 1, 9, 15]
    rest = [i for i in range(17) if i not in rows]
    grown = NaiveBayes(**setting).partial_fit(table[rows], classes=[False, True])
    for i in rest:
        grown.partial_fit(table[[i]])
    assert grown.predict_proba(table) == pytest.approx(eager.predict_proba(table), rel=1e-9)


def test_resubstitution_error_on_two_iris_columns():
    table = datasets.iris(view="plane")
    assert NaiveBayes().fit(table).score(table, table.y) == pytest.approx(1 - 0.22)
