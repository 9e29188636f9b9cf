"""Settings that a study gives to learners: sensible ones, chosen inside each training fold, and said."""

from __future__ import annotations

import json
import time

import numpy as np
import polars as pl
import pytest
from tests.studies.estimators import Seeing
from tests.studies.tables import flowers, prepared, trend

import hornbook
from hornbook.evaluation import KFold, NestedCV, StratifiedKFold, Target, grid_search
from hornbook.params import ParameterError, parameters
from hornbook.studies import Settings, StudyError, for_shell
from hornbook.studies.prepare._default_settings import EFFORT, SENSIBLE, RowCounts, Sensible, sensible_for
from hornbook.studies.prepare._folds import dealt
from hornbook.studies.prepare._setting_text import wins_text
from hornbook.studies.run._recipe import Recipe, _rungs, _valley
from hornbook.studies.run._shared_table import Shared

QUICK = {"cv": 3, "repeats": 1, "jobs": 1}
TUNED = [
    "DecisionTreeClassifier",
    "KNeighborsClassifier",
    "LogisticRegression",
    "ObliqueTreeClassifier",
    "RadiusNeighborsClassifier",
]


def shared_of(table: hornbook.Frame, groups=None, weights=None) -> Shared:
    """A table as workers see it, with no folds."""
    y, n = table.y, len(table)
    target = Target(y) if y.dtype.kind == "f" else Target.of_classes(y)
    folds = np.zeros((1, n), np.int64)
    return Shared(table.features, target, np.arange(n), weights, groups, folds=folds)


@pytest.fixture(scope="module")
def iris():
    return hornbook.study("iris", learners=TUNED, **QUICK)


@pytest.fixture(scope="module")
def bare():
    return hornbook.study("iris", learners=TUNED, tune="off", **QUICK)


@pytest.mark.slow
def test_no_learner_with_sensible_settings_is_behind_the_baseline(iris, bare):
    means = dict(zip(iris.scores.names, iris.scores.values.mean(axis=1), strict=True))
    before = dict(zip(bare.scores.names, bare.scores.values.mean(axis=1), strict=True))
    assert before["DecisionTreeClassifier"] > before["Baseline"] == means["Baseline"]
    assert before["ObliqueTreeClassifier"] > 2 * means["ObliqueTreeClassifier"]
    assert max(means[name] for name in TUNED) < 0.35 < means["Baseline"]


def test_every_line_of_the_table_is_a_parameter_of_the_learner():
    for name, sensible in SENSIBLE.items():
        cls = hornbook.registry.learner_class(name)
        values = sensible.values(RowCounts(1000, 10, 3.0))
        assert bool(values) == bool(sensible.chosen)
        assert len(set(values)) == len(values)
        for setting in [{}, *({sensible.chosen: value} for value in values)]:
            hornbook.params.check(cls(**{**sensible.fixed, **setting}))
        assert sensible.values(RowCounts(12, 1, 1.0)) or not sensible.chosen
        ranges = {one.name for one in parameters(cls) if one.tune is not None}
        assert set(sensible.searched) <= ranges - EFFORT


def test_what_is_chosen_is_recorded_and_said(iris):
    infos = {info.name: info for info in iris.learners}
    assert infos["Baseline"].chosen == ()
    chosen = infos["KNeighborsClassifier"].chosen
    assert [(choice["repeat"], choice["fold"]) for choice in chosen] == [(0, fold) for fold in range(3)]
    ks = [choice["setting"]["n_neighbors"] for choice in chosen]
    span = f"{min(ks)} to {max(ks)}" if len(set(ks)) > 1 else f"{ks[0]}"
    assert infos["KNeighborsClassifier"].parameters["n_neighbors"] == f"chosen in each training fold: {span}"
    assert infos["KNeighborsClassifier"].parameters["vote_smoothing"] == "0.1"
    (settings,) = (note for note in iris.notes if note.startswith("settings: "))
    assert (
        "KNeighborsClassifier: vote_smoothing=0.1, n_neighbors chosen by log_loss inside each training fold"
        in settings
    )
    assert settings.endswith("tune='off' keeps the defaults")
    (note_of_choices,) = (note for note in iris.notes if note.startswith("chosen in the training folds: "))
    assert f"KNeighborsClassifier {wins_text([choice['setting'] for choice in chosen])}" in note_of_choices
    name = iris.recommended
    assert set(iris.model_setting) == {SENSIBLE[name].chosen}
    parameter, value = next(iter(iris.model_setting.items()))
    inside = getattr(iris.model, "estimator", iris.model)
    assert getattr(inside, parameter) == value
    assert f"model: {name} with {parameter} = {value:g}, chosen on all rows" in iris.notes


