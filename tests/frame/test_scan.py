"""Files as Blocks: the same results as from memory, in little memory."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook
from hornbook import Baseline, Encoder, NaiveBayes
from hornbook.frame import Frame, read, scan
from hornbook.frame.readers import _scan_progress

N = 10_000
LEARNERS = [
    NaiveBayes(),
    NaiveBayes(density="bins"),
    NaiveBayes(density="kernel"),
    NaiveBayes(lazy=True),
    Baseline(),
    Encoder(scale="standard", missing="indicate"),
]


def table(n=N, seed=0):
    """Numbers, text and categories with gaps; some levels come late only."""
    draw = np.random.default_rng(seed)
    group = draw.integers(0, 3, n)
    color = np.array(["green", "dark", "light"], dtype=object)[(group + (draw.random(n) < 0.2)) % 3]
    color[draw.random(n) < 0.05] = None
    color[-1] = "azure"  # sorts before all others and is only in the last row
    size = draw.normal(group)
    return pl.DataFrame(
        {
            "size": pl.Series(size).set(pl.Series(draw.random(n) < 0.1), None),
            "count": draw.poisson(5 * group),
            "color": color,
            "heavy": draw.random(n) < 0.2 + 0.2 * group,
            "class": np.array(["one", "two", "three"])[group],
            "w": draw.integers(0, 4, n).astype(float),
        }
    )


def write_json(frame, path):
    frame.write_ndjson(path)


def write_packed(frame, path):
    path.write_bytes(gzip.compress(frame.write_csv().encode()))


WRITERS = {
    "t.csv": pl.DataFrame.write_csv,
    "t.csv.gz": write_packed,
    "t.jsonl": write_json,
    "t.parquet": pl.DataFrame.write_parquet,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scan")
    for name, write in WRITERS.items():
        write(table(), folder / name)
    return folder


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("batch_rows", [700, 4096, 65536])
def test_the_rows_are_those_of_read(files, name, batch_rows):
    whole = read(files / name, target="class", weight="w")
    blocks = scan(files / name, target="class", weight="w", batch_rows=batch_rows)
    assert blocks.schema == whole.schema
    assert blocks.schema.columns[2].levels == ("azure", "dark", "green", "light")
    assert blocks.n_rows == len(whole) == N
    sizes = [len(block) for block in blocks]
    assert sizes == [batch_rows] * (N // batch_rows) + ([N % batch_rows] if N % batch_rows else [])
    again = blocks.to_frame()
    np.testing.assert_array_equal(again.numbers, whole.numbers)
    np.testing.assert_array_equal(again.codes, whole.codes)
    assert blocks.source == whole.source


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_learners_learn_the_same_to_the_last_bit(files, learner, name):
    whole = read(files / name, target="class", weight="w")
    memory = learner.fit(whole)
    answers = [
        getattr(memory, method)(whole) for method in ("predict_proba", "transform") if hasattr(memory, method)
    ]
    for batch_rows, n_jobs in ((3000, 1), (9999, 3)):
        disk = learner.fit(scan(files / name, "class", batch_rows, weight="w", n_jobs=n_jobs))
        again = [
            getattr(disk, method)(whole) for method in ("predict_proba", "transform") if hasattr(disk, method)
        ]
        assert len(answers) == len(again) == 1
        np.testing.assert_array_equal(answers[0], again[0])


def test_more_rows_from_a_file_with_new_levels(files, tmp_path):
    first = table(3000, seed=1).filter(pl.col("color") != "azure")
    model = NaiveBayes().fit(Frame(first, target="class", weight="w"))
    model.partial_fit(scan(files / "t.csv", "class", 2500, weight="w"))
    memory = NaiveBayes().fit(Frame(first, target="class", weight="w"))
    memory.partial_fit(read(files / "t.csv", "class", weight="w"))
    rows = Frame(table(50, seed=2).drop("class", "w"))
    np.testing.assert_allclose(model.predict_proba(rows), memory.predict_proba(rows), rtol=1e-12)
    assert model.schema_ == memory.schema_


@pytest.mark.slow
@settings(derandomize=True, max_examples=25, deadline=None)
@given(batch_rows=st.integers(1, 12_000), n_jobs=st.integers(1, 4))
def test_sums_have_the_same_bits_for_any_batch(batch_rows, n_jobs, files):
    if batch_rows < 50:
        batch_rows *= 50  # a table for each row is slow and shows nothing more
    whole = hornbook.Blocks(read(files / "t.parquet"), n_jobs=1)
    blocks = scan(files / "t.parquet", batch_rows=batch_rows, n_jobs=n_jobs)
    expected = whole.reduce(lambda block: np.nansum(block.X.numbers, axis=0))
    np.testing.assert_array_equal(blocks.reduce(lambda block: np.nansum(block.X.numbers, axis=0)), expected)


def test_types_that_only_the_last_rows_show(tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("a,b,c\n" + "1,,1\n" * 200_000 + "x,2,1.5\n")
    blocks = scan(path, batch_rows=50_000)
    assert blocks.schema == read(path).schema
    assert blocks.schema.kinds == ("nominal", "numeric", "numeric")
    assert blocks.schema.columns[0].levels == ("1", "x")
    assert blocks.source.missing == ("",)


def test_numbers_as_categories(files):
    whole = read(files / "t.csv", kinds={"count": "nominal", "color": ["light", "green", "dark", "azure"]})
    blocks = scan(
        files / "t.csv",
        batch_rows=999,
        kinds={"count": "nominal", "color": ["light", "green", "dark", "azure"]},
    )
    assert blocks.schema == whole.schema
    np.testing.assert_array_equal(blocks.to_frame().codes, whole.codes)


def test_map_is_applied_when_rows_are_read(files):
    calls = []
    blocks = scan(files / "t.csv", batch_rows=4000).map(lambda block: calls.append(len(block)) or block)
    assert calls == []
    assert blocks.reduce(len) == N
    assert blocks.reduce(len) == N
    assert calls == [4000, 4000, 2000] * 2
    with pytest.raises(ValueError, match="nothing to concatenate"):
        blocks.to_frame()


def test_learners_that_need_all_rows_say_so(files):
    from tests.base.toys import Sign

    with pytest.raises(TypeError, match=r"cannot learn from Blocks: pass blocks.to_frame\(\)"):
        Sign().fit(scan(files / "t.csv", "class"))


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_changes_is_refused(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](table(500), path)
    blocks = scan(path, "class", 100)
    with path.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(ValueError, match=rf"'.*{name}' has changed since it was opened: wait until"):
        blocks.reduce(len)
    path.unlink()
    with pytest.raises((ValueError, FileNotFoundError)):
        blocks.reduce(len)


def test_a_file_that_changes_during_a_pass_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    table(5000).write_csv(path)
    rows = iter(scan(path, batch_rows=100))
    next(rows)
    os.utime(path, ns=(1, 1))
    with pytest.raises(ValueError, match="has changed since it was opened"):
        list(rows)


@pytest.mark.parametrize("batch_rows", [0, -1, 2.5, True, None])
def test_batch_rows_must_be_a_number_of_rows(files, batch_rows):
    with pytest.raises(ValueError, match=r"parameter 'batch_rows' must be a whole number >= 1; got"):
        scan(files / "t.csv", batch_rows=batch_rows)


def test_what_read_refuses_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        scan(tmp_path / "no.csv")
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n" + "1,2\n" * 300_000 + "1\n")
    with pytest.raises(ValueError, match="line 300002 has 1 cell, but the first line has 2"):
        scan(path)
    with pytest.raises(ValueError, match="There is no column 'c'"):
        scan(path, target="c")


class Terminal:
    """A stderr that notes what it is told."""

    def __init__(self, terminal):
        self.terminal, self.text = terminal, ""

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_for_terminals_and_long_work(files, monkeypatch, terminal):
    monkeypatch.setattr(sys, "stderr", Terminal(terminal))
    monkeypatch.setattr(_scan_progress, "PATIENCE", 1e6)  # the work is not long, however busy the machine
    scan(files / "t.csv", batch_rows=1000)
    assert sys.stderr.text == ""
    monkeypatch.setattr(_scan_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_scan_progress, "PAUSE", 0.0)
    rows = scan(files / "t.csv", batch_rows=1000)
    if terminal:
        assert sys.stderr.text.startswith("\r\x1b[Kreading t.csv: ")
        assert "100%" in sys.stderr.text
        assert sys.stderr.text.endswith("\r\x1b[K")
        for number in (1, 2):
            rows.reduce(len)
            every = f"{rows.n_rows:,}"
            assert f"t.csv, pass {number}: " in sys.stderr.text
            assert f"1,000 of {every} rows, about " in sys.stderr.text
            assert sys.stderr.text.count(f": 100%, {every} of {every} rows, about 0 s left") == number
    else:
        assert sys.stderr.text == ""


PEAK = """
import sys
from pathlib import Path
import hornbook

