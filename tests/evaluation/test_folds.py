"""The fold engine: the target, predictions, rows that are encoded once, and what holds when nobody asks."""

from __future__ import annotations

import pickle
import time
import weakref

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier as Unweighted

from hornbook import (
    Baseline,
    Frame,
    LinearDiscriminant,
    LogisticRegression,
    OneVsRest,
    Scaled,
    ThresholdMoving,
    compare,
    datasets,
)
from hornbook.base import member_rows
from hornbook.evaluation import (
    Dataset,
    Predictions,
    StratifiedKFold,
    Target,
    default_equivalence,
    default_measure,
    grid_search,
    learning_curve,
    measure_by_name,
    measures,
    validation_curve,
)
from hornbook.evaluation.folds._dataset import Clock
from hornbook.frame import Encoding, TimeSaved


def mixed(n: int = 120) -> Frame:
    draws = np.random.default_rng(0)
    color = draws.choice(["red", "green", "blue"], n).tolist()
    size = draws.normal(size=n)
    size[::7] = np.nan
    kind = np.where(np.nan_to_num(size) + (np.array(color) == "red") > 0.4, "yes", "no").tolist()
    return Frame({"color": color, "size": size, "weight": draws.integers(0, 3, n) * 1.0, "kind": kind})


class TestTarget:
    def test_codes_of_a_column_are_those_of_its_sorted_labels(self):
        levels = ["small", "large", "absent", "huge"]
        frame = Frame({"size": ["huge", "small", "large", "small"]}, kinds={"size": levels})
        target, sorted_labels = Target.of_column(frame, "size", classes=True), ["huge", "large", "small"]
        assert target.classes == tuple(sorted_labels)
        assert target.codes.tolist() == [0, 2, 1, 2]
        assert target.labels.tolist() == frame["size"].tolist()
        assert target.codes_of(target.labels).tolist() == target.codes.tolist()

    def test_whole_numbers_are_classes_as_integers(self):
        target = Target.of_column(Frame({"y": [2.0, 1.0, 2.0]}), "y", classes=True)
        assert target.classes == (1, 2)
        assert target.labels.dtype.kind == "i"

    def test_numbers_stay_numbers(self):
        target = Target.of_column(Frame({"y": [2, 1]}), "y", classes=False)
        assert target.classes == ()
        assert target.labels.tolist() == [2.0, 1.0]

    def test_a_label_that_is_no_class_is_refused(self):
        with pytest.raises(ValueError, match="answered with 'c', which is none of the classes"):
            Target(np.array([0, 1]), ("a", "b")).codes_of(np.array(["c"]))


class TestPredictions:
    def test_scores_come_from_probabilities_where_there_are_any(self):
        probabilities = np.array([[0.9, 0.1], [0.2, 0.8]])
        predictions = Predictions(np.array([0, 1]), np.array([0, 1]), (0, 1), probabilities, np.zeros(2))
        assert predictions.needed("scores").tolist() == [0.1, 0.8]
        assert predictions.needed("labels").tolist() == [0, 1]
        assert Predictions(np.array([0, 1]), np.array([0, 1]), (0, 1)).needed("probabilities") is None

    def test_some_rows_are_measured_as_if_there_were_no_others(self):
        labels, truth, weights = (
            np.array([0, 1, 1, 0]),
            np.array([0, 0, 1, 1]),
            np.array([1.0, 2.0, 3.0, 4.0]),
        )
        whole = Predictions(labels, truth, (0, 1), weights=weights)
        rows = np.array([1, 2, 2])
        part = Predictions(labels[rows], truth[rows], (0, 1), weights=weights[rows])
        measure = measure_by_name("error_rate")
        assert whole.score(measure, rows) == part.score(measure) == pytest.approx(2 / 8)


class TestDefaults:
    @pytest.mark.parametrize(
        "name", [name for name in measures() if measure_by_name(name).row_mean is not None]
    )
    def test_a_mean_over_rows_is_the_mean_of_its_row_values(self, name):
        measure = measure_by_name(name)
        truth = np.array([0, 1, 1, 0])
        predicted = np.array([0.2, 0.9, 0.4, 0.7])
        forms = {"numbers": predicted, "labels": (predicted > 0.5).astype(int)}
        answers = forms.get(measure.needs, np.column_stack([1 - predicted, predicted]))
        options = {"labels": [0, 1]} if measure.needs == "probabilities" else {}
        weights = np.array([1.0, 2.0, 0.0, 3.0])
        mean = np.average(measure.row_mean.values(truth, answers, [0, 1]), weights=weights)
        value = np.sqrt(mean) if measure.row_mean.root_of else mean
        assert measure(truth, answers, sample_weight=weights, **options) == pytest.approx(value)

    def test_errors_in_the_unit_of_the_target_grow_with_it(self):
        y = np.array([1.0, 2.0, 4.0])
        for name in ("rmse", "mae"):
            measure = measure_by_name(name)
            assert measure(10 * y, 0 * y) == pytest.approx(10 * measure(y, 0 * y))
            assert default_equivalence(measure, 10 * y) == pytest.approx(0.1 * np.std(y))
        assert default_equivalence(measure_by_name("r2"), 10 * y) == 0.01

    def test_the_measure_that_decides(self):
        assert default_measure(classes=True, probabilities=True).name == "log_loss"
        assert default_measure(classes=True, probabilities=False).name == "error_rate"
        assert default_measure(classes=False, probabilities=False).name == "rmse"


