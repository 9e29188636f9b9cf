"""Objects beside the rows: what boosting keeps on workers, who asks whom, and what happens when one dies."""

from __future__ import annotations

import itertools
import os
import signal

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from distributed import Client
from sklearn.base import clone
from tests.cluster.test_rows import collection

import hornbook as hb
from hornbook.cluster import blocks
from hornbook.cluster._residents import ClusterResidents, _calls, shared_out
from hornbook.frame import Block, Blocks, Schema

N = 150_000  # rows; residents hold pieces of at least 65536, so that there are three of them


def table():
    draw = np.random.default_rng(0)
    x = draw.normal(size=(N, 3)).round(2)
    x[::11, 1] = np.nan
    kind = pd.Categorical(np.array(["a", "b", "c", "d"])[draw.integers(0, 4, N)], list("abcd"))
    score = x[:, 0] + (kind == "b") * x[:, 2] + draw.normal(size=N)
    return pd.DataFrame(
        {
            "p": x[:, 0], "q": x[:, 1], "r": x[:, 2], "kind": kind,
            "two": pd.Categorical(np.where(score > 0, "yes", "no")),
            "three": pd.Categorical(np.array(["k", "l", "m"])[np.digitize(score, [-1, 1])]),
            "number": np.exp(score / 4),
            "w": draw.integers(0, 3, N).astype(float),
        }
    )  # fmt: skip


class Holder:
    """The sum of the rows that one resident has."""

    def __init__(self, parts, n_threads, factor):
        self.rows = {part.start: float(part.X.sum()) * factor for part in parts}

    def sums(self):
        return self.rows

    def fails(self):
        raise ValueError("no such thing")


def joined(one, other):
    return {**one, **other}


def test_a_resident_in_memory_has_all_rows():
    rows = Blocks.of(Block(np.arange(10.0).reshape(5, 2)), Schema((), named=False), 1)
    assert rows.residents(Holder, 2.0).ask("sums", merge=joined) == {0: 90.0}


def test_questions_go_down_a_tree_in_which_nobody_asks_more_than_four():
    actors = [(f"tcp://{i}", f"key{i}") for i in range(1000)]

    def walked(calls, depth):
        assert len(calls) <= 4
        for address, key, others in calls:
            yield address, key, depth
            yield from walked(others, depth + 1)

    visited = list(walked(_calls(actors), 1))
    assert sorted(pair[:2] for pair in visited) == sorted(actors)
    assert max(depth for *_, depth in visited) <= 6
    assert _calls([]) == []


def test_pieces_are_shared_out_by_threads():
    assert shared_out([["a"]] * 6, {"a": 2, "b": 1}) == {"a": [0, 1, 2, 3], "b": [4, 5]}
    assert shared_out([["gone"], ["a"]], {"a": 1, "b": 1}) == {"a": [1], "b": [0]}


def test_residents_on_workers_answer_and_pass_errors_on(client):
    array = np.arange(60_000.0).reshape(-1, 2)
    rows = blocks(da.from_array(array, chunks=(7000, 2)), client=client)
    residents = rows.map(_matrix).residents(Holder, 1.0)
    assert sum(residents.ask("sums", merge=joined).values()) == array.sum()
    with pytest.raises(ValueError, match="no such thing"):
        residents.ask("fails", merge=joined)


def _matrix(block):
    return Block(block.X.numbers, start=block.start)


LEARNERS = {
    "two": hb.HistGradientBoostingClassifier(max_iter=3, random_state=0),
    "three": hb.HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=5, random_state=0, scoring="loss"),
    "number": hb.HistGradientBoostingRegressor(loss="gamma", max_iter=2, max_depth=3, random_state=0),
}
FEATURES = ["p", "q", "r", "kind"]


def kill_at(monkeypatch, client, number):
    """Kill a worker when a question has been asked so often."""
    pid = min(client.run(os.getpid).values())
    asked = itertools.count(1)

    def ask(residents, method, *args, merge, known=ClusterResidents.ask):
        if next(asked) == number:
            os.kill(pid, signal.SIGKILL)
        return known(residents, method, *args, merge=merge)

    monkeypatch.setattr(ClusterResidents, "ask", ask)
    return asked


@pytest.mark.slow
def test_boosting_on_several_workers_equals_that_in_memory_also_when_some_die(other_cluster, monkeypatch):
    rows = table()
    with Client(other_cluster(3)) as client:
        for number, (target, learner) in zip((1, 4, None), LEARNERS.items(), strict=True):
            wanted = rows[[*FEATURES, target, "w"]]
            here = clone(learner).fit(hb.Blocks(hb.Frame(wanted, target=target, weight="w")))
            spread = collection(wanted, (9000, 70_001, 130_000))
            there = blocks(spread, target=target, weight="w", client=client)
            with monkeypatch.context() as patch:
                asked = kill_at(patch, client, number)
                np.testing.assert_array_equal(
                    clone(learner).fit(there).predict(rows[FEATURES]), here.predict(rows[FEATURES])
                )
                assert next(asked) > (number or 0) + 2  # it was killed during the fit
            client.wait_for_workers(3)
