"""compare: the same folds for all, nothing lost, nothing hidden."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC

from hornbook import Baseline, Encoder, Frame, NaiveBayes, datasets
from hornbook.evaluation import (
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    compare,
    compare_predictions,
    compare_runs,
    measure_by_name,
    read_scores,
    write_scores,
)

FOLDS = StratifiedKFold(5, shuffle=True, random_state=1)

pytestmark = pytest.mark.filterwarnings("ignore:.*smallest test set")


class Broken(NaiveBayes):
    """Fails whenever row 0 is among the training rows."""

    def _fit_blocks(self, blocks):
        if any((block.X.numbers == [5.1, 3.5, 1.4, 0.2]).all(axis=1).any() for block in blocks):
            raise ValueError("no luck today\nand more")
        super()._fit_blocks(blocks)


def test_scores_are_those_of_a_plain_loop():
    iris = datasets.iris()
    X, y = iris.features.matrix, iris.y
    logistic = LogisticRegression(max_iter=2000)
    verdict = compare({"nb": NaiveBayes(), "lr": logistic}, X, y, cv=FOLDS)
    assert verdict.scores.measure == "log_loss"
    for name, learner in (("nb", NaiveBayes()), ("lr", logistic)):
        expected = []
        for train, test in FOLDS.split(X, y):
            expected.append(log_loss(y[test], learner.fit(X[train], y[train]).predict_proba(X[test])))
        scores = verdict.scores.values[list(verdict.scores.names).index(name)]
        np.testing.assert_allclose(scores, expected, rtol=1e-12)


@pytest.mark.parametrize("make", [lambda f: f, lambda f: f.to_polars(), lambda f: f.to_polars().to_pandas()])
def test_any_table(make):
    table = datasets.watermelon("3.0")
    verdict = compare(
        [NaiveBayes(), Baseline()], make(table.features), table.y, cv=KFold(3), measure="error_rate"
    )
    assert set(verdict.winners) <= {"NaiveBayes", "Baseline"}


def test_frame_with_roles_needs_nothing_else():
    verdict = compare([NaiveBayes(), NaiveBayes(density="kernel"), Baseline()], datasets.iris())
    assert verdict.scores.names == ("NaiveBayes", "NaiveBayes 2", "Baseline")
    assert verdict.scores.values.shape == (3, 30)
    assert verdict.standings[-1].name == "Baseline"
    assert verdict.standings[-1].status == "worse"
    again = compare([NaiveBayes(), NaiveBayes(density="kernel"), Baseline()], datasets.iris())
    np.testing.assert_array_equal(verdict.scores.values, again.scores.values)


def test_failing_learner_is_shown_and_not_ranked():
    verdict = compare({"nb": NaiveBayes(), "broken": Broken()}, datasets.iris(), cv=FOLDS)
    last = verdict.standings[-1]
    assert (last.name, last.status, last.note) == ("broken", "incomplete", "ValueError: no luck today")
    assert np.isfinite(verdict.scores.values[1]).sum() == 1
    assert "broken did not finish and is not ranked." in verdict.sentence
    assert verdict.winners == ("nb",)


def test_class_that_a_fold_never_saw_has_probability_zero():
    X = np.arange(12.0)[:, None]
    y = np.array(["a", "b"] * 5 + ["c", "c"])
    verdict = compare([NaiveBayes(), Baseline()], X, y, cv=KFold(6))
    assert np.isfinite(verdict.scores.values).all()
    assert verdict.scores.values[:, -1].min() > 30  # the class of the last fold was ruled out


def test_regression_in_units_of_the_target():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = 100 * X[:, 0] + np.random.default_rng(1).normal(size=60)
    verdict = compare([LinearRegression(), Baseline(strategy="mean")], X, y, cv=KFold(5))
    assert verdict.scores.measure == "rmse"
    assert verdict.equivalence == pytest.approx(0.01 * y.std())
    assert verdict.winners == ("LinearRegression",)
    assert verdict.corrected.estimate == pytest.approx(verdict.standings[0].mean.estimate, rel=0.2)


def test_measures_by_what_all_learners_give():
    iris = datasets.iris()
    X, y = iris.features.matrix, iris.y
    verdict = compare([NaiveBayes(), LinearSVC()], X, y, cv=FOLDS)
    assert verdict.scores.measure == "error_rate"
    with pytest.raises(TypeError, match="log_loss needs probabilities, which 'LinearSVC' does not give"):
        compare([NaiveBayes(), LinearSVC()], X, y, cv=FOLDS, measure="log_loss")


def test_measures_with_options():
    from sklearn.metrics import f1_score

    iris = datasets.iris()
    X, y = iris.features.matrix, iris.y
    options = {"average": "macro"}
    verdict = compare([NaiveBayes()], X, y, cv=FOLDS, measure="f_measure", measure_options=options)
    expected = [
        f1_score(y[test], NaiveBayes().fit(X[train], y[train]).predict(X[test]), average="macro")
        for train, test in FOLDS.split(X, y)
    ]
    np.testing.assert_allclose(verdict.scores.values[0], expected)
    assert verdict.corrected.estimate == pytest.approx(np.mean(expected), abs=0.02)


@pytest.mark.parametrize("name", ["precision", "recall", "f_measure", "specificity"])
@pytest.mark.parametrize("asked", [None, "rest", "versicolor"])
def test_measures_of_one_class_when_classes_are_words(name, asked):
    """Of two words it is about the one that sorts last, as of all functions, unless another is asked for."""
    iris = datasets.iris(positive="versicolor")
    X, y, label = iris.features.matrix, iris.y, asked or "versicolor"
    options = None if asked is None else {"positive": asked}
    verdict = compare([NaiveBayes()], X, y, cv=FOLDS, measure=name, measure_options=options)
    pairs = [
        (y[test], NaiveBayes().fit(X[train], y[train]).predict(X[test])) for train, test in FOLDS.split(X, y)
    ]
    expected = [measure_by_name(name)(truth == label, answers == label) for truth, answers in pairs]
    assert verdict.scores.values[0].tolist() == expected
    assert verdict.corrected.estimate == pytest.approx(np.mean(expected), abs=0.03)
    assert verdict.scores.positive == label


def test_area_under_the_curve_of_two_classes():
    iris = datasets.iris(positive="versicolor")
    verdict = compare([NaiveBayes(), Baseline()], iris, cv=FOLDS, measure="auc")
    assert verdict.winners == ("NaiveBayes",)
    assert verdict.standings[1].mean.estimate == pytest.approx(0.5)


def test_weights_reach_fit_and_measure():
    iris = datasets.iris()
    w = np.where(np.asarray(iris.y) == "setosa", 0.0, 1.0)
    weighted = compare([NaiveBayes()], iris, cv=FOLDS, sample_weight=w, measure="error_rate")
    without = compare([NaiveBayes()], iris, cv=FOLDS, measure="error_rate")
    # Errors are among the 100 other rows only, so that weighting the rest away multiplies the rate by 1.5.
    assert weighted.scores.values.mean() == pytest.approx(1.5 * without.scores.values.mean(), rel=0.2)


def test_refusals():
    iris = datasets.iris()
    with pytest.raises(ValueError, match="at least one learner"):
        compare([], iris)
    with pytest.raises(TypeError, match="'Encoder' is neither a classifier nor a regressor"):
        compare([Encoder()], iris)
    with pytest.raises(TypeError, match="classifiers or regressors, not both"):
        compare([NaiveBayes(), Baseline(strategy="mean")], iris)
    with pytest.raises(ValueError, match="compare: the target is needed: give y"):
        compare([NaiveBayes()], iris.features)
    with pytest.raises(ValueError, match="one value for each of the 150 rows"):
        compare([NaiveBayes()], iris.features, [0, 1])


def test_progress_bar_on_request(capsys):
    compare([NaiveBayes()], datasets.iris(), cv=FOLDS, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "NaiveBayes" in err


def test_runs_are_compared_by_their_scores(tmp_path):
    iris = datasets.iris()
    for name, learners in (("a", [NaiveBayes()]), ("b", [NaiveBayes(density="kernel"), Baseline()])):
        (tmp_path / name).mkdir()
        write_scores(compare(learners, iris, cv=FOLDS).scores, tmp_path / name / "scores.csv")
    verdict = compare_runs(tmp_path / "a", tmp_path / "b")
    direct = compare([NaiveBayes(), NaiveBayes(density="kernel"), Baseline()], iris, cv=FOLDS)
    assert {s.name for s in verdict.standings} == {"a/NaiveBayes", "b/NaiveBayes", "b/Baseline"}
    assert [s.adjusted_p for s in verdict.standings] == [s.adjusted_p for s in direct.standings]
    back = read_scores(tmp_path / "b")
    np.testing.assert_array_equal(back.values, direct.scores.values[1:])
    (tmp_path / "c").mkdir()
    write_scores(compare([NaiveBayes()], iris, cv=KFold(3)).scores, tmp_path / "c" / "scores.csv")
    with pytest.raises(
        ValueError, match="do not match: 5 folds of 150 rows and 3 folds of 150 rows; run both"
    ):
        compare_runs(tmp_path / "a", tmp_path / "c")


def prediction_file(path, learner, table, *, folds=True, shares=True):
    X, y = table.features, np.asarray(table.y)
    out = {"row": np.arange(len(y)), "truth": y, "prediction": np.empty(len(y), dtype=object)}
    fold = np.zeros(len(y), dtype=int)
    classes = np.unique(y)
    table_of = np.zeros((len(y), len(classes)))
    for k, (train, test) in enumerate(FOLDS.split(X, y)):
        model = learner.fit(X[train], y[train])
        out["prediction"][test], table_of[test], fold[test] = (
            model.predict(X[test]),
            model.predict_proba(X[test]),
            k,
        )
    if folds:
        out["fold"] = fold
    if shares:
        out |= {f"p({c})": table_of[:, j] for j, c in enumerate(classes)}
    pd.DataFrame(out).sample(frac=1, random_state=0).to_csv(path, index=False)
    return path


def test_prediction_files_with_folds_equal_the_learners_themselves(tmp_path):
    iris = datasets.iris()
    one = prediction_file(tmp_path / "nb.csv", NaiveBayes(), iris)
    two = prediction_file(tmp_path / "base.csv", Baseline(), iris)
    verdict = compare_predictions(one, two)
    direct = compare({"nb": NaiveBayes(), "base": Baseline()}, iris, cv=FOLDS)
    np.testing.assert_allclose(verdict.scores.values, direct.scores.values, rtol=1e-9)
    assert verdict.standings[1].p == pytest.approx(direct.standings[1].p, rel=1e-6)


def test_prediction_files_without_folds_are_compared_row_by_row(tmp_path):
    iris = datasets.iris()
    one = prediction_file(tmp_path / "nb.csv", NaiveBayes(), iris, folds=False, shares=False)
    two = prediction_file(tmp_path / "base.csv", Baseline(), iris, folds=False, shares=False)
    verdict = compare_predictions(one, two, names=["bayes", "baseline"])
    assert verdict.best == "bayes"
    assert verdict.scores.values.shape == (2, 150)
    truth, predicted = pl.read_csv(one)["truth"], pl.read_csv(one)["prediction"]
    assert verdict.standings[0].mean.estimate == pytest.approx((truth != predicted).mean())
    with pytest.raises(ValueError, match="is not a mean over rows"):
        compare_predictions(one, two, measure="kappa")
    with pytest.raises(ValueError, match="log_loss needs probabilities"):
        compare_predictions(one, two, measure="log_loss")


CLASSES = [
    ("1", "2", "x"),
    ("007", "008", "009"),
    ("1e3", "1e4", "2e4"),
    ("true", "false", "-"),
    ('say "hi"', "a,b", "c\nd"),
    ("1", "2", "9" * 25),
    (1, 2, 3),
]


@pytest.mark.parametrize("classes", CLASSES, ids=str)
def test_classes_of_prediction_files_whatever_they_look_like(classes, tmp_path):
    """Neither model ever predicts the last class, so that predictions may look like numbers."""
    paths, errors, losses = [tmp_path / "a.csv", tmp_path / "b.csv"], [], []
    truth = np.arange(60) % 3
    for path, step in zip(paths, (10, 3), strict=True):
        predicted = np.where((truth == 2) | (np.arange(60) % step == 0), 1, truth)
        columns = {"row": np.arange(60)}
        columns |= {"truth": [classes[i] for i in truth], "prediction": [classes[i] for i in predicted]}
        columns |= {f"p({label})": np.where(predicted == i, 0.8, 0.1) for i, label in enumerate(classes)}
        pl.DataFrame(columns).write_csv(path)
        errors.append(np.mean(predicted != truth))
        losses.append(-np.log(np.where(predicted == truth, 0.8, 0.1)).mean())
    for measure, expected in (("log_loss", losses), ("error_rate", errors)):
        verdict = compare_predictions(*paths, measure=measure)
        assert verdict.scores.values.mean(axis=1) == pytest.approx(expected)


def test_prediction_files_of_other_rows_are_refused(tmp_path):
    iris = datasets.iris()
    one = prediction_file(tmp_path / "a.csv", NaiveBayes(), iris)
    table = pl.read_csv(one)
    table[:-1].write_csv(tmp_path / "short.csv")
    with pytest.raises(ValueError, match="do not hold the same rows: 150 and 149 lines"):
        compare_predictions(one, tmp_path / "short.csv")
    table.with_columns(truth=pl.lit("setosa")).write_csv(tmp_path / "other.csv")
    with pytest.raises(ValueError, match="differ in 'truth' at row 50"):
        compare_predictions(one, tmp_path / "other.csv")
    table.drop("prediction").write_csv(tmp_path / "lacking.csv")
    with pytest.raises(ValueError, match="lacks the column 'prediction'"):
        compare_predictions(one, tmp_path / "lacking.csv")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        compare_predictions(one, tmp_path / "nowhere.csv")


def test_groups_stay_together():
    from hornbook.evaluation import GroupKFold

    table = pd.DataFrame({"x": np.arange(40.0), "y": np.arange(40) % 2, "who": np.arange(40) // 4})
    verdict = compare([NaiveBayes()], Frame(table, target="y", group="who"), cv=GroupKFold(5))
    assert verdict.scores.n_test.tolist() == [8] * 5


def test_a_number_of_folds_is_the_usual_splitter_with_so_many():
    learners = [NaiveBayes(), Baseline()]
    verdict = compare(learners, datasets.iris(), cv=3)
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0)
    assert np.array_equal(verdict.scores.values, compare(learners, datasets.iris(), cv=folds).scores.values)
    assert verdict.scores.values.shape == (2, 9)


@pytest.mark.parametrize(
    ("cv", "error"), [(True, TypeError), ("five", TypeError), (2.5, TypeError), (1, ValueError)]
)
def test_what_is_no_number_of_folds_is_refused(cv, error):
    with pytest.raises(error, match="cv|n_splits"):
        compare([NaiveBayes(), Baseline()], datasets.iris(), cv=cv)


def test_errors_in_the_unit_of_the_target_have_a_region_in_it(tmp_path):
    draws = np.random.default_rng(0)
    truth = 1000 * draws.normal(size=40)
    for name in ("a", "b"):
        lines = {"row": range(40), "truth": truth, "prediction": truth + draws.normal(size=40)}
        pl.DataFrame(lines | {"fold": np.arange(40) % 4}).write_csv(tmp_path / f"{name}.csv")
        pl.DataFrame(lines).write_csv(tmp_path / f"{name} without folds.csv")
    for measure, expected in (("rmse", np.std(truth) / 100), ("mae", np.std(truth) / 100), ("mse", 0.01)):
        verdict = compare_predictions(tmp_path / "a.csv", tmp_path / "b.csv", measure=measure)
        assert verdict.equivalence == pytest.approx(expected)
    rows = [tmp_path / f"{name} without folds.csv" for name in ("a", "b")]
    verdict = compare_predictions(*rows, measure="rmse")
    assert (verdict.scores.measure, verdict.equivalence) == ("mse", 0.01)
    assert compare_predictions(*rows, measure="mae").equivalence == pytest.approx(np.std(truth) / 100)
