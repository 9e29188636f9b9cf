"""Rows on a cluster: chunks by global row number, sums where the rows are, arrays that stay there."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import hornbook as hb
from hornbook.cluster import blocks, scan
from hornbook.frame import CHUNK


def table_of(n, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=n)
    return pd.DataFrame(
        {"x": x, "z": draw.normal(size=n), "color": draw.choice(["red", "green", "blue"], n), "y": x > 0.3}
    ).assign(y=lambda t: np.where(t.y, "yes", "no"))


def collection(table, cuts):
    """The table with partitions that end at the cuts."""
    parts = [table.iloc[a:b] for a, b in pairwise([0, *cuts, len(table)])]
    return dd.from_map(lambda i: parts[i], range(len(parts)), meta=table.iloc[:0])


ODD = (3, 3, 4100, 4101, 9000, 12_290)  # one of them is empty, chunks lie across several


def starts_and_sums(block):
    return [(block.start, len(block), float(block.X.column("x").sum()))]


def test_chunks_are_counted_over_all_partitions(client):
    table = table_of(20_000)
    there = blocks(collection(table, ODD), target="y", client=client)
    here = hb.Blocks(hb.Frame(table, target="y"))
    assert there.n_rows == 20_000
    assert repr(there) == "Blocks(20000 rows on a cluster, 4 columns)"
    assert there.schema == here.schema
    seen = there.reduce(starts_and_sums)
    assert seen == here.reduce(starts_and_sums)
    assert [start for start, _, _ in seen] == list(range(0, 20_000, CHUNK))
    assert there.reduce(starts_and_sums, together=2) == here.reduce(starts_and_sums, together=2)


def merged_text(one, other):
    return f"({one}{other})"


def first_row(block):
    return str(block.start // CHUNK)


@pytest.mark.parametrize("n_chunks", [1, 2, 3, 5, 8, 11, 13])
def test_results_are_merged_as_in_memory(client, n_chunks):
    array = np.zeros((n_chunks * CHUNK - 5, 1))
    there = blocks(da.from_array(array, chunks=(3000, 1)), client=client)
    here = hb.Blocks(hb.Frame(array))
    assert there.reduce(first_row, merge=merged_text) == here.reduce(first_row, merge=merged_text)


def none_yet(block, total):
    return (np.full(len(block), total),)


def count_up(block, kept, step):
    (so_far,) = kept
    return float(so_far.sum()), (so_far + step,)


def total_of(block, kept):
    return float(kept[0].sum())


def test_carried_arrays_stay_with_the_rows(client):
    rows = blocks(da.from_array(np.ones((10_000, 2)), chunks=(3333, 2)), client=client)
    carry = rows.carry(none_yet, 0.0)
    assert rows.reduce(count_up, 2.0, carry=carry) == 0.0
    carry.state = (2.0,)
    assert rows.reduce(count_up, 3.0, carry=carry) == 20_000.0
    carry.state = (5.0,)
    assert rows.reduce(total_of, carry=carry, reads=True) == 50_000.0
    assert carry.gather()[0].tolist() == [5.0] * 10_000


def test_a_failed_pass_changes_nothing(client):
    rows = blocks(da.from_array(np.arange(9000.0)[:, None], chunks=(2500, 1)), client=client)
    carry = rows.carry(none_yet, 0.0)
    rows.reduce(count_up, 1.0, carry=carry)
    carry.state = (1.0,)
    with pytest.raises(ZeroDivisionError):
        rows.reduce(fail_late, carry=carry)
    assert rows.reduce(total_of, carry=carry, reads=True) == 9000.0


def fail_late(block, kept):
    return 1 // int(block.start < CHUNK), (kept[0] + 7,)


def is_even(block):
    return block.X.array[:, 0] % 2 == 0


def listed(block):
    return [(block.start, block.X.array[:, 0].tolist())]


def test_chosen_rows_are_numbered_and_cut_anew(client):
    array = np.arange(20_000.0)[:, None]
    there = blocks(da.from_array(array, chunks=(7000, 1)), client=client).where(is_even)
    here = hb.Blocks(hb.Frame(array)).where(is_even)
    assert there.n_rows == 10_000
    assert there.reduce(listed) == here.reduce(listed)


def appended(block, numbers):
    return [*numbers, block.start]


def test_values_travel_through_chunks_in_any_order(client):
    rows = blocks(da.from_array(np.zeros((20_000, 1)), chunks=(9999, 1)), client=client)
    order = np.array([8192, 0, 16384, 12288, 4096])
    assert rows.fold(appended, [], order=order) == order.tolist()
    assert rows.fold(appended, []) == sorted(order.tolist())
    here = hb.Blocks(hb.Frame(np.zeros((20_000, 1))))
    assert here.fold(appended, [], order=order) == order.tolist()


def test_rows_are_taken_by_number(client):
    array = np.arange(20_000.0)[:, None]
    rows = blocks(da.from_array(array, chunks=(6001, 1)), client=client)
    wanted = [19_999, 0, 6001, 4096, 4096]
    assert rows.take(wanted).X.array[:, 0].tolist() == wanted
    with pytest.raises(IndexError, match="there are 20000 rows"):
        rows.take([20_000])


def test_all_rows_come_back_as_one_table(client):
    table = table_of(5000)
    there = blocks(collection(table, (1234,)), target="y", client=client).to_frame()
    here = hb.Frame(table, target="y")
    assert there.schema == here.schema
    assert there.to_polars().equals(here.to_polars())


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_folders_of_files_are_read_by_the_workers(client, tmp_path, ending, monkeypatch):
    from hornbook.cluster import _scan

    monkeypatch.setattr(_scan, "ROWS", 2000)
    table = table_of(9000)
    for i, (a, b) in enumerate(pairwise((0, 1000, 1001, 9000))):
        part = table.iloc[a:b]
        path = tmp_path / f"part-{i}.{ending}"
        part.to_parquet(path) if ending == "parquet" else part.to_csv(path, index=False)
    there = scan(f"{tmp_path}/*.{ending}", target="y", client=client)
    model = hb.NaiveBayes().fit(there)
    assert there.n_rows == 9000
    same = hb.NaiveBayes().fit(hb.Frame(table, target="y"))
    probabilities = model.predict_proba(table[["x", "z", "color"]])
    np.testing.assert_array_equal(probabilities, same.predict_proba(table[["x", "z", "color"]]))


def test_the_profile_of_the_table_is_summed_on_the_workers(client):
    table = table_of(20_000)
    there = blocks(collection(table, ODD), target="y", client=client).profile()
    assert there == hb.Blocks(hb.Frame(table, target="y")).profile()


def test_collections_go_straight_into_fit_and_predict(client):
    table = table_of(9000)
    whole = collection(table, ODD[:4])
    X, y = whole[["x", "z", "color"]], whole["y"]
    there = hb.LogisticRegression().fit(X, y)
    here = hb.LogisticRegression().fit(table[["x", "z", "color"]], table["y"])
    np.testing.assert_array_equal(there.coef_, here.coef_)
    assert there.target_name_ == "y"
    for method in ("predict", "predict_proba", "decision_function"):
        lazy = getattr(there, method)(X)
        assert isinstance(lazy, da.Array)
        np.testing.assert_array_equal(lazy.compute(), getattr(here, method)(table[["x", "z", "color"]]))
    array = da.from_array(table[["x", "z"]].to_numpy(), chunks=(2500, 1))
    axes = hb.PCA(1).fit(array)
    np.testing.assert_array_equal(
        axes.transform(array).compute(), hb.PCA(1).fit(array.compute()).transform(array.compute())
    )


def test_collections_are_scored_where_their_rows_are(client):
    table = table_of(9000).assign(w=lambda t: 1.0 + (t.x > 0))
    whole, columns = collection(table, (100, 5000)), ["x", "z", "color"]
    model = hb.NaiveBayes().fit(table[columns], table["y"])
    there = model.score(whole[columns], whole["y"], whole["w"])
    assert there == model.score(table[columns], table["y"], table["w"]) < 1
    line = hb.LinearRegression().fit(table[["x"]], table["z"])
    assert line.score(whole[["x"]], whole["z"]) == line.score(table[["x"]], table["z"])
    array = table[["x", "z"]].to_numpy()
    means = hb.KMeans(2, random_state=0).fit(array)
    assert means.score(da.from_array(array, chunks=(2500, 1))) == means.score(array)


def test_answers_for_arrays_say_how_long_they_are(client):
    array = da.from_array(np.arange(18_000.0).reshape(-1, 2), chunks=(2500, 1))
    there = hb.PCA(1).fit(array).transform(array)
    assert there.shape == (9000, 1)
    assert there.chunks == ((2500, 2500, 2500, 1500), (1,))
    assert np.isnan(hb.PCA(1).fit(array).transform(array[array[:, 0] > 5]).shape[0])


def test_weights_count_as_in_memory(client):
    table = table_of(9000).assign(w=lambda t: 1.0 + (t.x > 0))
    whole = collection(table, (100, 5000))
    there = hb.NaiveBayes().fit(whole[["x", "z"]], whole["y"], whole["w"])
    here = hb.NaiveBayes().fit(table[["x", "z"]], table["y"], table["w"])
    np.testing.assert_array_equal(
        there.predict_proba(table[["x", "z"]]), here.predict_proba(table[["x", "z"]])
    )


PEAK = """
import resource, sys
import dask.array as da
from distributed import Client
import hornbook as hb
client = Client(sys.argv[1])
X = da.random.RandomState(0).normal(size=(1_500_000, 20), chunks=(100_000, 20))  # 240 MB
y = (X[:, 0] > 0).astype("int64")
hb.LogisticRegression(max_iter=2).fit(X[:9000].rechunk((4500, 20)), y[:9000].rechunk(4500))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
model = hb.LogisticRegression(max_iter=3).fit(X, y)
hb.HistGradientBoostingClassifier(max_iter=2).fit(X, y)
answers = model.predict(X)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, answers.mean().compute())
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_no_rows_come_to_the_caller(cluster):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PEAK, cluster.scheduler_address],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    peak, share = done.stdout.split()
    assert int(peak) < 120  # MB: half of the table; the sample for the edges of bins is 200,000 rows, 32 MB
    assert 0.4 < float(share) < 0.6
