"""Calibration of the recommended model: when it is done, and what it changes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import softmax
from tests.studies.tables import flowers, trend

import hornbook
from hornbook.evaluation import log_loss
from hornbook.studies.decide._calibration import calibration_gain

N_ROWS, FOLDS, CLASSES, ALPHA = 600, 5, 3, 0.05


def predictions(seed, factor):
    """Classes drawn from probabilities, and log odds that are too sure by a factor."""
    random = np.random.default_rng([17, seed])
    logits = random.normal(size=(N_ROWS, CLASSES))
    y = np.array([random.choice(CLASSES, p=row) for row in softmax(logits, axis=1)])
    return y, np.arange(N_ROWS) % FOLDS, softmax(factor * logits, axis=1)


def gain_of(seed, factor, **more):
    y, folds, probabilities = predictions(seed, factor)
    return calibration_gain(y, [(folds, probabilities)], None, alpha=ALPHA, **more)


@pytest.mark.parametrize(("factor", "words"), [(2.5, "too sure"), (0.4, "not sure enough")])
def test_probabilities_that_are_off_get_their_temperature(factor, words):
    gain = gain_of(0, factor)
    assert gain.used
    assert gain.temperature == pytest.approx(factor, rel=0.25)
    assert gain.after < gain.before - 0.001
    assert words in gain.sentence
    y, folds, probabilities = predictions(0, factor)
    by_fold = [
        log_loss(y[folds == k], probabilities[folds == k], labels=range(CLASSES)) for k in range(FOLDS)
    ]
    assert gain.before == pytest.approx(np.mean(by_fold))


def test_good_probabilities_are_left_alone():
    gains = [gain_of(seed, 1.0) for seed in range(60)]
    assert np.mean([gain.used for gain in gains]) <= ALPHA
    assert all("not calibrated" in gain.sentence for gain in gains if not gain.used)
    assert np.median([gain.temperature for gain in gains]) == pytest.approx(1.0, abs=0.1)


def test_weights_count_as_repeated_rows():
    y, folds, probabilities = predictions(3, 2.0)
    w = np.random.default_rng(0).integers(1, 4, N_ROWS)
    weighted = calibration_gain(y, [(folds, probabilities)], w.astype(float), alpha=ALPHA)
    rows = np.repeat(np.arange(N_ROWS), w)
    repeated = calibration_gain(y[rows], [(folds[rows], probabilities[rows])], None, alpha=ALPHA)
    assert weighted.temperature == repeated.temperature
    assert [weighted.before, weighted.after] == pytest.approx([repeated.before, repeated.after])


def test_missing_folds_and_time():
    y, folds, probabilities = predictions(4, 2.5)
    holes = np.where((folds == 2)[:, None], np.nan, probabilities)
    kept = folds != 2
    whole = calibration_gain(y[kept], [(folds[kept], probabilities[kept])], None, alpha=ALPHA)
    assert calibration_gain(y, [(folds, holes)], None, alpha=ALPHA) == whole
    # Forward in time the first fold has none before it, from which a temperature could be learned.
    later = calibration_gain(y, [(folds, probabilities)], None, alpha=ALPHA, forward=True)
    assert later.used
    assert later.before == pytest.approx(
        np.mean(
            [
                log_loss(y[folds == k], probabilities[folds == k], labels=range(CLASSES))
                for k in range(1, FOLDS)
            ]
        )
    )
    assert calibration_gain(y[:40], [(folds[:40], probabilities[:40])], None, alpha=ALPHA) is None


@pytest.fixture(scope="module")
def copies():
    """Three copies of one column, which Naive Bayes takes for three facts."""
    random = np.random.default_rng(0)
    x = random.normal(size=400)
    y = np.where(x + 0.5 * random.normal(size=400) > 0, "yes", "no")
    return hornbook.Frame({**{f"x{j}": x + 1e-6 * j * x**2 for j in range(3)}, "y": y}, target="y")


def test_a_model_that_is_too_sure_is_calibrated_and_says_so(copies, tmp_path):
    options = {"learners": ["NaiveBayes"], "cv": 5, "repeats": 1, "tune": "off", "jobs": 1}
    study = hornbook.study(copies, out=tmp_path / "study", **options)
    assert study.recommended == "NaiveBayes"
    assert study.calibration.used
    assert study.calibration.temperature > 1.5
    assert study.model_setting == {"temperature": study.calibration.temperature}
    assert any(note.startswith("calibration: The probabilities were too sure") for note in study.notes)
    model = hornbook.load(tmp_path / "study" / "model.hornbook")
    assert isinstance(model, hornbook.Calibrated)
    plain = hornbook.NaiveBayes().fit(copies.features, copies.y)
    assert model.predict(copies.features).tolist() == plain.predict(copies.features).tolist()
    powers = plain.predict_proba(copies.features) ** (1 / study.calibration.temperature)
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(copies.features), expected, atol=1e-4)
    kept = json.loads((tmp_path / "study" / "results.json").read_text())
    assert kept["calibration"] == study.calibration.to_dict()
    assert study.calibration.sentence in (tmp_path / "study" / "report.html").read_text()
    # In its own words, and each answer with the working of the learner inside.
    assert "Naive Bayes" in str(model.describe())
    assert any("P(class)" in row.working for row in study.explanation.rows if row.working)


def test_costs_and_numbers_have_no_calibration():
    options = {"cv": 4, "repeats": 1, "tune": "off", "jobs": 1}
    costly = hornbook.study(flowers(), learners=["NaiveBayes"], costs=["wild=5"], **options)
    assert (costly.recommended, costly.calibration) == ("NaiveBayes", None)
    numbers = hornbook.study(trend(), learners=["LinearRegression"], **options)
    assert (numbers.recommended, numbers.calibration) == ("LinearRegression", None)
