"""The process of the notes from data to a model in use, the scheme of modeling, and the kinds of tasks."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
import pandas as pd
import pytest

import hornbook
from hornbook import Baseline, Encoder, Frame, NaiveBayes, compare, datasets
from hornbook.evaluation import StratifiedKFold
from hornbook.registry import TASK_TYPES


@pytest.mark.filterwarnings("ignore:.*smallest test set")
def test_the_whole_process_from_dirty_data_to_a_model_in_use(tmp_path):
    table = datasets.iris().to_polars().to_pandas()
    table["number"] = np.arange(150)  # an ID, which is no feature
    table["unit"] = "cm"  # says nothing
    table.loc[[3, 77], "sepal_width"] = np.nan
    # Look: the profile finds what must be cleaned.
    findings = Frame(table, target="species").profile().findings
    assert {("id_like", ("number",)), ("constant", ("unit",))} <= {
        (finding.code, finding.columns) for finding in findings
    }
    # Prepare: leave out, fill in, scale.
    frame = Frame(table.drop(columns=["number", "unit"]), target="species")
    assert np.isfinite(Encoder(scale="standard").fit_transform(frame.features)).all()
    # Learn, compare, explain.
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    verdict = compare({"bayes": NaiveBayes(), "baseline": Baseline()}, frame, cv=folds)
    assert verdict.winners == ("bayes",)
    model = NaiveBayes().fit(frame)
    assert "Normal density of petal_length" in str(model.describe())
    # Deploy: the file gives the same answers.
    hornbook.save(model, tmp_path / "model.hornbook")
    again = hornbook.load(tmp_path / "model.hornbook")
    new = pd.DataFrame([[5.0, np.nan, 1.4, 0.2]], columns=list(model.feature_names_in_))
    assert again.predict(new).tolist() == model.predict(new).tolist() == ["setosa"]


def test_every_learner_names_model_class_objective_and_optimizer():
    for card in hornbook.learners():
        assert all(len(words) > 3 for words in (card.model_class, card.objective, card.optimizer)), card.name
    bayes = next(card for card in hornbook.learners() if card.name == "NaiveBayes")
    assert bayes.objective == "likelihood of the training rows"


def test_six_kinds_of_tasks_and_what_answers_them():
    assert len(TASK_TYPES) == 6
    for kind in TASK_TYPES:
        assert kind.question.endswith("?")
        for name in kind.answered_by:
            assert callable(attrgetter(name.removeprefix("hornbook."))(hornbook)), name


def test_notation():
    from hornbook.distances import pairwise
    from hornbook.evaluation import zero_one_loss
    from hornbook.losses import unit_step

    # The unit step is (sign(z) + 1) / 2 with sign(0) = 0; the indicator is 1 where its claim holds.
    assert unit_step(np.array([-2.0, 0.0, 2.0])).tolist() == [0.0, 0.5, 1.0]
    assert np.asarray(zero_one_loss(np.array(["a", "b"]), np.array(["a", "a"]))).tolist() == [0.0, 1.0]
    # A norm without an index is the Euclidean one.
    assert pairwise(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]])).tolist() == [[5.0]]
