"""What goes wrong on a cluster: workers die, schedulers are lost, partitions do not fit together."""

from __future__ import annotations

import itertools
import os
import signal
import time
import warnings

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client
from sklearn.base import clone
from tests.cluster.test_rows import collection, table_of

import hornbook as hb
from hornbook.cluster import LostClusterError, _connection, _faults, _rows, blocks, connected, scan
from hornbook.cluster._rows import ClusterRows


def kill_in_pass(monkeypatch, client, number):
    """Kill a worker when the tasks of a pass have been submitted; another one takes its place."""
    pids = sorted(client.run(os.getpid).values())
    passes = itertools.count(1)

    def gathered(rows, futures, known=ClusterRows.gathered):
        if next(passes) == number:
            os.kill(pids[0], signal.SIGKILL)
        return known(rows, futures)

    monkeypatch.setattr(ClusterRows, "gathered", gathered)
    return passes


@pytest.mark.slow
@pytest.mark.parametrize("in_line", [0, 2**18], ids=["messages sent", "messages in tasks"])
@pytest.mark.parametrize(
    "learner",
    [
        hb.GaussianMixture(2, max_iter=8, tol=0.0, random_state=0),
        hb.RandomForestClassifier(2, max_bins=20, max_depth=6, random_state=0),
        hb.LogisticRegression(solver="lbfgs", tol=1e-15, max_iter=20),
        hb.MLPClassifier((3,), max_iter=15, solver="adam", batch_size=500, random_state=0),
    ],
    ids=lambda learner: type(learner).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_worker_that_dies_in_the_middle_changes_no_bit(other_cluster, learner, in_line, monkeypatch):
    monkeypatch.setattr(_rows, "IN_LINE", in_line)
    table = table_of(40_000)[["x", "z", "y"]]
    with Client(other_cluster(2)) as client:
        there = blocks(collection(table, (9000, 9001, 30_000)), target="y", client=client)
        hb.NaiveBayes().fit(there)
        passes = kill_in_pass(monkeypatch, client, 10)
        model = clone(learner).fit(there)
        assert next(passes) > 11  # it was killed during the fit
    here = clone(learner).fit(hb.Blocks(hb.Frame(table, target="y")))
    X = table[["x", "z"]]
    np.testing.assert_array_equal(model.predict_proba(X), here.predict_proba(X))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_lost_scheduler_leaves_the_learner_as_it_was(other_cluster):
    cluster = other_cluster(1)
    with Client(cluster, timeout=2) as client:
        array = da.random.RandomState(0).normal(size=(20_000, 3), chunks=(5000, 3))
        rows = blocks(array, client=client)
        model = hb.GaussianMixture(2, random_state=0, max_iter=3).fit(rows)
        means = model.means_
        cluster.close()
        with pytest.raises(LostClusterError, match="was lost, and the learner is as it was before"):
            model.fit(rows)
    assert model.means_ is means


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_fit_without_any_workers_left_ends(other_cluster, monkeypatch):
    monkeypatch.setattr(_faults, "PATIENCE", 0.2)
    monkeypatch.setattr(_faults, "RECHECK", 0.5)
    cluster = other_cluster(1)
    with Client(cluster) as client:
        rows = blocks(da.random.RandomState(0).normal(size=(5000, 2), chunks=(2500, 2)), client=client)
        hb.PCA(1).fit(rows)
        cluster.scale(0)
        while client.nthreads():
            time.sleep(0.1)
        with pytest.raises(LostClusterError, match="All workers are gone, and the learner is as it was"):
            hb.PCA(1).fit(rows)


@pytest.mark.slow
def test_workers_without_memory_are_named_as_the_reason(other_cluster):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Client(other_cluster(1)) as client:
            client.run(lambda: None)
            rows = blocks(da.ones((5000, 2), chunks=(5000, 2)), client=client)
            with pytest.raises(MemoryError, match="workers died one after the other"):
                rows.reduce(die)


def die(block):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_other_versions_are_refused(other_cluster, tmp_path):
    other = tmp_path / "older.py"
    other.write_text(
        "import importlib.metadata as m\n"
        "m.version = lambda name, known=m.version: '0.1' if name == 'numpy' else known(name)\n"
    )
    with Client(other_cluster(1, preload=[str(other)])) as client:
        client.wait_for_workers(1)
        with pytest.raises(ValueError, match=r"Worker tcp\S+ has numpy 0.1, but this process has numpy"):
            blocks(da.ones((10, 2), chunks=(5, 2)), client=client)


def parts(*tables):
    return dd.from_map(lambda i: tables[i], range(len(tables)), meta=tables[0].iloc[:0])


def test_partitions_that_do_not_fit_together_are_refused_by_number(client):
    first = pd.DataFrame({"a": [1.0, 2.0], "c": pd.Categorical(["x", "y"], ["x", "y"])})
    cases = [
        (first.rename(columns={"a": "b"}), "Partition 1 has the columns b, c, but partition 0 has a, c"),
        (
            first.assign(a=["u", "v"]),
            "Column 'a' of partition 1 is nominal .from text., but that of part",
        ),
        (
            first.assign(c=pd.Categorical(["x", "z"], ["x", "z"])),
            r"Column 'c' of partition 1 has other categories \(y, z\) than that of partition 0",
        ),
        (
            first.assign(c=pd.Categorical(["x", "y"], ["y", "x"])),
            "Column 'c' of partition 1 has its categories in another order than that of partition 0",
        ),
    ]
    for second, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            blocks(parts(first, second), client=client)


def test_an_error_inside_a_partition_is_reported_with_its_number(client):
    def part(i):
        if i == 2:
            raise OSError("the tape is torn")
        return pd.DataFrame({"a": [float(i)]})

    lazy = dd.from_map(part, range(4), meta=pd.DataFrame({"a": [0.0]}))
    with pytest.raises(ValueError, match=r"Partition 2 cannot be computed \(OSError: the tape is torn\)"):
        blocks(lazy, client=client)


def test_empty_partitions_hold_no_rows_and_only_empty_ones_are_refused(client):
    full, empty = pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": []})
    assert blocks(parts(empty, full, empty), client=client).n_rows == 2
    with pytest.raises(ValueError, match="None of the 2 partitions has any rows"):
        blocks(parts(empty, empty), client=client)


def test_columns_without_values_in_a_partition_fit_any_kind(client, tmp_path):
    whole = pd.DataFrame({
        "a": ["u", "v", None, None, "w", None],
        "b": [None, None, 1.0, 2.0, 3.0, None],
        "c": [5, 6, 7, 8, -9, -1],
        "y": [0.5, 1.0, -1.0, 2.0, 0.0, 3.0],
    })  # fmt: skip
    cuts = (whole[:2], whole[2:4].assign(a=[np.nan, np.nan]), whole[4:])
    there = blocks(parts(*cuts), target="y", client=client)
    here = hb.Frame(whole, target="y")
    assert there.schema == here.schema
    assert there.to_frame().to_polars().equals(here.to_polars())
    for i, part in enumerate((whole[:2], whole[:0], whole[2:4], whole[4:])):
        part.to_csv(tmp_path / f"{i}.csv", index=False)  # as Dask writes them, the empty one with a header
    read = scan(f"{tmp_path}/*.csv", target="y", client=client)
    assert read.schema == here.schema
    assert read.to_frame().to_polars().equals(here.to_polars())


def test_partitions_of_unknown_length_are_counted(client):
    array = da.from_array(np.arange(9000.0).reshape(-1, 1), chunks=(2500, 1))
    some = array[array[:, 0] % 3 == 0]
    assert np.isnan(some.shape[0])
    assert blocks(some, client=client).n_rows == 3000


def test_target_and_weights_need_the_partitions_of_the_table(client):
    X = da.ones((100, 2), chunks=(50, 2))
    with pytest.raises(ValueError, match="X has 2 partitions, but y has 1"):
        hb.LinearRegression().fit(X, da.ones(100, chunks=100))
    with pytest.raises(ValueError, match="Partition 0 has 50 rows, but there are 40 values of its target"):
        hb.LinearRegression().fit(X, da.ones(100, chunks=((40, 60),)))
    with pytest.raises(TypeError, match="so y must be one with the same partitions; got ndarray"):
        hb.LinearRegression().fit(X, np.ones(100))


def test_learners_that_need_all_rows_say_so(client):
    with pytest.raises(TypeError, match=r"cannot learn from a Dask collection: pass X.compute\(\)"):
        hb.KNeighborsClassifier().fit(da.ones((10, 2), chunks=(5, 2)), da.ones(10, chunks=5))


def test_a_table_that_is_here_is_no_collection(client):
    with pytest.raises(TypeError, match="X must be a Dask DataFrame, Series or Array; got DataFrame"):
        blocks(pd.DataFrame({"a": [1.0]}), client=client)


def test_without_a_client_there_is_a_remedy():
    with pytest.raises(ValueError, match="There is no Dask client: connect to a cluster first"):
        blocks(da.ones((10, 2), chunks=(5, 2)))


def test_files_that_are_not_there_or_damaged_are_named(client, tmp_path):
    with pytest.raises(ValueError, match="No file matches"):
        scan(f"{tmp_path}/*.parquet", client=client)
    with pytest.raises(ValueError, match="There is no file"):
        scan(f"{tmp_path}/one.csv", client=client)
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(ValueError, match=r"bad.parquet is not a Parquet file, or damaged"):
        scan(f"{tmp_path}/*.parquet", client=client)
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.csv").write_text("x,z\n1,2\n")
    with pytest.raises(ValueError, match=r"Partition 1 \(b.csv\) has the columns x, z, but partition 0"):
        scan(f"{tmp_path}/*.csv", client=client)


def test_processes_that_end_late_are_no_failure(monkeypatch):
    class Late(_connection.LocalCluster):
        def close(self, timeout=None):
            super().close(timeout)
            raise TimeoutError

    monkeypatch.setattr(_connection, "LocalCluster", Late)
    with connected("local:1") as client:
        assert client.submit(sum, [1, 2]).result() == 3
