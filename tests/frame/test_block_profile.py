"""The profile of rows that are not in one table: the same as of the whole in memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from hornbook.frame import Blocks, Frame, scan
from hornbook.frame.profile import _block_profile
from hornbook.frame.profile._distinct import KEPT, Distinct, value_marks


def table_of(n=9000, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=n)
    x[::50] = np.nan
    x[7] = -np.inf
    whole = draw.integers(0, 40, n)
    table = pd.DataFrame({
        "x": x,
        "count": whole,
        "again": whole,
        "number": np.arange(n),
        "half": np.arange(n) // 2,
        "constant": 3.5,
        "line": 2.0 * x + 1e-9 * draw.normal(size=n),
        "gaps": np.nan,
        "color": draw.choice(["red", "green", None], n),
        "size": pd.Categorical(draw.choice(["s", "m"], n), ["s", "m", "l"], ordered=True),
        "y": np.where(np.nan_to_num(x) > 0, "yes", "no"),
    })  # fmt: skip
    table.loc[7, "line"] = np.inf
    return table


def blocks_of(table, cuts, **roles):
    whole = Frame(table, **roles)
    return Blocks([whole[a:b] for a, b in pairwise([0, *cuts, len(table)])])


def same_but_for_rounding(one, other):
    assert (one.n_rows, one.findings) == (other.n_rows, other.findings)
    for have, want in zip(one.columns, other.columns, strict=True):
        if want.spread is not None:
            numbers = [(s.mean, s.sd) for s in (have.spread, want.spread)]
            np.testing.assert_allclose(*numbers, rtol=1e-12)
        assert without_moments(have) == without_moments(want)


def without_moments(column):
    spread = column.spread and replace(column.spread, mean=0.0, sd=0.0)
    return replace(column, spread=spread)


@pytest.mark.parametrize("n", [1, 2, 300, 4000])
@pytest.mark.filterwarnings("ignore:column 'gaps'")
def test_blocks_have_the_profile_of_the_table(n):
    table = table_of(n) if n > 7 else table_of(8)[:n]
    same_but_for_rounding(
        blocks_of(table, (0, n // 3), target="y").profile(), Frame(table, target="y").profile()
    )


def test_many_different_values_are_estimated():
    table = table_of(90_000)
    here, there = Frame(table, target="y").profile(), blocks_of(table, (7, 5000), target="y").profile()
    for have, want in zip(there.columns, here.columns, strict=True):
        assert have.n_distinct == pytest.approx(want.n_distinct, rel=0.02)
    assert {c.name: c.n_distinct for c in there.columns}["number"] == 90_000
    assert [f.code for f in there.findings] == [f.code for f in here.findings]
    assert there.findings[1] == here.findings[1]
    assert "in a sample of 65536 rows" in next(f for f in there.findings if f.code == "redundant").sentence


def test_repeated_rows_are_counted_or_estimated(monkeypatch):
    some = table_of(6000)[["x", "color"]].drop_duplicates()[:5000]
    table = pd.concat([some, some[:2000]])
    blocks = blocks_of(table, (4096,))
    assert str(blocks.profile().findings[-1]).startswith("2000 of 7000 rows repeat an earlier row.")
    monkeypatch.setattr(_block_profile, "KEPT_ROWS", 1000)
    sentence = blocks_of(table, (4096,)).profile().findings[-1].sentence
    assert sentence.startswith("About ")
    assert abs(int(sentence.split()[1]) - 2000) < 300


def test_counts_of_distinct_values_add_up():
    draw = np.random.default_rng(0)
    numbers = draw.integers(0, 20_000, 60_000).astype(float)
    parts = [Distinct.of(value_marks(part)) for part in np.split(numbers, [100, 9000, 30_000])]
    one = parts[0].merge(parts[1]).merge(parts[2].merge(parts[3]))
    whole = Distinct.of(value_marks(numbers))
    np.testing.assert_array_equal(one.marks, whole.marks)
    np.testing.assert_array_equal(one.counts, whole.counts)
    assert len(one.marks) == KEPT
    assert not one.exact
    assert one.count(60_000) == pytest.approx(len(np.unique(numbers)), rel=0.02)


def test_files_have_the_profile_of_the_table(tmp_path):
    table = table_of(5000).drop(columns=["size", "gaps"])
    table.to_parquet(tmp_path / "t.parquet")
    rows = scan(tmp_path / "t.parquet", "y", batch_rows=700)
    assert rows.profile() == blocks_of(table, (), target="y").profile()


def test_numbers_as_target_are_described_too():
    table = table_of(500)[["count", "x"]]
    profile = blocks_of(table, (77,), target="x").profile()
    assert profile.columns[1].role == "target"
    same_but_for_rounding(profile, Frame(table, target="x").profile())
