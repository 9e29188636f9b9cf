"""Votes of a forest that are spread evenly over the classes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import ExtraTreesClassifier, RandomForestClassifier, TotallyRandomTreesClassifier, datasets


@pytest.mark.parametrize("vote", ["soft", "hard"])
@pytest.mark.parametrize("kind", [ExtraTreesClassifier, RandomForestClassifier, TotallyRandomTreesClassifier])
def test_shares_are_those_of_the_formula(kind, vote):
    iris = datasets.iris()
    options = {"n_estimators": 20, "vote": vote, "random_state": 0}
    shares = kind(**options).fit(iris).predict_proba(iris.features)
    smooth = kind(vote_smoothing=1.5, **options).fit(iris)
    # (t_c + m / K) / (t + m)
    np.testing.assert_allclose(smooth.predict_proba(iris.features), (20 * shares + 0.5) / 21.5, rtol=1e-12)
    row = iris.features[70:71]
    totals = np.sum([term.values for term in smooth.working(row).terms], axis=0)
    np.testing.assert_allclose(totals / totals.sum(), smooth.predict_proba(row)[0], rtol=1e-12)
    plain = kind(**options).fit(iris)
    assert smooth.predict(iris.features).tolist() == plain.predict(iris.features).tolist()
    assert smooth.margins(iris).tolist() == plain.margins(iris).tolist()
