"""Every learner that sums over rows learns the same on a cluster, to the last bit, whatever its size."""

from __future__ import annotations

from itertools import pairwise

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client
from sklearn.base import clone, is_regressor
from tests.cluster.conftest import started
from tests.contract.learners import mixed_table, name_of, same_answers, target_for
from tests.contract.test_pure_reduce import GROWN, SUMS, fitted, is_long, same

import hornbook as hb
from hornbook.cluster import blocks
from hornbook.registry import LEARNERS, learner_class

MINIBATCH = [
    hb.MLPClassifier((3,), max_iter=3, solver="adam", batch_size=100),
    hb.MLPRegressor((3,), max_iter=3, solver="sgd", batch_size=1000),
    hb.MLPRegressor((2,), max_iter=2, solver="kalman"),
    hb.KMeans(3, batch_size=3000),
]
ALL = [*SUMS, *GROWN, *MINIBATCH]
FEW = [
    hb.NaiveBayes(),
    hb.LogisticRegression(),
    hb.KMeans(3),
    hb.HistGradientBoostingClassifier(max_iter=2),
    MINIBATCH[0],
]
N = 9000
CUTS = (0, 7, 7, 4095, 4097, 8192, N)  # one partition is empty, chunks lie across several


def tables_for(learner):
    X, group = mixed_table(N)
    X["color"] = X["color"].astype(pd.CategoricalDtype(["dark", "green", "light"]))
    table = X.assign(target=target_for(learner, group), w=1.0 + np.arange(N) % 3)
    if not is_regressor(learner):
        table["target"] = pd.Categorical(table["target"])
    parts = [table.iloc[a:b] for a, b in pairwise(CUTS)]
    return X, table, dd.from_map(lambda i: parts[i], range(len(parts)), meta=table.iloc[:0])


def check(learner, client):
    X, table, collection = tables_for(learner)
    if "random_state" in learner.get_params():
        learner = clone(learner).set_params(random_state=0)
    here = clone(learner).fit(hb.Blocks(hb.Frame(table, target="target", weight="w")))
    there = clone(learner).fit(blocks(collection, target="target", weight="w", client=client))
    same(fitted(here), fitted(there), name_of(learner))
    same_answers(here, there, X.iloc[:1000])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", FEW, ids=name_of)
def test_some_learn_the_same_on_two_workers(learner, client):
    check(learner, client)


def test_no_learner_that_sums_over_rows_is_left_out():
    names = {name for name in LEARNERS if "_fit_blocks" in dir(learner_class(name))}
    assert names == {type(learner).__name__ for learner in ALL}


def first_of_each(learners):
    """One setting of each learner."""
    return list({type(learner): learner for learner in reversed(learners)}.values())


QUICK = [learner for learner in ALL if not is_long(learner)]
# All settings on three workers, where chunks are spread most; one of each learner on one and two.
CASES = [
    *((3, learner) for learner in QUICK),
    *((n, learner) for n in (1, 2) for learner in first_of_each(QUICK)),
]


@pytest.fixture(scope="module")
def workers(request):
    with started(request.param) as cluster, Client(cluster) as client:
        yield client


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("workers", "learner"),
    CASES,
    ids=lambda value: name_of(value) if hasattr(value, "fit") else f"{value}",
    indirect=["workers"],
)
def test_all_learn_the_same_on_one_to_three_workers(learner, workers):
    check(learner, workers)


def test_every_learner_is_tried_on_every_number_of_workers():
    for n in (1, 2, 3):
        missing = {type(one) for one in ALL} - {type(one) for count, one in CASES if count == n}
        assert {kind.__name__ for kind in missing} == set()
