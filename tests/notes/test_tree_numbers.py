"""What the worked examples of trees print beside the trees: candidates, shares, counts of branches."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import DecisionStump, DecisionTreeClassifier, Frame, datasets, impurity


def digits(number, count=4):
    return round(float(number), count)


def by_conditions(rules):
    return {" and ".join(rule.conditions): rule for rule in rules}


CUTS = {
    "density": "0.244 0.294 0.3515 0.3815 0.42 0.459 0.5185 0.5745 0.6005 0.621 0.6365 0.648 0.6615 0.6815 "
    "0.708 0.7465",
    "sugar": "0.0495 0.074 0.095 0.101 0.126 0.155 0.1795 0.2045 0.213 0.226 0.2505 0.2655 0.2925 0.344 "
    "0.373 0.418",
}


@pytest.mark.parametrize("column", sorted(CUTS))
def test_watermelon_3_candidates_are_midpoints(column):
    frame = datasets.watermelon("3.0")
    model = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(frame)
    rows = model.split_table(0, frame.features, frame.y).rows
    assert [row[1] for row in rows if row[0] == column] == [f"<= {cut}" for cut in CUTS[column].split()]


def test_watermelon_2_number_of_the_melon():
    alone = np.eye(2)[datasets.watermelon("2.0").y.astype(int)]
    assert digits(impurity.intrinsic_value(alone)) == 4.0875


def test_watermelon_2a_known_colors():
    frame = datasets.watermelon("2.0a")
    known = np.array([color is not None for color in frame["color"]])
    assert digits(impurity.entropy(np.bincount(frame.y[known].astype(int)))) == 0.9852
    model = DecisionTreeClassifier(criterion="entropy", splits="multiway", missing="fractional").fit(frame)
    # Melons 8 and 10, whose texture is missing, are in all three branches in parts: the rest is whole.
    clear = [r.weight for way, r in by_conditions(model.rules()).items() if way.startswith("texture = clear")]
    assert sum(clear) == pytest.approx(17 * 7 / 15)
    curly = [
        r for way, r in by_conditions(model.rules()).items() if way == "texture = clear and root = curly"
    ]
    assert curly[0].answer is True
    assert curly[0].counts[0] == pytest.approx(0.0)


def test_watermelon_3a_melons_of_each_leaf():
    frame = datasets.watermelon("3.0a")
    model = DecisionTreeClassifier(criterion="entropy").fit(frame)
    leaf = model.apply(frame)
    groups = {tuple((np.flatnonzero(leaf == node) + 1).tolist()) for node in np.unique(leaf)}
    assert groups == {(9, 11, 12, 16, 17), (10, 15), (1, 2, 3, 4, 5, 6, 8), (7,), (13, 14)}


def iris_setosa():
    frame = datasets.iris("uci")
    X = frame.numbers[:, :2]
    return Frame({"X1": X[:, 0], "X2": X[:, 1]}), np.where(frame.y == "setosa", "c1", "c2")


def test_iris_shares_on_both_sides_of_the_best_cut():
    X, y = iris_setosa()
    model = DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(X, y)
    shares = np.array([np.array(rule.counts) / rule.weight for rule in model.rules()])
    np.testing.assert_array_equal(shares.round(3), [[0.865, 0.135], [0.051, 0.949]])


GAINS = """
4.35 0.0106, 4.45 0.0433, 4.55 0.0545, 4.65 0.1008, 4.75 0.1249, 4.85 0.1883, 4.95 0.1835, 5.05 0.2564,
5.15 0.3701, 5.25 0.4096, 5.35 0.4303, 5.45 0.5308, 5.55 0.5049, 5.65 0.4246, 5.75 0.4223, 5.85 0.4093,
5.95 0.3818, 6.05 0.3315, 6.15 0.2862, 6.25 0.2583, 6.35 0.2011, 6.45 0.1611, 6.55 0.1344, 6.65 0.1241,
6.75 0.0852, 6.85 0.0714, 6.95 0.0536, 7.05 0.0493, 7.15 0.0450, 7.25 0.0323, 7.35 0.0281, 7.5 0.0240,
7.65 0.0199, 7.8 0.0039"""


def test_iris_gain_of_all_cuts_of_sepal_length():
    X, y = iris_setosa()
    model = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    rows = [row for row in model.split_table(0, X, y).rows if row[0] == "X1"]
    gains = [(float(row[1][3:]), digits(row[-1])) for row in rows]
    assert gains == [tuple(map(float, pair.split())) for pair in GAINS.replace("\n", " ").split(",")]


def test_iris_class_shares_of_a_cut():
    X, y = iris_setosa()
    model = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    (row,) = [row for row in model.split_table(0, X, y).rows if row[:2] == ["X1", "<= 5.45"]]
    below, every = np.array(row[2:4]), np.array([50, 100])
    np.testing.assert_array_equal(below, [45, 7])
    np.testing.assert_array_equal((below / every).round(3), [0.9, 0.07])  # P(X <= v | c)
    np.testing.assert_array_equal((below / below.sum()).round(3), [0.865, 0.135])  # P(c | left)
    above = every - below
    np.testing.assert_array_equal((above / above.sum()).round(3), [0.051, 0.949])  # P(c | right)


def binned():
    X, y = iris_setosa()
    lengths = Frame({"X1": X.numbers[:, 0]}).binned({"X1": ["a1", "a2", "a3", "a4"]})
    return Frame({"length": lengths["X1"]}), y


def test_iris_counts_of_binned_lengths():
    X, y = binned()
    levels = X.schema.columns[0].levels
    assert levels == ("a1", "a2", "a3", "a4")
    counts = [int(((X["length"] == a) & (y == c)).sum()) for a in levels for c in ("c1", "c2")]
    assert counts == [39, 6, 11, 39, 0, 43, 0, 12]


def test_iris_class_shares_of_each_length():
    X, y = binned()
    model = DecisionTreeClassifier(criterion="entropy", subset_size=1).fit(X, y)
    rows = {row[1]: np.array(row[2:4]) for row in model.split_table(0, X, y).rows}
    shares = {name: (counts / [50, 100]).tolist() for name, counts in rows.items()}  # P(X = v | c)
    assert shares == {
        "in {a1}": [0.78, 0.06],
        "in {a2}": [0.22, 0.39],
        "in {a3}": [0.0, 0.43],
        "in {a4}": [0.0, 0.12],
    }


SETS = {
    "{a1}": 0.4096, "{a2}": 0.0217, "{a3}": 0.2072, "{a4}": 0.0493, "{a1, a2}": 0.2862, "{a1, a3}": 0.0584,
    "{a1, a4}": 0.2513, "{a2, a3}": 0.2513, "{a2, a4}": 0.0584, "{a3, a4}": 0.2862,
}  # fmt: skip


def test_iris_gains_of_all_sets_of_lengths():
    X, y = binned()
    model = DecisionTreeClassifier(criterion="entropy", subset_size=2).fit(X, y)
    rows = model.split_table(0, X, y).rows
    assert {row[1].removeprefix("in "): digits(row[-1]) for row in rows} == SETS


def test_iris_one_set_of_lengths_by_hand():
    inside, outside = np.array([39 + 0, 6 + 43]), np.array([11 + 0, 39 + 12])
    assert (inside.sum(), outside.sum()) == (88, 62)
    np.testing.assert_array_equal((inside / 88).round(3), [0.443, 0.557])
    np.testing.assert_array_equal((outside / 62).round(3), [0.177, 0.823])
    assert digits(impurity.entropy(inside), 5) == 0.99066
    assert digits(impurity.entropy(outside), 5) == 0.67440  # 0.673 in the notes comes from rounded shares
    assert digits(impurity.information_gain([inside, outside])) == 0.0584


BRANCHES = {
    "outlook": {"Sunny": ((3, 2), 0.971), "Overcast": ((0, 4), 0.0), "Rain": ((2, 3), 0.971)},
    "humidity": {"High": ((4, 3), 0.985), "Normal": ((1, 6), 0.592)},
    "wind": {"Weak": ((2, 6), 0.811), "Strong": ((3, 3), 1.0)},
    "temperature": {"Hot": ((2, 2), 1.0), "Mild": ((2, 4), 0.918), "Cool": ((1, 3), 0.811)},
}


@pytest.mark.parametrize("column", sorted(BRANCHES))
def test_play_tennis_one_question_and_its_picture(column):
    frame = datasets.play_tennis("notes")
    model = DecisionStump(criterion="entropy", splits="multiway")
    model.fit(Frame({column: frame[column]}), frame.y)
    counts = {
        rule.conditions[0].split(" = ")[1]: (rule.counts, digits(impurity.entropy(rule.counts), 3))
        for rule in model.rules()
    }
    assert counts == BRANCHES[column]  # counts of No and Yes
    words = [text.get_text() for text in model.plot().texts]
    assert f"{column}\nimpurity 0.94\n[5, 9]\nYes" in words
    for level, ((no, yes), entropy) in BRANCHES[column].items():
        assert level in words
        assert any(f"impurity {entropy:.3g}\n[{no}, {yes}]" in word for word in words)
