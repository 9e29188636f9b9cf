"""Files written by earlier versions: they load, pass their probes and predict what they predicted then."""

from __future__ import annotations

import numpy as np
import pytest
from tests.persist.old_files import FOLDER, answers_of, recorded

import hornbook
from hornbook.persist import inspect_file
from hornbook.registry import LEARNERS

ANSWERS = recorded()


def test_every_file_has_its_answers_and_every_learner_a_file():
    assert {path.stem for path in FOLDER.glob("*.hornbook")} == set(ANSWERS)
    classes = {inspect_file(path).learner for path in FOLDER.glob("*.hornbook")}
    assert classes == set(LEARNERS), "see tests/persist/old_files.py"


@pytest.mark.parametrize("name", ANSWERS)
def test_an_old_file_predicts_as_it_did(name):
    model = hornbook.load(FOLDER / f"{name}.hornbook")
    assert type(model).__name__ == name.partition("-")[0]
    answers = answers_of(model, name)
    assert answers.keys() == ANSWERS[name].keys()
    for method, recorded_answer in ANSWERS[name].items():
        answer, expected = np.array(answers[method]), np.array(recorded_answer)
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(answer, expected, rtol=1e-9, atol=1e-12, err_msg=method)
        else:
            np.testing.assert_array_equal(answer, expected, err_msg=method)


@pytest.mark.parametrize("name", ["KNeighborsClassifier-sparse", "RandomForestRegressor", "TAN"])
def test_an_old_model_can_be_saved_again(name, tmp_path):
    model = hornbook.load(FOLDER / f"{name}.hornbook")
    hornbook.save(model, tmp_path / "again.hornbook")
    assert answers_of(hornbook.load(tmp_path / "again.hornbook"), name) == answers_of(model, name)


def test_the_files_are_small():
    sizes = [path.stat().st_size for path in FOLDER.glob("*.hornbook")]
    assert sum(sizes) < 1_500_000  # with some 10 kB for each learner
    assert max(sizes) < 60_000