def test_files_tell_what_was_chosen(tmp_path):
    study = hornbook.study("iris", learners=["KNeighborsClassifier"], out=tmp_path / "s", **QUICK)
    lines = pl.read_csv(tmp_path / "s" / "scores.csv", infer_schema_length=None)
    settings = dict(
        lines.filter(pl.col("learner") == "KNeighborsClassifier").select("fold", "setting").rows()
    )
    chosen = study.learners[1].chosen
    assert settings == {
        choice["fold"]: f"n_neighbors={choice['setting']['n_neighbors']}" for choice in chosen
    }
    assert lines.filter(pl.col("learner") == "Baseline")["setting"].to_list() == [None] * 3
    kept = json.loads((tmp_path / "s" / "results.json").read_text())
    assert kept["learners"][1]["chosen"] == list(chosen)
    assert kept["model_setting"] == study.model_setting
    assert "n_neighbors=chosen in each training fold: " in (tmp_path / "s" / "report.html").read_text()
    assert 'tune = "quick"' in (tmp_path / "s" / "config.toml").read_text()
    again = hornbook.study("iris", learners=["KNeighborsClassifier"], out=tmp_path / "s", **QUICK)
    assert "records: 6 folds were finished earlier; the study resumes from there" in again.notes
    assert again.learners[1].chosen == chosen
    assert again.scores.values.tolist() == study.scores.values.tolist()
    with pytest.raises(StudyError, match=r"tune = 'quick', not 'off'"):
        hornbook.study("iris", learners=["KNeighborsClassifier"], out=tmp_path / "s", tune="off", **QUICK)


def test_learners_and_settings_that_are_given_stay_as_given():
    learners = {
        "tree": hornbook.DecisionTreeClassifier(max_depth=2),
        "neighbors": hornbook.KNeighborsClassifier(n_neighbors=4),
        "by name": "KNeighborsClassifier",
    }
    ready, notes = prepared(flowers(), learners=learners)
    tree, neighbors, by_name = (candidate for candidate in ready.candidates if candidate.name in learners)
    assert (
        tree.learner.get_params() == hornbook.DecisionTreeClassifier(max_depth=2, random_state=0).get_params()
    )
    assert neighbors.learner.estimator.n_neighbors == 4
    assert neighbors.learner.estimator.vote_smoothing == 0.0
    assert neighbors.sensible == tree.sensible == Sensible()
    assert by_name.sensible is SENSIBLE["KNeighborsClassifier"]
    assert by_name.learner.estimator.vote_smoothing == 0.1
    assert sum(note.startswith("settings: ") for note in notes) == 1


def test_without_tuning_nothing_is_chosen(bare):
    assert [info.chosen for info in bare.learners] == [()] * 6
    assert bare.model_setting == {}
    assert not [note for note in bare.notes if note.startswith(("settings:", "chosen", "model:"))]


def test_without_tuning_learners_have_their_defaults():
    ready, notes = prepared(
        flowers(), learners=["DecisionTreeClassifier", "RandomForestClassifier"], tune="off"
    )
    for candidate in ready.candidates[1:]:
        bare = hornbook.registry.learner_class(candidate.name)(random_state=0)
        assert candidate.learner.get_params() == bare.get_params()
        assert candidate.sensible == Sensible()
    assert not [note for note in notes if note.startswith("settings:")]
    assert 'tune = "off"' in Settings(tune="off").to_toml().splitlines()
    with pytest.raises(ParameterError, match="'tune' must be one of 'off', 'quick', 'thorough'; got True"):
        Settings(tune=True)


def test_a_choice_sees_the_training_rows_and_no_others(tmp_path):
    table = hornbook.Frame({"row": np.arange(60.0), **flowers()}, target="kind")
    train = np.flatnonzero(np.arange(60) % 3 > 0)
    spy = Seeing(depth=7, diary=str(tmp_path / "seen"))
    fitted = Recipe(spy, Sensible({}, "depth", lambda _: (2, 1)), "error_rate").fit(shared_of(table), train)
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]
    *inner, last = seen
    assert {row for call in seen for row in call["rows"]} == set(train.tolist())
    assert [call["what"] for call in inner] == ["fit", "ask"] * 6
    for fit, ask in zip(inner[::2], inner[1::2], strict=True):
        assert sorted(fit["rows"] + ask["rows"]) == train.tolist()
    assert [call["depth"] for call in inner[::2]] == [2] * 3 + [1] * 3
    assert fitted.setting == {"depth": 2}  # both are as good, and it comes first
    assert (last["what"], last["depth"], last["rows"]) == ("fit", 2, train.tolist())
    assert spy.depth == 7


