"""A file of a model that never saw one of its classes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from hornbook import DecisionTreeClassifier, LinearDiscriminant, load
from hornbook.persist import ModelFileError, save

LEARNERS = [LinearDiscriminant(), DecisionTreeClassifier(leaf_smoothing=2.0)]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
@pytest.mark.parametrize("absent", [["z"], ["a", "a"], ["a", "b", "c"], []])
def test_absent_classes_that_are_no_classes_are_refused(learner, absent, tmp_path):
    X, y = np.arange(12.0).reshape(6, 2) % 5, np.array(list("aabbcc"))
    model = clone(learner).fit(X, y, (y != "c").astype(float))
    save(model, tmp_path / "whole.hornbook")
    assert not load(tmp_path / "whole.hornbook").predict_proba(X)[:, 2].any()
    model.absent_classes_ = np.array(absent, dtype=model.classes_.dtype)
    with pytest.raises(ModelFileError, match="classes that it never saw are not among its classes"):
        save(model, tmp_path / "model.hornbook")
