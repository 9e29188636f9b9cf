"""What a tree says of missing values, dates and long numbers, and what its Python function makes of them."""

from __future__ import annotations

import datetime as dt
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, Frame


def holes():
    nan = np.nan
    table = pd.DataFrame({"a": [1, 2, 3, nan, 5, 6, 7, nan], "c": ["u", "u", "v", "v", "v", "v", "u", "u"]})
    return table, np.array([0, 0, 0, 1, 1, 1, 1, 1])


def compiled(model):
    scope = {}
    exec(model.rules().to_python(), scope)  # noqa: S102 - our own source
    return scope["predict"]


def test_rules_say_where_missing_values_go():
    X, y = holes()
    model = DecisionTreeClassifier().fit(X, y)
    assert str(model.rules()).splitlines() == [
        "if a <= 4 then 0  (3 rows)",
        "if a > 4 (or missing) then 1  (5 rows)",
    ]
    assert model.rules().to_table().rows[1][1] == "a > 4 (or missing)"
    words = [text.get_text() for text in model.plot().texts]
    assert {"yes", "no, missing"} <= set(words)
    full = DecisionTreeClassifier().fit(X.dropna(), y[X["a"].notna()])
    assert "missing" not in str(full.rules())


def test_the_path_of_a_row_without_a_value_does_not_claim_one():
    X, y = holes()
    model = DecisionTreeClassifier().fit(X, y)
    working = model.working(X.iloc[[3]])
    assert [term.name for term in working.terms] == ["all rows", "a is missing, as if a > 4"]
    several = pd.DataFrame({"c": ["u", "u", "v", "v", None, None]})
    alone = DecisionTreeClassifier(splits="multiway").fit(several, [0, 0, 1, 1, 1, 1])
    assert alone.working(several.iloc[[5]]).terms[1].name == "c is missing, as if c = v"
    assert "v, missing" in [text.get_text() for text in alone.plot().texts]


def test_what_only_says_whether_a_value_is_there():
    X = pd.DataFrame({"a": [1.0, 2.0, np.nan, np.nan]})
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    assert str(model.rules()).startswith("if a is known then 0")
    assert [term.name for term in model.working(X.iloc[[2]]).terms] == ["all rows", "a is missing"]
    assert [row[1] for row in model.split_table(0, X, [0, 0, 1, 1]).rows] == ["is known", "<= 1.5 or missing"]


def test_split_table_puts_missing_values_where_they_do_most_good():
    X, y = holes()
    model = DecisionTreeClassifier().fit(X, y)
    rows = {(row[0], row[1]): row[2:] for row in model.split_table(0, X, y).rows}
    assert rows["a", "<= 4"] == pytest.approx([3, 0, 0.0, 15 / 32])  # 1 - (9 + 25) / 64, and nothing left
    assert rows["a", "is known"] == pytest.approx([3, 3, 0.375, 15 / 32 - 0.375])
    several = Frame({"c": np.array(["u", "u", "v", "v", "w", None], dtype=object)})
    alone = DecisionTreeClassifier(splits="multiway", criterion="entropy").fit(several, [0, 0, 1, 1, 0, 0])
    (row,) = alone.split_table(0, several, [0, 0, 1, 1, 0, 0]).rows
    assert row[1] == "u or missing [3, 0], v [0, 2], w [1, 0]"


def test_dates_are_told_as_dates():
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=40)})
    days.loc[3, "day"] = pd.NaT
    y = (np.arange(40) > 20).astype(int)
    model = DecisionTreeClassifier().fit(days, y)
    assert str(model.rules()).startswith("if day <= 2020-01-21 12:00 (or missing) then 0")
    assert "<= 2020-01-21 12:00 or missing" in [row[1] for row in model.split_table(0, days, y).rows]


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_the_python_function_takes_dates(zone):
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=60, freq="7h33min", tz=zone)})
    days.loc[5, "day"] = pd.NaT
    y = np.random.default_rng(0).integers(0, 2, 60)
    model = DecisionTreeClassifier(max_depth=5).fit(days, y)
    predict = compiled(model)
    assert [predict(row) for row in days.to_dict("records")] == model.predict(days).tolist()
    dates = pl.DataFrame({"day": [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(60)]})
    model.fit(dates, y)
    predict = compiled(model)
    assert [predict(row) for row in dates.to_dicts()] == model.predict(dates).tolist()


def test_long_numbers_keep_their_digits():
    X = np.array([20230115.0, 20230116.0, 20230117.0])[:, None]
    rules = str(DecisionTreeRegressor().fit(X, [1234567.0, 7654321.5, 0.25]).rules()).splitlines()
    assert rules == [
        "if x0 <= 20230116.5 and x0 <= 20230115.5 then 1234567  (1 row)",
        "if x0 <= 20230116.5 and x0 > 20230115.5 then 7654321.5  (1 row)",
        "if x0 > 20230116.5 then 0.25  (1 row)",
    ]


def test_a_tree_of_any_depth_is_a_python_function():
    X = np.eye(250)  # each question takes one row away, and the others go left
    model = DecisionTreeClassifier().fit(X, np.arange(250) % 2)
    assert model.get_depth() > 100
    predict = compiled(model)
    rows = [{f"x{j}": x for j, x in enumerate(row)} for row in X]
    np.testing.assert_array_equal([predict(row) for row in rows], model.predict(X))


def test_depth_and_cuts_of_a_deep_tree_take_few_steps():
    n = 20_000
    model = DecisionTreeClassifier().fit(np.arange(n)[:, None], np.arange(n) % 2)
    start = time.perf_counter()
    assert model.get_depth() > n / 3
    assert len(model.nodes_.cut(model.nodes_.depth >= 2)) <= 7
    assert time.perf_counter() - start < 1.0


def test_very_many_branches_are_written_at_once():
    X = pd.DataFrame({"town": [f"t{i}" for i in range(40_000)] * 2})
    y = np.random.default_rng(0).integers(0, 2, 80_000)
    model = DecisionTreeClassifier(splits="multiway").fit(X, y)
    start = time.perf_counter()
    source = model.rules().to_python()
    assert source.count("return") == 40_000
    assert time.perf_counter() - start < 10.0  # a minute when every level is compared with every other


def test_numbers_that_stand_for_categories_are_told_without_a_point():
    X = np.array([[1.0], [2.0], [3.0], [4.5]])
    model = DecisionTreeClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1])
    assert str(model.rules()).startswith("if x0 in {1, 3} then 0")
    assert "in {4.5}" in [row[1] for row in model.split_table(0, X, [0, 1, 0, 1]).rows]


def test_a_node_is_a_whole_number():
    X, y = holes()
    with pytest.raises(ValueError, match="there is no node 0.5: the tree has nodes 0 to 2"):
        DecisionTreeClassifier().fit(X, y).split_table(0.5, X, y)


def test_long_questions_are_drawn_in_two_lines():
    X = pd.DataFrame({"income of the household": [30000.0, 52081.8, 60000.5]})
    words = [text.get_text() for text in DecisionTreeClassifier().fit(X, [0, 0, 1]).plot().texts]
    assert any(word.startswith("income of the household\n<= 56041.15\n") for word in words)


def test_rules_can_be_read_where_they_are_asked_for():
    X, y = holes()
    rules = DecisionTreeClassifier().fit(X, y).rules()
    assert repr(rules) == f"Rules:\n{rules}"
