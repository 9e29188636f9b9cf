"""Rows of weight 0 are ignored, whatever their cells hold."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

from hornbook.registry import LEARNERS, learner_class

LINEAR = [name for name in LEARNERS if learner_class(name).__module__.startswith("hornbook.linear.")]


@pytest.mark.parametrize("name", LINEAR)
def test_missing_cells_in_a_row_of_weight_0_change_nothing(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    learner = learner_class(name)()
    y = np.exp(X[:, 0]) if is_regressor(learner) else (X[:, 0] + rng.normal(size=40) > 0).astype(int)
    more, target = np.vstack([[[np.nan, 1e9, np.nan]], X]), np.append(y[:1], y)
    whole = clone(learner).fit(X, y)
    part = learner.fit(more, target, np.append(0.0, np.ones(40)))
    np.testing.assert_allclose(
        part.predict(X).astype(float), whole.predict(X).astype(float), rtol=1e-9, atol=1e-12
    )