class TestRowsEncodedOnce:
    def learners(self):
        inside = [LogisticRegression(), LinearDiscriminant()]
        learners = [*inside, *map(Scaled, inside)]
        return {f"{type(learner).__name__} {i}": learner for i, learner in enumerate(learners)}

    @pytest.mark.parametrize("weight", [None, "weight"])
    def test_results_are_those_of_every_learner_alone(self, weight):
        table = Frame(mixed(), target="kind", weight=weight)
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        options = {"cv": folds, "measure": "log_loss"}
        together = compare({**self.learners(), "Baseline": Baseline()}, table, **options).scores
        for i, (name, learner) in enumerate(self.learners().items()):
            alone = compare({name: learner, "Baseline": Baseline()}, table, **options).scores
            np.testing.assert_array_equal(together.values[i], alone.values[0])
            np.testing.assert_array_equal(
                together.out_of_fold.answers[name][0], alone.out_of_fold.answers[name][0]
            )

    def test_a_matrix_is_made_once_and_shared(self):
        rows = Dataset.of("here", Frame(mixed(), target="kind")).prepared()
        one, two = rows.fit(LogisticRegression()).model, rows.fit(LinearDiscriminant()).model
        assert one.encoding_ is two.encoding_
        assert one._prepared(rows.X) is two._prepared(rows.X)

    def test_every_fold_is_encoded_once_for_each_matrix(self, monkeypatch):
        frames, encode = [], Encoding.apply

        def counted(encoding, frame, **options):
            frames.append(frame)
            return encode(encoding, frame, **options)

        monkeypatch.setattr(Encoding, "apply", counted)
        table, folds = Frame(mixed(), target="kind"), StratifiedKFold(3, shuffle=True, random_state=0)
        compare(self.learners(), table, cv=folds)
        assert len(frames) == 3 * 2 * 2  # folds, training and test rows, as they are and scaled
        assert table.forms is None
        frames.clear()
        validation_curve(LogisticRegression(), table, parameter="C", values=[0.1, 1.0, 10.0], cv=folds)
        assert len(frames) == 3 * 2
        frames.clear()
        grid = {"C": [0.1, 1.0, 10.0]}
        grid_search(LogisticRegression(), table, grid=grid, cv=folds, nested=False)
        assert len(frames) == 3 * 2 + 1  # and the last fit, to all rows

    def test_members_of_other_learners_share_the_matrix(self):
        rows = Dataset.of("here", Frame(mixed(), target="kind")).prepared()
        alone = rows.fit(LogisticRegression()).model
        for around in (OneVsRest(LogisticRegression()), ThresholdMoving(LogisticRegression())):
            model = rows.fit(around).model
            member = model.estimator_ if hasattr(model, "estimator_") else model.estimators_[0]
            assert member_rows(member, rows.X) is member_rows(alone, rows.X)

    def test_other_weights_make_another_matrix(self):
        table = mixed().select(["color", "size"]).prepared()
        y = mixed()["kind"]
        one, two = (
            LogisticRegression().fit(table, y),
            LogisticRegression().fit(table, y, np.arange(1.0, 121.0)),
        )
        assert one.encoding_ is not two.encoding_
        assert one.encoding_.fill[1] != two.encoding_.fill[1]

    def test_what_learners_made_of_a_fold_goes_with_it(self):
        data = Dataset.of("here", Frame(mixed(), target="kind"))
        rows = StratifiedKFold(3).split(data.X, data.y)
        alive = []
        for train, test in data.folds(rows):
            model = train.fit(LogisticRegression()).model
            test.score(measure_by_name("accuracy"), model)
            assert [table() for table in alive[:-2]] == [None] * len(alive[:-2])
            alive += [weakref.ref(train.X), weakref.ref(test.X)]
        assert len(alive) == 6

    def test_a_table_that_is_not_prepared_is_converted_anew(self):
        table = mixed()
        assert [table.form("key", lambda i=i: i) for i in range(2)] == [0, 1]
        assert table.prepared().form("key", lambda: 2) == 2

    def test_forms_stay_in_their_process(self):
        table = mixed().prepared()
        table.form("key", lambda: 1)
        again = pickle.loads(pickle.dumps(table))  # noqa: S301 - made in the same line
        assert again.form("key", lambda: 2) == 2
        assert again["color"].tolist() == table["color"].tolist()

    def test_the_time_of_a_learner_is_what_it_takes_alone(self):
        saved = TimeSaved()
        table = mixed().prepared(saved)
        table.form("key", lambda: time.sleep(0.05))
        assert saved.seconds == 0
        clock = Clock(saved)
        table.form("key", lambda: None)
        assert clock.seconds >= saved.seconds >= 0.05


def test_curves_refuse_weights_that_a_learner_does_not_take():
    iris = datasets.iris()
    with pytest.raises(TypeError, match="KNeighborsClassifier takes no weights: leave sample_weight out"):
        learning_curve(Unweighted(), iris.features.matrix, iris.y, sample_weight=np.ones(150))