@pytest.mark.parametrize(
    ("name", "table"),
    [("DecisionTreeClassifier", "iris"), ("KNeighborsRegressor", "trend"), ("Lasso", "trend")],
)
def test_the_choice_is_that_of_a_search_on_the_same_inner_folds(name, table):
    frame = hornbook.datasets.iris() if table == "iris" else hornbook.Frame(trend(160), target="y")
    shared, sensible = shared_of(frame), SENSIBLE[name]
    rows = np.flatnonzero(np.arange(len(frame)) % 4 > 0)
    learner = hornbook.registry.learner_class(name)(**sensible.fixed)
    metric = "log_loss" if shared.classes else "mse"  # a mean over rows: folds of one size weigh the same
    fitted = Recipe(learner, sensible, metric, 3).fit(shared, rows)
    spread = 1.0 if shared.classes else float(np.std(frame.y[rows]))
    values = list(sensible.values(RowCounts(len(rows), len(shared.features.schema), spread)))
    kind = StratifiedKFold if shared.classes else KFold
    inner = kind(3, shuffle=True, random_state=3)
    searched = grid_search(
        learner,
        frame[rows],
        grid={sensible.chosen: values},
        measure=metric,
        cv=NestedCV(inner, inner),
        nested=False,
    )
    assert fitted.setting == searched.best_params
    answers = (lambda model: model.predict_proba) if shared.classes else (lambda model: model.predict)
    np.testing.assert_allclose(
        answers(fitted.model)(frame.features), answers(searched.best_learner)(frame.features), rtol=1e-12
    )


def test_weights_count_in_a_choice():
    table = hornbook.Frame(trend(90), target="y")
    rows, some = np.arange(90), np.arange(90) % 2 * 1.0
    recipe = Recipe(hornbook.DecisionTreeRegressor(), SENSIBLE["DecisionTreeRegressor"], "rmse")
    plain = recipe.fit(shared_of(table), rows)
    same = recipe.fit(shared_of(table, weights=np.full(90, 2.0)), rows)
    assert same.setting == plain.setting
    # rows that weigh nothing do not take part: what they say about the target does not matter
    wild = np.where(np.arange(90) % 2 == 0, 1e6, table.y)
    odd = hornbook.Frame({**trend(90), "y": wild}, target="y")
    by_weight = recipe._loss(shared_of(odd, weights=some), [(rows, rows)], [table.y])
    assert by_weight == 0.0


