"""Parameters that a fitted learner can be given without learning again: the same answers as after a fit."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import Frame, Scaled, registry
from hornbook.base import member_answers, member_proba, member_rows, member_variants, prepare

# For each parameter values to try, from what the learner is fitted with on.
VALUES = {
    "ccp_alpha": (0.0, 0.004, 0.02, 0.1, 0.5),
    "leaf_smoothing": (0.0, 0.5, 3.0),
    "max_depth": (None, 4, 2, 1, 7),
    "n_neighbors": (5, 1, 17, 3, 80, 500),
    "radius": (1.0, 0.0, 0.3, 2.5),
    "vote_smoothing": (0.0, 0.1, 2.0),
    "weights": ("uniform", "distance"),
}


def adjustable_learners():
    triples = []
    for name in sorted(registry.LEARNERS):
        cls = registry.learner_class(name)
        tasks = [task for task in registry.LEARNERS[name].tasks if task in ("classification", "regression")]
        if isinstance(cls.adjustable, frozenset):  # that of Scaled depends on the learner inside
            triples += [(name, task, parameter) for task in tasks for parameter in sorted(cls.adjustable)]
    return triples


def table(n=90):
    draws = np.random.default_rng(5)
    x = draws.normal(size=n)
    cells = {
        "x": x,
        "z": np.where(draws.random(n) < 0.1, np.nan, draws.normal(size=n)),
        "kind": np.array(["a", "b", "c"])[draws.integers(0, 3, n)],
    }
    number = x + draws.normal(size=n)
    return Frame(cells), number, np.digitize(number, [-0.8, 0.8])


def test_there_are_some():
    pairs = {(name, parameter) for name, _, parameter in adjustable_learners()}
    assert {("DecisionTreeRegressor", "ccp_alpha"), ("KNeighborsClassifier", "n_neighbors")} <= pairs
    assert {parameter for _, _, parameter in adjustable_learners()} == set(VALUES)


@pytest.mark.parametrize("around", ["bare", "scaled"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("name", "task", "parameter"), adjustable_learners())
def test_a_variant_answers_as_if_fitted_anew(name, task, parameter, weighted, around):
    rows, numbers, classes = table()
    y = classes if task == "classification" else numbers
    w = np.arange(90) % 3 + 0.5 if weighted else None
    learner = registry.learner_class(name)()
    if "n_estimators" in learner.get_params():
        learner.set_params(n_estimators=7)
    if "random_state" in learner.get_params():
        learner.set_params(random_state=0)
    prefix = "estimator__" if around == "scaled" else ""
    learner = Scaled(learner) if around == "scaled" else learner
    assert f"{prefix}{parameter}" in learner.adjustable
    settings = [{f"{prefix}{parameter}": value} for value in VALUES[parameter]]
    prepared = prepare(learner, rows, w, task)
    learned = np.arange(60)
    member = prepared.fit(y, w, learned)
    asked = member_rows(member, rows[60:])
    for setting, variant in zip(settings, member_variants(member, asked, settings), strict=True):
        learner.set_params(**setting)
        anew = prepare(learner, rows, w, task).fit(y, w, learned)
        assert member_answers(variant, asked).tolist() == member_answers(anew, asked).tolist(), setting
        if task == "classification":
            expected = member_proba(anew, asked, 3)
            np.testing.assert_allclose(member_proba(variant, asked, 3), expected, rtol=1e-12, atol=1e-15)
        assert variant.get_params()[f"{prefix}{parameter}"] == setting[f"{prefix}{parameter}"]
    assert member.get_params()[f"{prefix}{parameter}"] == VALUES[parameter][0]


@pytest.mark.parametrize(
    ("name", "parameters", "other"),
    [("DecisionTreeClassifier", {"ccp_alpha": 0.1}, 0.0), ("ObliqueTreeClassifier", {"max_depth": 2}, 3)],
)
def test_what_was_cut_off_or_not_grown_needs_a_fit(name, parameters, other):
    rows, _, classes = table()
    member = prepare(registry.learner_class(name)(**parameters), rows).fit(classes)
    asked = member_rows(member, rows[:5])
    with pytest.raises(ValueError, match="fit again"):
        list(member_variants(member, asked, [dict.fromkeys(parameters, other)]))
