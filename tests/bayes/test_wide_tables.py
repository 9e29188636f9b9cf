"""Tables with far more columns than rows: a quick result or a quick error."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from hornbook import AODE, SPODE, TAN, BayesClassifier, BayesianNetwork, NaiveBayes

Y = np.arange(24) % 3


def wide(columns=2000):
    return np.random.default_rng(0).normal(size=(24, columns))


@pytest.mark.parametrize("learner", [AODE, SPODE, TAN, BayesianNetwork])
def test_pairs_of_two_thousand_columns_are_refused_before_they_are_counted(learner):
    start = time.process_time()
    # Where less memory is free than the table takes, that error comes first.
    with pytest.raises((ValueError, MemoryError), match=r"(300000000 cells|needs .* GiB).* NaiveBayes"):
        learner().fit(wide(), Y)
    assert time.process_time() - start < 10
    fewer = learner().fit(wide(100), Y)
    assert np.isfinite(fewer.predict_proba(wide(100))).all()


def test_many_rows_may_fill_a_large_table():
    codes = np.random.default_rng(0).integers(0, 400, (2000, 12))
    table = pd.DataFrame(codes).astype(str).add_prefix("c")
    assert SPODE(super_parent="c0").fit(table, np.arange(2000) % 3).predict(table[:2]).shape == (2,)


@pytest.mark.filterwarnings("ignore:the covariance matrix")
def test_covariances_of_two_thousand_columns_are_refused_before_they_are_summed():
    start = time.process_time()
    with pytest.raises(
        ValueError, match="a covariance matrix of 2000 columns for each of 3 classes, which 24 rows"
    ):
        BayesClassifier().fit(wide(), Y)
    assert time.process_time() - start < 10
    model = BayesClassifier().fit(wide(60) + Y[:, None], Y)
    assert model.score(wide(60) + Y[:, None], Y) == 1.0


def test_naive_bayes_takes_them():
    model = NaiveBayes().fit(wide() + 0.3 * Y[:, None], Y)
    assert model.score(wide() + 0.3 * Y[:, None], Y) == 1.0


@pytest.mark.parametrize("kind", ["conditional", "per_class"])
def test_information_of_many_pairs_is_that_of_each(kind):
    draw = np.random.default_rng(3)
    table = pd.DataFrame({f"c{j}": draw.choice(list("abcd"), 24) for j in range(300)})
    information = TAN(information=kind).fit(table, Y).mutual_information_
    for i, j in [(0, 1), (7, 290), (299, 4)]:
        total = 0.0
        for c in range(3):
            counts = pd.crosstab(table[f"c{i}"][c == Y], table[f"c{j}"][c == Y]).to_numpy()
            p = counts / counts.sum()
            apart = np.outer(p.sum(axis=1), p.sum(axis=0))
            nats = (p[p > 0] * np.log(p[p > 0] / apart[p > 0])).sum()
            total += nats * (1.0 if kind == "per_class" else 1 / 3)
        assert information[i, j] == information[j, i] == pytest.approx(total, rel=1e-10)
