"""What a study promises of its best learner, when settings and learner were chosen on the same rows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.studies.estimators import Guessing
from tests.studies.test_tuning import shared_of

import hornbook
from hornbook.evaluation import OutOfFold, Scores, Verdict
from hornbook.params import Tune
from hornbook.studies.prepare._default_settings import Sensible
from hornbook.studies.prepare._folds import dealt
from hornbook.studies.run._recipe import Recipe

N_ROWS, FOLDS, LEARNERS, STUDIES = 80, 5, 6, 60
SEARCH = Sensible(ranges={"coin": Tune(1, 10**6)}, n_settings=8)


def study_of_coins(seed):
    """Error rates, fold by fold, of learners that know nothing, each with settings chosen in each fold."""
    truth = np.random.default_rng([7, seed]).integers(0, 2, N_ROWS)
    truth[:2] = 0, 1
    table = hornbook.Frame({"row": np.arange(N_ROWS * 1.0), "y": [f"c{k}" for k in truth]}, target="y")
    shared = shared_of(table)
    folds = dealt(shared.y, 2, None, cv=FOLDS, repeats=1, seed=seed)[0]
    values, answers = np.empty((LEARNERS, FOLDS)), {}
    for i in range(LEARNERS):
        recipe, predicted = Recipe(Guessing(family=i), SEARCH, "error_rate", seed), np.empty(N_ROWS, np.intp)
        for fold in range(FOLDS):
            test = np.flatnonzero(folds == fold)
            model = recipe.fit(shared, np.flatnonzero(folds != fold)).model
            predicted[test] = [int(label[1]) for label in model.predict(table.features[test])]
            values[i, fold] = np.mean(predicted[test] != shared.y[test])
        answers[f"learner {i}"] = [predicted]
    tested = np.bincount(folds)
    kept = OutOfFold(shared.y, answers)
    return Scores("error_rate", False, list(answers), values, N_ROWS - tested, tested, out_of_fold=kept)


@pytest.mark.slow
def test_the_expected_score_pays_for_the_choice_of_settings_and_of_the_learner():
    """Nobody can do better than 1/2: nested folds pay for the settings, the bootstrap for the learner.

    This is the worst case: predictions are not learned, so that a setting that is lucky in all rows wins in
    all folds, and the bootstrap does not see the settings that it has beaten.
    """
    verdicts = [Verdict.of(study_of_coins(seed)) for seed in range(STUDIES)]
    means = np.array([verdict.scores.values.mean() for verdict in verdicts])
    assert abs(means.mean() - 0.5) < 3 * means.std(ddof=1) / np.sqrt(STUDIES)
    best = np.array([verdict.standings[0].mean.estimate for verdict in verdicts])
    corrected = np.array([verdict.corrected.estimate for verdict in verdicts])
    assert best.mean() < 0.45  # without the correction, the best of some looks good
    assert 0.5 - corrected.mean() < (0.5 - best.mean()) / 2
    covered = np.mean([verdict.corrected.low <= 0.5 <= verdict.corrected.high for verdict in verdicts])
    assert covered >= 0.95
