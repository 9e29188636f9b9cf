"""Why a model predicts what it predicts: effects, the small tree, single rows, and the words."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from tests.studies.page_reader import read_page
from tests.studies.tables import trend

import hornbook
from hornbook.evaluation import LearningCurve, holm
from hornbook.studies.explain._importance import Worsened, p_values
from hornbook.studies.report._figures import figures_of
from hornbook.studies.run._explain_model import direction_of
from hornbook.studies.run._row_answers import more_rows

QUICK = {"cv": 4, "repeats": 1, "jobs": 1, "tune": "off"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("explained") / "study"


@pytest.fixture(scope="module")
def numbers(folder):
    return hornbook.study(trend(120), learners=["LinearRegression"], out=folder, **QUICK)


@pytest.fixture(scope="module")
def classes():
    table = trend(120)
    table["y"] = np.where(table["y"] > 0, "high", "low").astype(object)
    return hornbook.study(table, learners=["RandomForestClassifier"], metric="error_rate", **QUICK)


def test_effects_have_the_direction_of_the_weights(numbers):
    effect = numbers.explanation.effects[0]
    assert (effect.column, effect.meaning) == ("x", "prediction")
    slope = np.polyfit(effect.values, effect.means, 1)[0]
    assert slope == pytest.approx(numbers.model.coef_[0])
    assert effect.words == f"the prediction rises from {effect.means[0]:.3g} to {effect.means[-1]:.3g}"


def test_effects_on_classes_are_probabilities_of_the_positive_one(classes):
    effects = {effect.column: effect for effect in classes.explanation.effects}
    assert {effect.meaning for effect in effects.values()} == {f"probability of {classes.settings.positive}"}
    assert all(0 <= mean <= 1 for effect in effects.values() for mean in effect.means)
    direction = "rises" if classes.settings.positive == "high" else "falls"
    assert f"the probability of {classes.settings.positive} {direction} from " in effects["x"].words


def test_the_small_tree_imitates_the_model(numbers, classes):
    for study, least in ((numbers, 0.7), (classes, 0.6)):
        surrogate = study.explanation.surrogate
        assert least < surrogate.fidelity <= 1
        assert 2 <= len(surrogate.rules) <= 8
        assert surrogate.n_rows == -(-study.n_rows // 3)
    assert all(rule.startswith(("x ", "z ")) for rule, _ in numbers.explanation.surrogate.rules)
    assert {then for _, then in classes.explanation.surrogate.rules} <= {"high", "low"}


def test_hard_rows_are_those_with_the_largest_losses(numbers):
    answers = numbers.predictions.answers["LinearRegression"][0]
    losses = np.abs(answers - numbers.predictions.truth)
    rows = numbers.explanation.rows
    assert [row.kind for row in rows] == ["easiest", "typical", *["hardest"] * 5]
    assert rows[0].row == np.argmin(losses)
    assert [row.row for row in rows[2:]] == np.argsort(losses)[::-1][:5].tolist()
    assert [row.loss for row in rows] == pytest.approx(losses[[row.row for row in rows]])
    assert [bool(row.working) for row in rows] == [True] * 3 + [False] * 4
    features = hornbook.Frame(trend(120)).select(["x", "z"])
    assert str(numbers.model.working(features[rows[0].row : rows[0].row + 1])) == rows[0].working


def test_losses_of_classes_are_logarithms_of_probabilities(classes):
    answers, truth = classes.predictions.answers["RandomForestClassifier"][0], classes.predictions.truth
    for row in classes.explanation.rows:
        place = list(classes.classes).index(truth[row.row])
        assert row.loss == pytest.approx(-np.log(max(answers[row.row, place], 1e-15)))
        assert row.truth == truth[row.row]
    assert "Contributions" in classes.explanation.rows[0].working


def test_report_and_results_have_all_of_it(numbers, folder):
    text = read_page((folder / "report.html").read_text()).text
    effect, surrogate = numbers.explanation.effects[0], numbers.explanation.surrogate
    headings = ["As a small tree", "Single rows"]
    for part in (effect.words, numbers.explanation.more_rows, surrogate.rules[0][0], *headings):
        assert part in text
    kept = json.loads((folder / "results.json").read_text())["explanation"]
    assert kept == numbers.explanation.to_dict()
    assert kept["surrogate"]["fidelity"] == surrogate.fidelity
    assert (folder / "plots" / "effects.svg").exists()


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ([1.0, 2.0, 3.0], "the prediction rises from 1 to 3"),
        ([3.0, 2.0, 1.0], "the prediction falls from 3 to 1"),
        ([3.0, 1.0, 2.5], "the prediction falls from 3 to 1 at 2, then rises to 2.5"),
        ([1.0, 1.0, 1.0], "the prediction hardly changes on average"),
    ],
)
def test_directions_in_words(means, words):
    assert direction_of([1.0, 2.0, 3.0], means, "prediction", numeric=True) == words


def test_what_more_rows_would_bring():
    def curve(test, greater=False):
        return LearningCurve(np.array([50, 100]), np.array(test), np.array(test), "log_loss", greater)

    helps = more_rows(curve([[0.5, 0.52, 0.48], [0.4, 0.41, 0.39]]))
    assert helps.startswith("From 50 to 100 training rows, log_loss improved by 0.1 (standard error 0.0058)")
    assert helps.endswith("expect about 0.05 more from twice as many rows.")
    flat = more_rows(curve([[0.4, 0.5, 0.3], [0.5, 0.4, 0.3]]))
    assert flat.startswith("More rows would hardly help: from 50 to 100 training rows, log_loss changed by ")
    worse = more_rows(curve([[0.4, 0.4, 0.4], [0.5, 0.5, 0.5]]))
    assert worse.endswith("log_loss changed by 0.1 (standard error 0), which is not a clear gain.")
    assert more_rows(None) == ""


def changes_of(changes, weights=None):
    """What a fold says of columns whose rows' losses change like this when they are shuffled."""
    w = np.ones(len(changes)) if weights is None else weights
    sums = w @ changes
    squares = ((w[:, None] * (changes - sums / w.sum())) ** 2).sum(axis=0)
    return Worsened(changes.mean(axis=0)[None], sums, squares, float(w.sum()), len(changes))


