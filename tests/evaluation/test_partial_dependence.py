"""Partial dependence and individual curves, of our learners and of scikit-learn's."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.inspection import partial_dependence as judge
from sklearn.linear_model import LogisticRegression as PeerLogistic
from sklearn.linear_model import Perceptron as PeerPerceptron
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeRegressor as PeerTree

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, Frame, RandomForestRegressor
from hornbook.evaluation import partial_dependence


def numbers(n=80):
    draw = np.random.default_rng(0)
    X = np.column_stack([draw.normal(size=(n, 2)), draw.integers(0, 4, n)])
    return X, X[:, 0] * X[:, 2] + X[:, 1] ** 2


@pytest.mark.parametrize("learner", [PeerTree(max_depth=5), DecisionTreeRegressor(max_depth=5)], ids=str)
def test_a_peer_gives_the_same_mean_and_curves(learner):
    X, y = numbers()
    w = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    model = learner.fit(X, y)
    for columns in ([0], [2], [0, 2]):
        effect = partial_dependence(model, X, columns, kind="both", grid=9, sample_weight=w)
        settings = {"custom_values": dict(zip(columns, effect.grid, strict=True)), "method": "brute"}
        expected = judge(model, X, columns, kind="both", **settings)
        np.testing.assert_allclose(effect.individual, expected["individual"][0], atol=1e-12)
        weighed = judge(model, X, columns, kind="average", sample_weight=w, **settings)
        np.testing.assert_allclose(effect.average, weighed["average"][0], atol=1e-12)


def test_the_grid_is_even_between_percentiles_or_takes_what_there_is():
    X, y = numbers()
    model = DecisionTreeRegressor().fit(X, y)
    (grid,) = partial_dependence(model, X, 0, grid=5, percentiles=(0.1, 0.8)).grid
    ends = np.quantile(X[:, 0], [0.1, 0.8])
    np.testing.assert_allclose(grid, np.linspace(*ends, 5))
    (few,) = partial_dependence(model, X, 2).grid
    assert few.tolist() == [0.0, 1.0, 2.0, 3.0]
    both = partial_dependence(model, X, [0, 1])
    assert [len(grid) for grid in both.grid] == [20, 20]
    assert len(partial_dependence(model, X, 1).grid[0]) == 80
    X[3, 0] = np.nan
    assert np.isfinite(partial_dependence(model, X, 0).average).all()


def test_chosen_values():
    X, y = numbers()
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    one = partial_dependence(model, X, 0, grid=[-1.0, 1.0])
    assert one.grid[0].tolist() == [-1.0, 1.0]
    changed = X.copy()
    changed[:, 0] = 1.0
    assert one.average[1] == pytest.approx(model.predict(changed).mean())
    two = partial_dependence(model, X, [0, 2], grid={0: [0.5]})
    assert two.average.shape == (1, 4)


def mixed(n=60):
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"size": draw.normal(size=n), "city": draw.choice(["Oslo", "Rome", "Bonn"], n)})
    return table, np.where(table["city"] == "Rome", "yes", np.where(table["size"] > 0.5, "yes", "no"))


@pytest.mark.parametrize(
    "form", [lambda X: X, pl.from_pandas, Frame, dict], ids=["pandas", "polars", "Frame", "dict"]
)
def test_categories_take_their_levels_in_every_kind_of_table(form):
    X, y = mixed()
    model = DecisionTreeClassifier().fit(form(X), y)
    effect = partial_dependence(model, form(X), "city")
    assert effect.grid[0].tolist() == ["Bonn", "Oslo", "Rome"]
    assert effect.meaning == "probability of yes"
    expected = [model.predict_proba(form(X.assign(city=city)))[:, 1].mean() for city in effect.grid[0]]
    np.testing.assert_allclose(effect.average, expected)
    no = partial_dependence(model, form(X), "city", output="no")
    np.testing.assert_allclose(no.average, 1 - effect.average)


@pytest.mark.parametrize("form", [lambda X: X, pl.from_pandas], ids=["pandas", "polars"])
@pytest.mark.parametrize("category", [False, True])
def test_a_foreign_learner_gets_the_table_it_was_fitted_on(form, category):
    X, y = mixed()
    X = X.astype({"city": "category"}) if category else X
    encode = make_column_transformer((OneHotEncoder(sparse_output=False), ["city"]), remainder="passthrough")
    model = make_pipeline(encode, PeerLogistic()).fit(form(X), y)
    effect = partial_dependence(model, form(X), ["size", "city"], grid=4)
    expected = [
        [model.predict_proba(form(X.assign(size=size, city=city)))[:, 1].mean() for city in effect.grid[1]]
        for size in effect.grid[0]
    ]
    np.testing.assert_allclose(effect.average, expected)
    assert effect.numeric == (True, False)


def test_whole_numbers_can_be_set_to_halves():
    X = np.arange(8).reshape(-1, 1)
    model = PeerTree().fit(X, X[:, 0])
    assert partial_dependence(model, X, 0, grid=[2.4, 2.6]).average.tolist() == [2.0, 3.0]


def test_the_rows_stay_as_they_are():
    X, y = numbers()
    before, model = X.copy(), RandomForestRegressor(3, random_state=0).fit(X, y)
    partial_dependence(model, X, 0, grid=3)
    np.testing.assert_array_equal(X, before)


def test_text_and_plain_data():
    X, y = mixed()
    model = DecisionTreeClassifier().fit(X, y)
    effect = partial_dependence(model, X, ["city", "size"], grid=2, kind="individual")
    assert effect.average is None
    assert effect.individual.shape == (60, 3, 2)
    text = str(effect)
    assert text.startswith("partial dependence of the probability of yes on city and size")
    assert "Rome" in text
    known = effect.to_dict()
    assert json.loads(json.dumps(known)) == known
    assert "12 of 20 points" in str(partial_dependence(model, X, "size", grid=20))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": [0, 1, 2]}, "one column or two different ones"),
        ({"columns": [1, 1]}, "one column or two different ones"),
        ({"columns": "size"}, "no column 'size'"),
        ({"columns": 0, "kind": "all"}, "'average', 'individual' or 'both'"),
        ({"columns": 0, "grid": 1}, "at least 2 values"),
        ({"columns": 0, "grid": []}, "must have a value for column 'x0'"),
        ({"columns": 0, "grid": ["a"]}, "finite numbers for column 'x0'"),
        ({"columns": [0, 1], "grid": [1.0]}, "must be a dict if it has values for two columns"),
        ({"columns": 0, "percentiles": (0.9, 0.1)}, "must ascend from 0 to 1"),
        ({"columns": 0, "output": "yes"}, "the learner predicts a number"),
        ({"columns": 0, "sample_weight": [1.0]}, "sample_weight"),
    ],
)
def test_wrong_wishes_are_one_sentence(arguments, message):
    X, y = numbers()
    with pytest.raises(ValueError, match=message):
        partial_dependence(DecisionTreeRegressor().fit(X, y), X, **arguments)


def test_classes_need_probabilities_and_a_choice():
    X, _ = numbers()
    y = X[:, 2].astype(int)
    with pytest.raises(ValueError, match="RidgeClassifier has no predict_proba"):
        partial_dependence(RidgeClassifier().fit(X, y), X, 0)
    with pytest.raises(ValueError, match="has no predict_proba"):
        partial_dependence(PeerPerceptron().fit(X, y), X, 0)
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="one of the classes 0, 1, 2, 3; got None"):
        partial_dependence(model, X, 0)
    assert partial_dependence(model, X, 0, output=2, grid=3).meaning == "probability of 2"
    table, label = mixed()
    tree = DecisionTreeClassifier().fit(table, label)
    with pytest.raises(ValueError, match="which are 'Bonn', 'Oslo', 'Rome'; got 'Bern'"):
        partial_dependence(tree, table, "city", grid=["Bern"])
    X[:, 1] = np.nan
    with pytest.raises(ValueError, match="column 'x1' has no value"):
        partial_dependence(DecisionTreeClassifier().fit(X, y), X, 1, output=1)
