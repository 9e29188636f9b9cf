"""Studies of rows that are ordered in time: earlier rows predict later ones."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from tests.studies.tables import flowers, prepared, trend

import hornbook
from hornbook.frame import Frame
from hornbook.studies import StudyError
from hornbook.studies.prepare._folds import forward_folds
from hornbook.studies.run._recipe import _inner_folds

DAYS = [date(2024, 1, 31) + timedelta(days=k // 3) for k in range(120)]  # three rows a day


def mixed(table):
    """The rows of a table in another order."""
    order = np.random.default_rng(3).permutation(len(next(iter(table.values()))))
    return {name: [values[k] for k in order] for name, values in table.items()}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("time") / "study"
    names = ["LinearRegression", "KNeighborsRegressor"]
    return hornbook.study(
        mixed(trend(120, day=DAYS)), time="day", learners=names, cv=5, repeats=3, jobs=1, out=folder
    )


def test_earlier_rows_predict_later_ones(study):
    days = np.array(mixed({"day": DAYS})["day"])
    folds = study.predictions.folds
    assert folds.shape == (1, 120)
    for fold in range(5):
        assert days[folds[0] < fold].max() < days[folds[0] == fold].min()
    assert study.scores.n_train.tolist() == [21, 42, 60, 81, 102]
    assert study.scores.n_test.tolist() == [21, 18, 21, 21, 18]
    assert study.settings.repeats == 1
    assert "folds: forward in time by 'day'; each is trained on the rows before its test rows" in study.notes
    assert "repeats: 1 instead of 3, because there is only one order of time" in study.notes
    assert study.facts["folds"] == "5 forward in time by day"
    assert "5 folds forward in time" in (study.folder / "report.html").read_text()
    # Nothing is predicted from the time itself, and nobody is stopped while training rows are few.
    assert [column.column for column in study.importance] == ["x", "z"]
    assert study.verdict.scores.stopped == {}


def test_scores_are_those_of_a_fit_to_earlier_rows(study):
    table, folds = mixed(trend(120, day=DAYS)), study.predictions.folds[0]
    X, y = np.column_stack([table["x"], table["z"]]), np.array(table["y"])
    place = study.scores.names.index("LinearRegression")
    for fold in range(5):
        model = hornbook.LinearRegression().fit(X[folds < fold], y[folds < fold])
        error = np.sqrt(np.mean((model.predict(X[folds == fold]) - y[folds == fold]) ** 2))
        assert study.scores.values[place, fold] == pytest.approx(error, rel=1e-9)


def test_rows_that_are_never_tested_take_no_part_in_the_correction(study):
    tested = int((study.predictions.folds >= 0).sum())
    assert len(study.verdict.scores.out_of_fold.truth) == tested == 99
    assert np.isfinite(study.verdict.corrected.estimate)
    assert study.learning_curve.sizes[-1] == 60  # training rows of the first of the last three folds


def test_a_time_that_is_kept_is_predicted_from():
    ready, _ = prepared(trend(time=range(60)), ["LinearRegression"], target="y", time="time", keep=["time"])
    assert ready.training.features.schema.names == ("x", "z", "time")
    ready, _ = prepared(trend(time=range(60)), ["LinearRegression"], target="y", time="time")
    assert ready.training.features.schema.names == ("x", "z")


def test_settings_are_chosen_on_later_rows_than_they_are_fitted_to():
    ready, _ = prepared(trend(time=range(60)), ["LinearRegression"], target="y", time="time")
    times, rows = ready.training.times, np.arange(40)
    folds = list(_inner_folds(ready.training, rows, 0))
    assert len(folds) == 3
    for learned, held_out in folds:
        assert times[learned].max() < times[held_out].min()
        assert set(learned) | set(held_out) <= set(rows)


def test_ties_stay_together_and_gaps_do_not_matter():
    for draws in map(np.random.default_rng, range(30)):
        times = draws.choice([0.0, 1.0, 2.0, 50.0, 51.0, 900.0, 901.0], 40, p=[0.5, *[0.5 / 6] * 6])
        distinct = len(np.unique(times))
        for cv in range(2, distinct):
            folds = forward_folds(times, cv)
            assert sorted(set(folds.tolist())) == list(range(-1, cv))
            order = np.argsort(times, kind="stable")
            assert (np.diff(folds[order]) >= 0).all()
            assert all(len(set(folds[times == time].tolist())) == 1 for time in np.unique(times))


@pytest.mark.parametrize(
    ("column", "settings", "message"),
    [
        ([1, 2, 3] * 20, {}, "3 distinct times in 't' are too few for 3 folds forward in time. Use cv=2 or"),
        ([None, *range(59)], {}, "1 of 60 rows have no time in 't'. Fill them in, or leave these rows out."),
        (["soon", "late"] * 30, {}, "The column 't' for time= holds text that has no order. Write dates as"),
        (range(60), {"time": "tt"}, "there is no column 'tt' for time="),
        (range(60), {"group": "t"}, "time= and group= ask for different folds: leave one of them out."),
        (range(60), {"weight": "t"}, "the column 't' cannot be the time and something else: choose one."),
        (range(60), {"task": "clustering"}, "time= has no meaning for task='clustering': leave it out."),
    ],
)
def test_times_that_cannot_be_used(column, settings, message):
    table = Frame(flowers(t=list(column)))
    with pytest.raises(StudyError) as error:
        hornbook.study(table, "kind", cv=3, **{"time": "t", **settings})
    assert message in str(error.value)
