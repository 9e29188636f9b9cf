"""A study as a whole: what it says is what the evaluation says of the same folds."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as Foreign
from sklearn.svm import LinearSVC
from tests.studies.tables import flowers, trend

import hornbook
from hornbook.evaluation import RepeatedKFold, RepeatedStratifiedKFold, SmallFoldWarning
from hornbook.studies import Study

# Learners with their defaults, so that others can be fitted beside them; what is chosen is in test_tuning.
QUICK = {"cv": 3, "repeats": 2, "jobs": 1, "tune": "off"}


@pytest.fixture(scope="module")
def iris() -> Study:
    """One study of Iris, on one process."""
    return hornbook.study("iris", learners=["NaiveBayes", "KNeighborsClassifier"], **QUICK)


def without_times(study):
    results = study.to_dict()
    for name in ("started", "ended", "seconds", "settings", "command"):
        results.pop(name)
    for learner in results["learners"]:
        learner.pop("fit_seconds"), learner.pop("predict_seconds")
    for standing in results["verdict"]["standings"]:
        standing.pop("seconds")
    return results


def test_the_verdict_is_that_of_compare_on_the_same_folds(iris):
    learners = {
        "Baseline": hornbook.Baseline(random_state=0),
        "NaiveBayes": hornbook.NaiveBayes(),
        "KNeighborsClassifier": hornbook.Scaled(hornbook.KNeighborsClassifier()),
    }
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    expected = hornbook.compare(learners, hornbook.datasets.iris(), measure="log_loss", cv=folds)
    scores = dict(zip(iris.scores.names, iris.scores.values, strict=True))
    for name, values in zip(expected.scores.names, expected.scores.values, strict=True):
        np.testing.assert_allclose(scores[name], values, rtol=1e-12)
    assert iris.verdict.winners == expected.winners
    assert iris.verdict.corrected.estimate == pytest.approx(expected.corrected.estimate, rel=1e-12)


def test_the_result_does_not_depend_on_the_number_of_processes(iris):
    again = hornbook.study("iris", learners=["NaiveBayes", "KNeighborsClassifier"], **QUICK | {"jobs": 2})
    assert without_times(again) == without_times(iris)


def test_what_is_around_the_verdict(iris):
    assert (iris.task, iris.classes) == ("classification", ("setosa", "versicolor", "virginica"))
    assert (iris.done, iris.total, iris.interrupted) == (18, 18, False)
    assert iris.settings.metric == "log_loss"
    assert iris.settings.learners == ("Baseline", "NaiveBayes", "KNeighborsClassifier")
    assert iris.beside["accuracy"]["NaiveBayes"] > 0.9
    scaled = {info.name: info.scaled for info in iris.learners}
    assert scaled == {"Baseline": False, "NaiveBayes": False, "KNeighborsClassifier": True}
    assert iris.model.predict(hornbook.datasets.iris().features[:2]).tolist() == ["setosa", "setosa"]
    assert iris.learning_curve.sizes[-1] == 100
    assert iris.learning_curve.test.shape == (5, 3)
    assert iris.importance[0].column in ("petal_length", "petal_width")
    assert {importance.column for importance in iris.importance} == set(
        hornbook.datasets.iris().features.schema.names
    )
    assert iris.command == (
        "hornbook study iris --target species --learners NaiveBayes,KNeighborsClassifier "
        "--cv 3 --repeats 2 --jobs 1 --tune off"
    )
    assert str(iris).startswith(iris.verdict.sentence)
    assert "NaiveBayes" in iris._repr_html_()


def test_predictions_are_those_of_rows_that_were_not_learned_from(iris):
    kept = iris.predictions
    frame = hornbook.datasets.iris()
    tested = kept.folds[1] == 2
    model = hornbook.NaiveBayes().fit(frame[~tested])
    np.testing.assert_allclose(
        kept.answers["NaiveBayes"][1][tested], model.predict_proba(frame[tested].features), rtol=1e-12
    )
    assert kept.labels("NaiveBayes", 1)[tested].tolist() == model.predict(frame[tested].features).tolist()
    accuracy = np.mean([np.mean(kept.labels("NaiveBayes", r) == kept.truth) for r in range(2)])
    assert iris.beside["accuracy"]["NaiveBayes"] == pytest.approx(accuracy)


def test_a_regression_is_as_complete():
    study = hornbook.study(trend(), learners=["KNeighborsRegressor"], **QUICK)
    assert (study.task, study.classes, study.settings.metric) == ("regression", (), "rmse")
    assert set(study.beside) == {"mae", "r2"}
    frame = hornbook.Frame(trend(), target="y")
    folds = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    learners = {
        "Baseline": hornbook.Baseline(strategy="mean"),
        "KNeighborsRegressor": hornbook.Scaled(hornbook.KNeighborsRegressor()),
    }
    with pytest.warns(SmallFoldWarning):
        expected = hornbook.compare(learners, frame, cv=folds)
    np.testing.assert_allclose(study.scores.values, expected.scores.values, rtol=1e-12)
    assert study.settings.equivalence == pytest.approx(0.01 * np.std(frame.y))
    assert study.importance[0].column == "x"
    assert study.command == ""
    assert study.model.predict({"x": [0.0], "z": [0.0]}).shape == (1,)


def test_estimators_of_scikit_learn_take_part():
    table = flowers(color=np.array(["red", "green", None], dtype=object)[np.arange(60) % 3])
    study = hornbook.study(
        table,
        learners={"foreign": Foreign(), "no probabilities": LinearSVC(), "ours": hornbook.NaiveBayes()},
        **QUICK,
    )
    assert study.settings.metric == "error_rate"
    assert [info.done for info in study.learners] == [6, 6, 6, 6]
    assert "no probabilities" not in study.beside["log_loss"]
    assert study.beside["auc"]["no probabilities"] > 0.7
    assert study.predictions.kinds == {
        "Baseline": "probabilities",
        "foreign": "probabilities",
        "no probabilities": "labels",
        "ours": "probabilities",
    }
    assert set(study.predictions.labels("no probabilities", 0)) == {"wild", "tame"}


def test_parameters_and_errors_name_classes_as_the_user_does():
    costly = hornbook.LogisticRegression(class_weight={"wild": 3.0, "tame": 1.0})
    learners = {"costly": costly, "tame": hornbook.Baseline(strategy="constant", constant="tame")}
    learners["wrong"] = hornbook.LogisticRegression(class_weight={"odd": 3.0})
    learners["foreign"] = Foreign(class_weight={"wild": 3.0, "tame": 1.0})
    study = hornbook.study(flowers(), learners=learners, scale=False, **QUICK)
    assert [info.failed for info in study.learners] == [0, 0, 1, 0]
    assert "names 'odd', which is not among the classes ['tame', 'wild']" in study.learners[2].error
    assert set(study.predictions.labels("tame", 0)) == {"tame"}
    rows, tested = hornbook.Frame(flowers(), target="kind"), study.predictions.folds[1] == 2
    model = costly.fit(rows[~tested])
    np.testing.assert_allclose(
        study.predictions.answers["costly"][1][tested], model.predict_proba(rows[tested].features), rtol=1e-9
    )


def test_weights_reach_every_fit_and_every_score():
    rows = flowers()
    weights = np.arange(60) % 3
    weighted = hornbook.study(
        flowers(w=weights), learners=["NaiveBayes"], weight="w", metric="error_rate", **QUICK
    )
    kept = weighted.predictions
    wrong = (kept.labels("NaiveBayes", 0) != kept.truth) @ weights
    parts = [
        np.average(
            (kept.labels("NaiveBayes", 0) != kept.truth)[kept.folds[0] == k],
            weights=weights[kept.folds[0] == k],
        )
        for k in range(3)
    ]
    np.testing.assert_allclose(weighted.scores.values[1, :3], parts)
    assert wrong > 0
    tested = kept.folds[0] == 0
    X = hornbook.Frame({"length": rows["length"], "width": rows["width"]})
    model = hornbook.NaiveBayes().fit(X[~tested], rows["kind"][~tested], sample_weight=weights[~tested])
    np.testing.assert_allclose(kept.answers["NaiveBayes"][0][tested], model.predict_proba(X[tested]))


def test_learners_without_weights_are_left_out_and_said():
    study = hornbook.study(
        flowers(w=np.ones(60)),
        learners={"ours": hornbook.NaiveBayes(), "odd": Nameless()},
        weight="w",
        **QUICK,
    )
    assert study.skipped == (("odd", "It does not support weights, and this table has them."),)


class Nameless(LinearSVC):
    """An estimator that takes no weights."""

    def fit(self, X, y):
        return super().fit(X, y)


def test_groups_stay_together():
    groups = np.arange(60) // 4
    study = hornbook.study(flowers(g=groups), learners=["NaiveBayes"], group="g", **QUICK)
    for folds in study.predictions.folds:
        assert all(len(set(folds[groups == g])) == 1 for g in range(15))
    assert "g" not in study.settings.ignore
    assert study.n_columns == 2


@pytest.mark.slow
def test_a_budget_cuts_repeats_then_learners_and_says_so():
    from tests.studies.estimators import Odd

    events = []
    learners = {"quick": Odd(), "slow": Odd(seconds=1.0)}
    study = hornbook.study(
        flowers(), learners=learners, cv=3, repeats=5, jobs=1, budget=2.5, progress=events.append
    )
    assert study.skipped[0][0] == "slow"
    assert "which the budget does not allow" in study.skipped[0][1]
    assert study.settings.repeats == 1
    assert [info.name for info in study.learners] == ["Baseline", "quick"]
    notes = [event.text for event in events if event.kind == "note"]
    assert any(note.startswith("budget: the remaining folds would take about") for note in notes)
    assert any(note.startswith("budget: slow is left out") for note in notes)
    plenty = hornbook.study(flowers(), learners=learners, cv=2, repeats=1, jobs=1, budget=60.0)
    assert plenty.skipped == ()


def test_events_tell_what_happens():
    events = []
    hornbook.study(flowers(), learners=["NaiveBayes"], cv=2, repeats=1, jobs=1, progress=events.append)
    kinds = [event.kind for event in events]
    assert kinds.count("start") == kinds.count("done") == 4
    last = [event for event in events if event.kind == "done"][-1]
    assert (last.done, last.total) == (4, 4)
    assert last.seconds_left == 0.0
    started = [(e.learner, e.fold) for e in events if e.kind == "start"]
    assert started == [("Baseline", 0), ("NaiveBayes", 0), ("Baseline", 1), ("NaiveBayes", 1)]
