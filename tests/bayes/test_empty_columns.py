"""A categorical column without a single level, in all Bayes classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hornbook import AODE, SPODE, TAN, BayesClassifier, BayesianNetwork, NaiveBayes


@pytest.mark.parametrize("smoothing", ["laplace", "none"])
@pytest.mark.parametrize("learner", [NaiveBayes, BayesClassifier, AODE, SPODE, TAN, BayesianNetwork])
def test_a_column_without_levels_changes_nothing(learner, smoothing):
    X = pd.DataFrame({"a": list("xyxyxyxy"), "b": list("ppqqppqq")})
    y = [0, 0, 1, 1, 0, 1, 0, 1]
    empty = X.assign(e=pd.Categorical([None] * 8, categories=[]))
    model, alone = learner(smoothing=smoothing).fit(empty, y), learner(smoothing=smoothing).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(empty), alone.predict_proba(X), rtol=1e-12)
    assert model.working(empty.iloc[[0]]).prediction == model.predict(empty.iloc[[0]])[0]
    assert "2 classes" in str(model.describe())
    assert model.plot().figure is not None