def test_importance_is_tested_on_the_losses_of_rows():
    changes = np.random.default_rng(0).normal([0.0, 0.2, -0.5], 1.0, (300, 3))
    p = p_values([changes_of(part) for part in np.split(changes, 3)])
    plain = ttest_1samp(changes, 0.0, alternative="greater").pvalue
    # Folds have means of their own, which costs two degrees of freedom.
    np.testing.assert_allclose(p, holm(plain)[0], rtol=0.2, atol=0.02)
    assert p[1] < 0.05 < p[0]
    assert p_values([changes_of(np.zeros((5, 2)))]).tolist() == [1.0, 1.0]


def test_columns_that_do_not_matter_are_seldom_called_important():
    random = np.random.default_rng(1)
    wrong = [
        (p_values([changes_of(random.standard_exponential((60, 20)) - 1) for _ in range(3)]) <= 0.05).any()
        for _ in range(400)
    ]
    assert np.mean(wrong) <= 0.05


def test_a_study_tests_its_columns_and_shows_single_rows():
    table = trend(200, w=np.random.default_rng(3).normal(size=200))
    study = hornbook.study(table, learners=["LinearRegression"], cv=5, repeats=1, tune="off", jobs=1)
    p = {column.column: column.p for column in study.importance}
    assert p["x"] < 0.001
    assert min(p["z"], p["w"]) > 0.05
    effect = next(effect for effect in study.explanation.effects if effect.column == "x")
    curves, means = np.array(effect.individual), np.array(effect.means)
    assert curves.shape == (20, len(effect.values))
    # Of a linear model all curves are parallel.
    np.testing.assert_allclose(curves - curves[:, :1], np.tile(means - means[0], (20, 1)), atol=1e-9)
    caption = next(figure for figure in figures_of(study) if figure.name == "importance").caption
    assert "One column is shown to matter" in caption
    assert "adjusted for all 3 columns" in caption
