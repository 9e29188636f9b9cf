"""Rules, tables, paths and pictures of fitted trees."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.contract.learners import mixed_table

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, datasets


def compiled(source):
    scope = {}
    exec(source, scope)  # noqa: S102 - our own source
    return scope["predict"]


@pytest.mark.parametrize("splits", ["binary", "multiway"])
@pytest.mark.parametrize("numbers", [False, True])
def test_rules_as_python_give_the_predictions(splits, numbers):
    X, group = mixed_table(120)
    X.loc[3:9, "grade"] = None
    if numbers:
        model = DecisionTreeRegressor(splits=splits, max_depth=5).fit(X, group + X["mass"])
    else:
        model = DecisionTreeClassifier(splits=splits).fit(X, group)
    predict = compiled(model.rules().to_python())
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    np.testing.assert_allclose([predict(row) for row in rows], model.predict(X))


def test_rules_cannot_be_python_when_rows_go_everywhere():
    X, group = mixed_table(60)
    model = DecisionTreeClassifier(missing="fractional").fit(X, group)
    with pytest.raises(ValueError, match="fit it with missing='direction'"):
        model.rules().to_python()


def test_rules_as_table_count_the_rows():
    model = DecisionTreeClassifier(criterion="entropy").fit(datasets.watermelon("3.0a"))
    table = model.rules().to_table()
    assert list(table.head) == ["rule", "if", "then", "rows", "False", "True"]
    assert sum(row[3] for row in table.rows) == 17
    assert len(model.rules()) == model.get_n_leaves() == 5
    assert "<table" in model.rules()._repr_html_()


def test_ordered_and_listed_categories_are_named():
    X, group = mixed_table(200, missing=False)
    text = str(DecisionTreeClassifier().fit(X[["grade"]], group > 0).rules())
    assert text.startswith("if grade <= low then False")
    assert "color != green" in str(DecisionTreeClassifier(max_depth=1).fit(X[["color"]], group == 0).rules())


C45 = (
    {"splits": "multiway"},
    {"min_samples_leaf": 8},
    {"missing": "fractional"},
    {"missing": "fractional", "splits": "multiway"},
    {"class_weight": {0: 1.0, 1: 0.4, 2: 2.5}},
)


def test_split_table_has_the_gain_of_the_split_that_was_taken():
    X, group = mixed_table(100)
    for model, y in (
        (DecisionTreeClassifier(max_depth=3), group),
        (DecisionTreeClassifier(max_depth=3, criterion="raw_gain_ratio", splits="multiway"), group),
        *((DecisionTreeClassifier(max_depth=3, criterion="gain_ratio", **how), group) for how in C45),
        (
            DecisionTreeClassifier(max_depth=3, criterion="entropy", missing="fractional", splits="multiway"),
            group,
        ),
        (DecisionTreeRegressor(max_depth=3), group * 1.5),
        (DecisionTreeRegressor(max_depth=3, criterion="absolute_error"), group * 1.5),
        (DecisionTreeRegressor(max_depth=3, splits="multiway"), group * 1.5),
    ):
        model.fit(X, y)
        for node in np.flatnonzero(~model.nodes_.is_leaf):
            table = model.split_table(int(node), X, y)
            scores = [row[-1] for row in table.rows if row[-1] is not None]
            assert max(scores) == pytest.approx(model.nodes_.gain[node], abs=1e-9)
    with pytest.raises(ValueError, match="there is no node 99"):
        model.split_table(99, X, y)


def test_path_of_a_row():
    model = DecisionTreeClassifier(criterion="entropy").fit(datasets.watermelon("3.0a"))
    working = model.working({"density": 0.7, "sugar": 0.46})
    assert [term.name for term in working.terms] == [
        "all rows",
        "sugar > 0.126",
        "density > 0.3815",
        "sugar > 0.2045",
    ]
    assert working.prediction
    assert working.scores == pytest.approx([0.0, 1.0])


def test_path_of_a_row_that_goes_everywhere():
    frame = datasets.watermelon("2.0a")
    model = DecisionTreeClassifier(criterion="entropy", splits="multiway", missing="fractional").fit(frame)
    row = {
        "color": "green",
        "root": "curly",
        "sound": "dull",
        "texture": None,
        "umbilicus": "flat",
        "surface": "hard",
    }
    working = model.working(row)
    assert [term.name for term in working.terms] == [
        "all rows",
        "texture is missing: it goes to all branches in parts",
        "0.467 of it: texture = clear and root = curly",
        "0.333 of it: texture = slightly blurry and sound = dull",
        "0.2 of it: texture = blurry and color = green",
    ]
    # Share in the leaf less share in the root, times the part: (0 - 9/17) * 7/15 for unripe melons.
    assert working.terms[2].values[0] == pytest.approx(-9 / 17 * 7 / 15)
    everything = model.working(dict.fromkeys(row))
    assert everything.terms[-1].name == "4 smaller parts"
    assert everything.scores == pytest.approx(model.predict_proba([dict.fromkeys(row)])[0])
    assert working.scores == pytest.approx(model.predict_proba([row])[0])


def test_path_of_a_level_without_a_branch():
    model = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(datasets.watermelon("2.0"))
    row = dict(
        zip(
            model.feature_names_in_, ("light", "slightly curly", "dull", "clear", "flat", "hard"), strict=True
        )
    )
    assert model.working(row).terms[-1].name == "color = light, which no row had here"
    assert model.working(row).scores == pytest.approx([1 / 3, 2 / 3])


def test_drawn_tree_shows_counts_impurity_and_classes():
    model = DecisionTreeClassifier(criterion="entropy").fit(datasets.watermelon("3.0a"))
    words = [text.get_text() for text in model.plot().texts]
    assert "sugar <= 0.126\nimpurity 0.998\n[9, 8]\nFalse" in words
    assert "R5\nimpurity 0\n[0, 7]\nTrue" in words
    assert words.count("yes") == words.count("no") == 4
    tennis = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(
        datasets.play_tennis("mitchell")
    )
    assert "Overcast" in [text.get_text() for text in tennis.plot().texts]


def test_leaves_and_regions_have_the_numbers_of_their_rules():
    frame = datasets.watermelon("3.0a")
    model = DecisionTreeClassifier(criterion="entropy").fit(frame)
    answers = {row[0]: row[2] for row in model.rules().to_table().rows}
    leaves = [text.get_text().split("\n") for text in model.plot().texts]
    drawn = {int(lines[0][1:]): lines[-1] == "True" for lines in leaves if lines[0][0] == "R"}
    assert drawn == answers
    names = {text.get_text() for text in model.plot_partition(frame).texts}
    assert names == {f"R{number}" for number in answers}
    # Rules of levels that no row had are counted, too.
    melons = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(datasets.watermelon("2.0"))
    numbers = melons.rules().leaf_numbers()
    assert len(numbers) == melons.get_n_leaves() == len(melons.rules()) - 1
    for node, number in numbers.items():
        assert melons.rules().to_table().rows[number - 1][3] == melons.nodes_.weight[node]


def test_the_larger_a_number_the_stronger_its_box():
    X = np.arange(4.0)[:, None]
    ax = DecisionTreeRegressor().fit(X, [0.0, 1.0, 2.0, 9.0]).plot()
    boxes = {text.get_text().split("\n")[-1]: text.get_bbox_patch() for text in ax.texts}
    brightness = [sum(boxes[number].get_facecolor()[:3]) for number in ("0", "1", "2", "9")]
    assert brightness == sorted(brightness, reverse=True)
    assert len(set(brightness)) == 4


def test_branches_of_a_multiway_split_are_told_one_by_one():
    frame = datasets.play_tennis("mitchell")
    model = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(frame)
    rows = {row[0]: row for row in model.split_table(0, frame.features, frame.y).rows}
    assert rows["outlook"][1] == "Overcast [0, 4], Rain [2, 3], Sunny [3, 2]"  # No and Yes
    assert rows["outlook"][2:4] == [None, None]
    assert rows["wind"][1] == "Strong [3, 3], Weak [2, 6]"
    hours = DecisionTreeRegressor(splits="multiway").fit(frame.features, np.arange(14.0))
    table = hours.split_table(0, frame.features, np.arange(14.0))
    assert table.rows[0][1] == "Overcast 7.75, Rain 6.8, Sunny 5.2"  # days 2, 6, 11 and 12, ...; by hand


def test_many_rules_are_not_all_described():
    draw = np.random.default_rng(0)
    model = DecisionTreeClassifier().fit(draw.normal(size=(400, 3)), draw.integers(0, 2, 400))
    table = model.describe().tables[0]
    assert len(table.rows) == 50 < model.get_n_leaves()
    assert table.title == "The first 50 rules; rules() has them all"
    assert len(model.rules().to_table().rows) == model.get_n_leaves()


def test_rows_are_counted_in_words_and_to_the_last_one():
    X = np.repeat([0.0, 1.0, 2.0], [1, 123_457, 2])[:, None]
    model = DecisionTreeClassifier().fit(X, X[:, 0] == 1.0)
    assert [line.split("  ")[-1] for line in str(model.rules()).split("\n")] == [
        "(1 row)",
        "(123457 rows)",
        "(2 rows)",
    ]
    assert "123457" in str(model.rules().to_table())
    assert model.describe().facts["rows"] == 123_460
    halves = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1], sample_weight=[0.5, 1.25])
    assert "(0.5 rows)" in str(halves.rules())


def test_large_trees_are_cut_in_pictures():
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(400, 3)), draw.integers(0, 2, 400)
    words = [text.get_text() for text in DecisionTreeClassifier().fit(X, y).plot().texts]
    assert any(word.endswith("…") for word in words)
    assert len(words) < 120


def test_partition_of_the_plane():
    frame = datasets.watermelon("3.0a")
    model = DecisionTreeClassifier(criterion="entropy").fit(frame)
    ax = model.plot_partition(frame.features, frame.y)
    assert len(ax.patches) == model.get_n_leaves()
    middles = [
        np.add(patch.get_xy(), [patch.get_width() / 2, patch.get_height() / 2]) for patch in ax.patches
    ]
    inside = pd.DataFrame(middles, columns=["density", "sugar"])
    faces = [patch.get_facecolor() for patch in ax.patches]
    assert len(set(model.apply(inside))) == len(faces)
    assert len(set(zip(model.predict(inside).tolist(), faces, strict=True))) == len(set(faces)) == 2
    assert ax.get_xlabel() == "density"
    numbers = DecisionTreeRegressor(max_depth=2).fit(frame.features, np.arange(17.0))
    assert len(numbers.plot_partition().patches) == numbers.get_n_leaves()
    with pytest.raises(ValueError, match="two numeric columns"):
        DecisionTreeClassifier().fit(datasets.watermelon("3.0")).plot_partition()


def test_importance_is_zero_without_a_split():
    model = DecisionTreeClassifier().fit(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), [1, 1])
    np.testing.assert_array_equal(model.feature_importances_, [0.0, 0.0])
    assert model.get_depth() == 0


def test_leaves_of_rows():
    frame = datasets.watermelon("3.0a")
    model = DecisionTreeClassifier().fit(frame)
    reached = model.apply(frame)
    assert model.nodes_.is_leaf[reached].all()
    np.testing.assert_array_equal(
        np.bincount(reached)[np.unique(reached)], model.nodes_.n_rows[np.unique(reached)]
    )
    below = model.nodes_.below(int(model.nodes_.first_child[0]) + 1)
    assert below.sum() == 1 + 2 * (model.nodes_.is_leaf & below).sum() - 2
