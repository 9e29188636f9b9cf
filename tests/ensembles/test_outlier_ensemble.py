"""OutlierEnsemble: planted outliers of several kinds, ranks, the share of outliers, and bad parameters."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import OutlierEnsemble
from hornbook.ensembles.outliers._reference import MOST_VALUES, ScoreDistribution
from hornbook.params import ParameterError


def table(n=160, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(n, 3))
    x[:, 1] = x[:, 0] + 0.2 * x[:, 1]
    return x


@pytest.mark.parametrize("row", [[0.0, 0.0, 6.0], [2.2, -2.2, 0.0]], ids=["one column", "two together"])
def test_every_method_ranks_a_planted_outlier_high(row):
    model = OutlierEnsemble(random_state=0, n_estimators=50, cv=2).fit(table())
    scores = model.method_scores(np.vstack([table(seed=1), row]))
    assert (scores[-1] >= np.quantile(scores[:-1], 0.85, axis=0)).all()
    assert model.predict([row]).tolist() == [-1]


def test_the_score_is_the_mean_share_of_rows_that_are_more_unusual():
    model = OutlierEnsemble(random_state=0, n_estimators=20, cv=2).fit(table())
    rows = table(5, seed=2)
    raw = model.method_scores(rows)
    shares = [
        np.array([1 - one.share_below(raw[i : i + 1, m])[0] for i in range(5)])
        for m, one in enumerate(model.references_)
    ]
    np.testing.assert_allclose(model.score_samples(rows), np.mean(shares, axis=0))


def test_rows_that_models_have_not_seen_decide_the_share():
    model = OutlierEnsemble(random_state=0, n_estimators=30, share=0.1).fit(table(200))
    new = (model.predict(table(400, seed=3)) == -1).mean()
    assert 0.04 < new < 0.18


def test_shares_of_a_distribution_count_equal_scores_half():
    one = ScoreDistribution.of(np.array([1.0, 2.0, 2.0, 5.0]), None)
    np.testing.assert_allclose(one.share_below(np.array([0.0, 1.0, 2.0, 3.0, 9.0])), [0, 0.125, 0.5, 0.75, 1])
    weighted = ScoreDistribution.of(np.array([1.0, 2.0, 5.0]), np.array([1.0, 2.0, 1.0]))
    np.testing.assert_array_equal(weighted.below, one.below)
    assert one.cut(0.25) == one.cut(0.5) == one.cut(0.0) == 1.5
    assert one.cut(0.8) == 3.5


def test_a_distribution_of_many_scores_is_thinned():
    scores = np.random.default_rng(0).normal(size=20_000)
    one = ScoreDistribution.of(scores, None)
    assert len(one.values) == MOST_VALUES
    at = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(one.share_below(at), [(scores < a).mean() for a in at], atol=1e-3)


@pytest.mark.parametrize("methods", [(), ("mixture", "mixture"), ("isolation",)])
def test_unknown_methods_are_refused(methods):
    with pytest.raises(ParameterError, match="'methods' must name one or more of mixture, one_class, forest"):
        OutlierEnsemble(methods=methods).fit(table(20))
