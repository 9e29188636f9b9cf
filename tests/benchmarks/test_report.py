"""What the benchmarks print and write."""

from __future__ import annotations

import json

import pytest
from benchmarks._report import Row, Table, Target, judged

from benchmarks import __main__ as program

TABLE = Table(
    "some work",
    [Row("hornbook", 0.5, 2.0, "accuracy 0.9"), Row("peer", 1.0, 1.0), Row("absent")],
    [Target("at least 2 times as fast", "2.00", reached=True)],
)


def test_a_table_is_aligned_and_names_the_absent():
    assert str(TABLE).splitlines() == [
        "some work",
        "  who       seconds  speed  quality",
        "  hornbook   0.5000  2.00x  accuracy 0.9",
        "  peer       1.0000  1.00x",
        "  absent          -         not installed",
        "  target: at least 2 times as fast; found 2.00: reached",
    ]


@pytest.mark.parametrize(
    ("quick", "holds", "words"),
    [(False, True, ": reached"), (False, False, ": NOT REACHED"), (True, False, ": not judged at this size")],
)
def test_a_target_says_whether_it_is_reached(quick, holds, words):
    assert str(Target("t", "v", judged(quick, holds))).endswith(words)


def test_unknown_names_are_refused_with_the_list_of_known_ones(capsys):
    with pytest.raises(SystemExit) as stop:
        program.main(["no_such"])
    assert stop.value.code == 2
    known = program.names()
    assert {"auc", "base_overhead", "frame", "naive_bayes"} <= set(known)
    assert f"there is no benchmark no_such; there are {', '.join(known)}" in capsys.readouterr().err


def test_the_program_prints_tables_and_writes_json(tmp_path, monkeypatch, capsys):
    class Fake:
        @staticmethod
        def run(setting):
            assert (setting.quick, setting.jobs, setting.rounds) == (True, 3, 1)
            yield TABLE

    monkeypatch.setenv("OMP_NUM_THREADS", "7")  # restored afterwards
    monkeypatch.setenv("POLARS_MAX_THREADS", "7")
    monkeypatch.setattr(program, "import_module", lambda name: {"benchmarks.frame": Fake}[name])
    path = tmp_path / "result.json"
    program.main(["frame", "--quick", "--jobs", "3", "--json", str(path)])
    assert "frame: some work" in capsys.readouterr().out
    report = json.loads(path.read_text())
    assert report["jobs"] == 3
    assert report["machine"]["cores"] >= 1
    assert report["tables"][0]["benchmark"] == "frame"
    assert report["tables"][0]["rows"][0]["speed"] == 2.0
    assert report["tables"][0]["targets"][0]["reached"] is True
