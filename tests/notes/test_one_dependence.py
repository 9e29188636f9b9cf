"""One-dependence estimators on the melons of the notes: AODE, TAN and SPODE."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import AODE, SPODE, TAN, NaiveBayes, datasets

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


def cell(table, value, head):
    row = next(row for row in table.rows if row[0] == value)
    return row[list(table.head).index(head)]


def test_estimates_of_class_with_value_and_of_value_given_both():
    """P(true, muffled) = (6 + 1) / (17 + 3 * 2), P(hollow | true, muffled) = (3 + 1) / (6 + 3)."""
    model = SPODE(super_parent="sound").fit(melons())
    both = cell(model.tables_["sound"], "muffled", "True")
    assert both == pytest.approx(7 / 23)
    assert round(both, 3) == 0.304
    conditional = cell(model.tables_["umbilicus"], "hollow", "True, muffled")
    assert conditional == pytest.approx(4 / 9)
    assert round(conditional, 3) == 0.444
    assert both == pytest.approx(cell(AODE().fit(melons()).describe().tables[3], "muffled", "True"))


def test_sum_over_all_parents():
    model = AODE(min_count=5).fit(melons())
    unripe, ripe = np.exp(model.predict_joint_log_proba([T1])[0])
    assert ripe == pytest.approx(0.10892, rel=1e-4)
    assert unripe == pytest.approx(0.004150, rel=2e-4)
    assert model.predict([T1]).tolist() == [True]
    working = model.working(T1)
    assert len(working.terms) == 6
    assert working.scores == pytest.approx([unripe, ripe])


def test_sum_with_the_factor_of_the_parent_itself_as_printed():
    unripe, ripe = np.exp(AODE(min_count=5, include_self=True).fit(melons()).predict_joint_log_proba([T1])[0])
    assert ripe == pytest.approx(0.08504, rel=1e-4)
    assert unripe == pytest.approx(0.002858, rel=2e-4)


def test_seventeen_melons_leave_no_parent_with_thirty():
    model = AODE(min_count=30).fit(melons())
    assert set(map(len, model.parents_.values())) == {0}
    naive = NaiveBayes().fit(melons())
    np.testing.assert_allclose(model.predict_proba([T1]), naive.predict_proba([T1]), rtol=1e-12)


@pytest.mark.parametrize("learner", [AODE, TAN, SPODE])
def test_three_ways_of_use_agree(learner):
    """Tables made beforehand, counting at prediction, and learning row by row give one answer."""
    table = melons()
    setting = {"super_parent": "sound"} if learner is SPODE else {}
    eager = learner(**setting).fit(table)
    lazy = learner(lazy=True, **setting).fit(table)
    assert not hasattr(lazy, "factors_")
    assert lazy.predict_proba(table).tolist() == eager.predict_proba(table).tolist()
    grown = learner(**setting).partial_fit(table[:1], classes=[False, True])
    for i in range(1, 17):
        grown.partial_fit(table[[i]])
    assert grown.predict_proba(table) == pytest.approx(eager.predict_proba(table), rel=1e-9)


EDGES = {
    frozenset(["root", "umbilicus"]): 1.2022,
    frozenset(["texture", "umbilicus"]): 0.7368,
    frozenset(["root", "sound"]): 0.6823,
    frozenset(["texture", "surface"]): 0.6278,
    frozenset(["color", "texture"]): 0.5403,
}


@pytest.mark.parametrize("information", ["per_class", "conditional"])
def test_the_tree_of_the_melons(information):
    """The same tree with and without the weight of the class; the printed weights are without."""
    model = TAN(information=information).fit(melons())
    edges = {frozenset(edge) for edge in model.parents_.items() if edge[1] is not None}
    assert edges == set(EDGES)
    if information == "per_class":
        names = list(model.parents_)
        for edge, weight in EDGES.items():
            i, j = (names.index(name) for name in edge)
            assert round(model.mutual_information_[i, j], 4) == weight


def test_one_parent_for_each_feature():
    """P(class | row) in proportion to P(class) times the product of P(value | class, parent)."""
    model = TAN().fit(melons())
    working = model.working(T1)
    assert working.terms[0].name == "P(class)"
    assert len(working.terms) == 7
    for name, parent in model.parents_.items():
        condition = "class" if parent is None else f"class, {parent} = {T1[parent]}"
        assert f"P({name} = {T1[name]} | {condition})" in [term.name for term in working.terms]
    assert np.exp(model.predict_joint_log_proba([T1])[0]) == pytest.approx(np.exp(working.scores))


def test_the_super_parent_is_chosen_by_cross_validation():
    table = melons()
    model = SPODE().fit(table)
    losses = {}
    for name in table.features.schema.names:
        total = 0.0
        for i in range(17):
            weights = (np.arange(17) != i).astype(float)
            one = SPODE(super_parent=name).fit(table.features, table.y, weights)
            total -= one.predict_log_proba(table.features[[i]])[0, int(table.y[i])]
        losses[name] = total
    assert model.super_parent_ == min(losses, key=losses.get)
    assert model.losses_[:-1] == pytest.approx(list(losses.values()))


def test_dependences_of_naive_bayes_spode_and_tan_are_drawn():
    spode, tan = SPODE(super_parent="color").fit(melons()), TAN(root="color").fit(melons())

    def arrows(ax):
        return len([text for text in ax.texts if not text.get_text()])

    assert arrows(spode.plot()) == 6 + 5  # the class above six columns, one of them above five
    assert arrows(tan.plot()) == 6 + 5
    heights = {text.get_text(): text.get_position()[1] for text in spode.plot().texts if text.get_text()}
    assert heights["ripe"] == 0  # the class, by the name of the target
    assert heights["color"] == -1
    assert {heights[name] for name in T1 if name != "color"} == {-2}