def kilobytes(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(field)).split()[1])

path, how, batch, small = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
hornbook.NaiveBayes().fit(hornbook.scan(small, "y", batch))  # what imports and threads need
before = kilobytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # forget the highest mark so far
hornbook.NaiveBayes().fit(hornbook.scan(path, "y", batch) if how == "scan" else hornbook.read(path, "y"))
print(kilobytes("VmHWM") - before)
"""


def peak(path, how, batch, warm):
    """Kilobytes that fitting needs beyond those of a fit from one batch."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path), how, str(batch), str(warm)],
        env={**os.environ, "PYTHONPATH": str(Path(hornbook.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="this system does not tell")
def test_memory_is_bounded_by_the_batch(tmp_path):
    batch, n_columns = 32_768, 20
    draw = np.random.default_rng(0)
    frame = pl.DataFrame({f"x{j}": draw.normal(size=20 * batch).round(4) for j in range(n_columns)})
    frame = frame.with_columns(y=pl.Series(draw.integers(0, 2, 20 * batch)))
    frame.write_csv(tmp_path / "large.csv")
    frame[:batch].write_csv(tmp_path / "small.csv")
    batch_kilobytes = batch * (n_columns + 1) * 8 / 1024
    disk = peak(tmp_path / "large.csv", "scan", batch, tmp_path / "small.csv")
    memory = peak(tmp_path / "large.csv", "read", batch, tmp_path / "small.csv")
    assert memory > 20 * batch_kilobytes, "all rows of the file are 20 batches"
    assert disk < 8 * batch_kilobytes