def test_groups_stay_together_in_a_choice(tmp_path):
    table = hornbook.Frame({"row": np.arange(60.0), **flowers()}, target="kind")
    groups = np.arange(60) // 5
    spy = Seeing(diary=str(tmp_path / "seen"))
    recipe = Recipe(spy, Sensible({}, "depth", lambda _: (1, 2)), "error_rate")
    recipe.fit(shared_of(table, groups), np.arange(60))
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()][:-1]
    for fit, ask in zip(seen[::2], seen[1::2], strict=True):
        assert not {row // 5 for row in fit["rows"]} & {row // 5 for row in ask["rows"]}


def test_too_few_rows_to_choose_leave_the_default():
    recipe = Recipe(hornbook.KNeighborsClassifier(), SENSIBLE["KNeighborsClassifier"], "log_loss")
    fitted = recipe.fit(shared_of(hornbook.Frame(flowers(), target="kind")), np.arange(10))
    assert fitted.setting == {}
    assert fitted.model.n_neighbors == 5


def test_a_value_that_fails_is_not_chosen_and_a_learner_that_fails_says_so_itself():
    shared = shared_of(hornbook.Frame(trend(), target="y"))
    some = Sensible({}, "alpha", lambda _: (-1.0, 0.5))
    assert Recipe(hornbook.Ridge(), some, "rmse").fit(shared, np.arange(60)).setting == {"alpha": 0.5}
    none = Sensible({}, "alpha", lambda _: (-1.0, -2.0))
    with pytest.raises(ValueError, match="'alpha' must be .* got -3.0"):
        Recipe(hornbook.Ridge(alpha=-3.0), none, "rmse").fit(shared, np.arange(60))


@pytest.mark.parametrize(
    ("losses", "place", "asked"),
    [
        ([9, 5, 4, 3, 7, 9, 9], 3, {2, 3, 4}),
        ([1, 2, 3, 4, 5], 0, {0, 1, 2, 3}),
        ([5, 4, 3, 2, 1], 4, {1, 2, 3, 4}),
        ([3, 3, 3, 3], 0, {0, 1, 2, 3}),
        ([2, np.inf, 3], 0, {0, 1, 2}),
        ([np.inf, np.nan, np.inf], None, {0, 1, 2}),
        ([1], 0, {0}),
    ],
)
def test_penalties_are_searched_downhill(losses, place, asked):
    seen = []
    best = _valley(lambda i: seen.append(i) or losses[i], len(losses))
    assert set(seen) == asked
    assert len(seen) == len(set(seen))
    assert best == place


@pytest.mark.parametrize(
    ("metric", "learner", "classes", "expected"),
    [
        ("accuracy", hornbook.KNeighborsClassifier(), True, "accuracy"),
        ("auc", hornbook.KNeighborsClassifier(), True, "log_loss"),
        ("log_loss", hornbook.SurrogateLossClassifier(), True, "error_rate"),
        ("r2", hornbook.Ridge(), False, "rmse"),
        ("mae", hornbook.Ridge(), False, "mae"),
    ],
)
def test_the_metric_decides_where_it_can(metric, learner, classes, expected):
    assert Recipe(learner, Sensible(), metric).measure(classes=classes) == expected


def test_of_many_rows_one_part_is_held_out_once(tmp_path, monkeypatch):
    from hornbook.studies.run import _recipe

    monkeypatch.setattr(_recipe, "MANY", 50)
    monkeypatch.setattr(_recipe, "MOST_HELD_OUT", 8)
    monkeypatch.setattr(_recipe, "MOST_LEARNED", 30)
    table = hornbook.Frame({"row": np.arange(60.0), **flowers()}, target="kind")
    spy = Seeing(diary=str(tmp_path / "seen"))
    recipe = Recipe(spy, Sensible({}, "depth", lambda _: (1, 2)), "error_rate")
    recipe.fit(shared_of(table), np.arange(60))
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]
    assert [(call["what"], len(call["rows"])) for call in seen] == [
        *[("fit", 30), ("ask", 8)] * 2,
        ("fit", 60),
    ]
    assert not set(seen[0]["rows"]) & set(seen[1]["rows"])


@pytest.mark.slow
def test_the_choice_does_not_depend_on_the_number_of_processes():
    names = ["KNeighborsRegressor", "DecisionTreeRegressor", "Ridge"]
    one, two = (
        hornbook.study(trend(), learners=names, cv=2, repeats=2, jobs=jobs, seed=5) for jobs in (1, 2)
    )
    assert [info.chosen for info in one.learners] == [info.chosen for info in two.learners]
    assert one.scores.values.tolist() == two.scores.values.tolist()
    assert one.model_setting == two.model_setting
    assert one.learning_curve.to_dict() == two.learning_curve.to_dict()


def test_the_learning_curve_ends_at_the_scores_of_the_folds(iris):
    scores = iris.scores.values[iris.scores.names.index(iris.recommended)]
    np.testing.assert_allclose(iris.learning_curve.test[-1], scores, rtol=1e-12)


def test_the_time_of_a_fit_has_the_choice_in_it():
    """Forecasts and budgets are made of it."""

    def slowly(rows):
        time.sleep(0.2)
        return SENSIBLE["KNeighborsClassifier"].values(rows)

    shared = shared_of(hornbook.Frame(flowers(), target="kind"))
    recipe = Recipe(hornbook.KNeighborsClassifier(), Sensible({}, "n_neighbors", slowly), "log_loss")
    assert recipe.fit(shared, np.arange(60)).seconds > 0.2


def test_inner_folds_are_those_of_the_splitters():
    y = np.arange(31) % 3
    expected = StratifiedKFold(3, shuffle=True, random_state=4).repeated_fold_numbers(
        np.empty((31, 1)), y, None, 1
    )
    assert dealt(y, 3, None, cv=3, repeats=1, seed=4).tolist() == [expected[0].tolist()]


