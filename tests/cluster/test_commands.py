"""Commands on a cluster: files in, one Parquet file for each partition out."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from tests.cli.running import run

import hornbook as hb
from hornbook.cluster import file_parts

LENGTHS = (3000, 0, 5000, 1)


@pytest.fixture
def files(tmp_path):
    draw = np.random.default_rng(0)
    schema = {"x": pl.Float64, "z": pl.Float64, "y": pl.String}
    for i, n in enumerate(LENGTHS):
        x = draw.normal(size=n)
        ripe = np.where(x + draw.normal(size=n) > 0, "yes", "no").tolist()
        pl.DataFrame({"x": x, "z": draw.normal(size=n), "y": ripe}, schema=schema).write_parquet(
            tmp_path / f"p{i}.parquet"
        )
    return tmp_path


def test_fit_predict_and_evaluate_on_a_cluster(files, cluster):
    at = ("--cluster", cluster.scheduler_address)
    pattern, model, out = f"{files}/p*.parquet", str(files / "m.hornbook"), files / "predictions"
    fit = run("fit", pattern, "--target", "y", "--learner", "NaiveBayes", *at, "--out", model)
    assert fit.exit_code == 0, fit.output
    whole = pl.concat([pl.read_parquet(files / f"p{i}.parquet") for i in range(len(LENGTHS))])
    here = hb.NaiveBayes().fit(hb.Frame(whole, target="y"))
    done = run("predict", model, pattern, "--proba", *at, "--out", str(out), "--json")
    assert done.exit_code == 0, done.output
    parts = sorted(out.iterdir())
    assert [part.name for part in parts] == [f"part-0000{i}.parquet" for i in (0, 2, 3)]
    assert [pl.read_parquet(part).height for part in parts] == [n for n in LENGTHS if n]
    written = pl.concat([pl.read_parquet(part) for part in parts])
    assert written["row"].to_list() == list(range(sum(LENGTHS)))
    assert written["truth"].to_list() == whole["y"].to_list()
    X = whole.select("x", "z")
    assert written["prediction"].to_list() == here.predict(X).tolist()
    assert written["p(yes)"].to_numpy().tolist() == here.predict_proba(X)[:, 1].tolist()
    judged = run("evaluate", model, pattern, *at, "--metric", "accuracy", "--json")
    assert judged.exit_code == 0, judged.output
    accuracy = (here.predict(X) == whole["y"].to_numpy()).mean()
    assert json.loads(judged.stdout)["measures"]["accuracy"]["value"] == accuracy


def test_what_a_cluster_cannot_do_is_said_before_it_is_asked(files):
    pattern, at = f"{files}/p*.parquet", ("--cluster", "local:1")
    refused = [
        (("predict", "m.hornbook", pattern, *at), "name a new folder"),
        (("predict", "m.hornbook", pattern, *at, "--out", "a.parquet"), "name a new folder"),
        (("predict", "m.hornbook", pattern, *at, "--out", str(files)), "exists: name a new folder"),
        (("predict", "m.hornbook", pattern, *at, "--out", "b", "--csv-safe"), "cannot be combined"),
    ]
    for arguments, sentence in refused:
        answer = run(*arguments)
        assert answer.exit_code == 2
        assert sentence in " ".join(answer.output.split())


def test_a_partition_that_fails_leaves_no_folder(files, client):
    parts = file_parts(f"{files}/p*.parquet", client=client)
    assert parts.n_rows == sum(LENGTHS)
    with pytest.raises(ValueError, match=r"Partition 2 \(p2.parquet, rows 0 to 5000\): too long"):
        parts.write(_short_only, files / "out")
    assert {path.name for path in files.iterdir()} == {f"p{i}.parquet" for i in range(4)}
    seen = []
    assert parts.write(_counted, files / "out", lambda done, total: seen.append((done, total))) == 3
    assert seen[-1] == (sum(LENGTHS), sum(LENGTHS))
    assert pl.read_parquet(files / "out" / "part-00002.parquet")["first"].item() == 3000
    with pytest.raises(ValueError, match="out exists: name a new folder, or remove it"):
        parts.write(_counted, files / "out")


def _short_only(rows, first):
    if len(rows) > 4000:
        raise ValueError("too long")
    return _counted(rows, first)


def _counted(rows, first):
    return pl.DataFrame({"first": [first], "rows": [len(rows)]})
