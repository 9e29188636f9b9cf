"""A file of a model that never saw one of its classes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import LinearDiscriminant
from hornbook.persist import ModelFileError, save


@pytest.mark.parametrize("absent", [["z"], ["a", "a"], ["a", "b", "c"], []])
def test_absent_classes_that_are_no_classes_are_refused(absent, tmp_path):
    X, y = np.arange(12.0).reshape(6, 2) % 5, np.array(list("aabbcc"))
    model = LinearDiscriminant().fit(X, y, (y != "c").astype(float))
    save(model, tmp_path / "whole.hornbook")
    model.absent_classes_ = np.array(absent, dtype=model.classes_.dtype)
    with pytest.raises(ModelFileError, match="classes that it never saw are not among its classes"):
        save(model, tmp_path / "model.hornbook")