def test_a_search_has_the_ranges_that_the_learner_names():
    quick, thorough = (sensible_for("HistGradientBoostingClassifier", tune) for tune in ("quick", "thorough"))
    assert set(quick.tuned) == {"learning_rate", "max_leaf_nodes", "min_samples_leaf"}
    assert (quick.n_settings, thorough.n_settings) == (8, 27)
    assert set(quick.tuned) < set(thorough.tuned)
    assert not EFFORT & set(thorough.tuned)
    named = {one.name: one.tune for one in parameters(hornbook.HistGradientBoostingClassifier)}
    assert all(named[name] == span for name, span in thorough.ranges.items())
    assert sensible_for("KNeighborsClassifier", "quick") is SENSIBLE["KNeighborsClassifier"]
    assert sensible_for("KNeighborsClassifier", "thorough").tuned == ("n_neighbors", "p")
    assert set(sensible_for("SVC", "quick").tuned) == {"C", "gamma"}  # no line of its own: all ranges
    assert sensible_for("SVC", "off") == Sensible()


def test_a_search_halves_the_settings_on_more_and_more_inner_folds(tmp_path):
    table = hornbook.Frame({"row": np.arange(60.0), **flowers()}, target="kind")
    train = np.flatnonzero(np.arange(60) % 3 > 0)
    spy = Seeing(depth=7, diary=str(tmp_path / "seen"))
    search = Sensible(ranges={"depth": hornbook.params.Tune(1, 10**6)}, n_settings=8)
    fitted = Recipe(spy, search, "error_rate", 4).fit(shared_of(table), train)
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]
    *inner, last = seen
    assert {row for call in seen for row in call["rows"]} == set(train.tolist())
    fits, asked = inner[::2], inner[1::2]
    depths = [call["depth"] for call in fits]
    assert len(depths) == 8 + 4 + 2
    assert depths[0] == depths[8] == depths[12] == 7  # all are equally good, and the usual one comes first
    assert set(depths[8:12]) < set(depths[:8])
    tested = [tuple(call["rows"]) for call in asked]
    assert len(set(tested[:8])) == len(set(tested[8:12])) == len(set(tested[12:])) == 1
    assert sorted(row for rows in set(tested) for row in rows) == train.tolist()
    assert fitted.setting == {"depth": 7}
    assert last["depth"] == 7


def test_a_search_of_many_rows_takes_more_and_more_of_them():
    learned, held_out = np.arange(40), np.arange(40, 50)
    rungs = _rungs([(learned, held_out)], seed=1)
    assert [len(rung) for rung in rungs] == [1, 1, 1]
    assert [len(rows) for ((rows, _),) in rungs] == [10, 20, 40]
    (first, _), (second, _), (third, _) = (rung[0] for rung in rungs)
    assert set(first) < set(second) < set(third)
    assert all(rung[0][1] is held_out for rung in rungs)


@pytest.mark.slow
def test_what_is_searched_is_better_where_the_usual_setting_overfits():
    name = "HistGradientBoostingClassifier"
    tuned, plain = (
        hornbook.study("iris", learners=[name], tune=tune, **QUICK).scores for tune in ("quick", "off")
    )
    place = tuned.names.index(name)
    assert tuned.values[place].mean() < 0.8 * plain.values[place].mean()


def test_settings_that_all_fail_leave_the_usual_one():
    shared = shared_of(hornbook.Frame(trend(), target="y"))
    broken = Sensible(ranges={"alpha": hornbook.params.Tune(-3.0, -1.0)}, n_settings=4)
    assert Recipe(hornbook.Ridge(), broken, "rmse").fit(shared, np.arange(60)).setting == {"alpha": 1.0}
    with pytest.raises(ValueError, match=r"'alpha' must be .* got -3.0"):
        Recipe(hornbook.Ridge(alpha=-3.0), broken, "rmse").fit(shared, np.arange(60))


def test_a_parameter_with_the_name_of_a_setting_stays_what_it_is_in_the_program():
    assert for_shell(f"Lasso {wins_text([{'alpha': 0.1}])}") == "Lasso alpha = 0.1 in 1 of 1 folds"


@pytest.mark.slow
def test_which_settings_won_how_often_is_said():
    study = hornbook.study("iris", learners=["RandomForestClassifier"], **QUICK)
    choices = [choice["setting"] for choice in study.learners[1].chosen]
    assert all(set(setting) == {"max_depth", "min_samples_leaf"} for setting in choices)
    (note,) = (note for note in study.notes if note.startswith("chosen in the training folds: "))
    assert note.endswith(f"RandomForestClassifier {wins_text(choices)}")
    assert "of 3 folds" in note
