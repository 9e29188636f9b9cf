"""The folder of a study: every file says the same as the study, and is there whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.studies.estimators import Odd
from tests.studies.tables import flowers, trend

import hornbook
from hornbook.evaluation import compare_predictions, read_scores
from hornbook.studies import Settings, StudyError
from hornbook.studies._files import reason_of, sentences

QUICK = {"cv": 3, "repeats": 2, "jobs": 1}
FILES = {
    "config.toml",
    "folds",
    "model.hornbook",
    "plots",
    "predictions.csv",
    "records.jsonl",
    "report.html",
    "results.json",
    "scores.csv",
}
TYPES = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def faults(value, schema, place="$"):
    """What in a value is not as a JSON schema says; the few words that our schema uses."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    fits = [
        isinstance(value, TYPES[kind]) and not (isinstance(value, bool) and kind != "boolean")
        for kind in kinds
    ]
    if not any(fits):
        return [f"{place}: {value!r} is not {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place}: {value!r} is not one of {schema['enum']}"]
    wrong = []
    if isinstance(value, list) and "items" in schema:
        wrong += [
            fault for i, part in enumerate(value) for fault in faults(part, schema["items"], f"{place}[{i}]")
        ]
    if isinstance(value, dict):
        wrong += [f"{place}: {name} is missing" for name in set(schema.get("required", ())) - set(value)]
        for name, part in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            wrong += (
                [f"{place}.{name} is unknown"] if inner is False else faults(part, inner, f"{place}.{name}")
            )
    return wrong


def schema():
    return json.loads(files("hornbook.studies").joinpath("results.schema.json").read_text())


@pytest.fixture(scope="module", params=["classification", "regression"])
def kept(request, tmp_path_factory):
    """A study and its folder."""
    folder = tmp_path_factory.mktemp(request.param)
    data, names = (flowers(), ["NaiveBayes"]) if request.param == "classification" else (trend(), ["Ridge"])
    table = folder / "table.csv"
    pl.DataFrame({name: list(column) for name, column in data.items()}).write_csv(table)
    return hornbook.study(str(table), learners=names, out=folder / "s", **QUICK), folder / "s"


def test_all_files_are_there(kept):
    study, folder = kept
    assert {path.name for path in folder.iterdir()} == FILES
    assert "verdict.svg" in {path.name for path in (folder / "plots").iterdir()}
    report = (folder / "report.html").read_text()
    assert study.recommended in report
    assert study.folder == folder


def test_results_follow_the_schema(kept):
    study, folder = kept
    results = json.loads((folder / "results.json").read_text())
    assert faults(results, schema()) == []
    assert results == study.to_dict()


def test_the_schema_finds_faults():
    results = {"schema": 2, "notes": [1], "classes": []}
    wrong = faults(results, schema())
    assert "$.schema: 2 is not one of [1]" in wrong
    assert "$.notes[0]: 1 is not ['string']" in wrong
    assert "$: verdict is missing" in wrong


def test_the_scores_are_those_of_the_study(kept):
    study, folder = kept
    read = read_scores(folder)
    np.testing.assert_allclose(read.values, study.scores.values, rtol=1e-12)
    lines = pl.read_csv(folder / "scores.csv")
    assert lines.select("learner", "repeat", "fold").unique().height == 2 * 2 * 3


def test_the_predictions_are_those_of_the_recommended_learner(kept):
    study, folder = kept
    table = pl.read_csv(folder / "predictions.csv")
    assert table.columns[:5] == ["row", "truth", "prediction", "repeat", "fold"]
    assert table.height == 2 * 60
    first = table.filter(pl.col("repeat") == 0).sort("row")
    assert first["truth"].to_list() == study.predictions.truth.tolist()
    assert first["prediction"].to_list() == study.predictions.labels(study.recommended, 0).tolist()
    if study.classes:
        assert table.columns[5:] == ["p(tame)", "p(wild)"]
    verdict = compare_predictions(folder, folder, names=["one", "same"], measure=study.settings.metric)
    row = study.scores.names.index(study.recommended)
    np.testing.assert_allclose(verdict.scores.values[0], study.scores.values[row], rtol=1e-9)


def test_the_model_predicts_as_it_did(kept):
    study, folder = kept
    loaded = hornbook.load(folder / "model.hornbook")
    data = hornbook.Frame(flowers() if study.classes else trend())
    rows = data.select(list(data.schema.names[:-1]))
    assert loaded.predict(rows).tolist() == study.model.predict(rows).tolist()


def test_the_configuration_makes_the_same_study_again(kept):
    study, folder = kept
    settings = Settings.from_toml(folder / "config.toml")
    assert settings == study.settings
    values = settings.to_dict()
    data, target, learners = values.pop("data"), values.pop("target"), values.pop("learners")
    again = hornbook.study(data, target, learners=learners, out=folder, **values)
    assert again.scores.values.tolist() == study.scores.values.tolist()
    assert again.settings == study.settings
    assert again.verdict.to_dict()["sentence"] == study.verdict.to_dict()["sentence"]


def test_a_foreign_model_is_not_saved_and_that_is_said(tmp_path):
    from sklearn.linear_model import LogisticRegression

    study = hornbook.study(flowers(), learners={"theirs": LogisticRegression()}, out=tmp_path / "s", **QUICK)
    assert study.recommended == "theirs"
    assert not (tmp_path / "s" / "model.hornbook").exists()
    assert any(note.startswith("model: not saved, because ") for note in study.notes)


def test_files_do_not_claim_to_reproduce_what_was_made_of_objects(tmp_path):
    learners = {"NaiveBayes": hornbook.NaiveBayes(density="kernel")}
    study = hornbook.study("iris", learners=learners, out=tmp_path / "s", **QUICK)
    assert study.command == ""
    assert (tmp_path / "s" / "config.toml").read_text().startswith("# Run from Python: a table in memory and")
    assert "This study was run from Python" in (tmp_path / "s" / "report.html").read_text()


def test_ctrl_c_after_the_folds_leaves_their_report(tmp_path, monkeypatch):
    def interrupted(*_, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("hornbook.studies.run._run.explain", interrupted)
    study = hornbook.study(flowers(), learners=["NaiveBayes"], out=tmp_path / "s", **QUICK)
    assert (study.interrupted, study.done, study.total, study.model) == (True, 12, 12, None)
    assert study.recommended == "NaiveBayes"
    assert "Interrupted after 12 of 12 folds." in (tmp_path / "s" / "report.html").read_text()


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("file", r"/file is a file and not a folder: choose another with out=\.$"),
        ("file/s", r"/file/s/folds cannot be written: Not a directory; choose another folder with out=\.$"),
        ("/proc/s", r"^/proc/s.* cannot be written: .*; choose another folder with out=\.$"),
    ],
)
def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path, place, message):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StudyError, match=message):
        hornbook.study(flowers(), learners=["NaiveBayes"], out=tmp_path / place, **QUICK)


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path):
    (tmp_path / "holiday.jpg").write_bytes(b"sun")
    with pytest.raises(StudyError, match=r"holds other files \(holiday.jpg ...\) and no study"):
        hornbook.study(flowers(), learners=["NaiveBayes"], out=tmp_path, **QUICK)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


@pytest.mark.parametrize(
    "largest",
    [pytest.param(600, marks=pytest.mark.slow), 6_000, pytest.param(40_000, marks=pytest.mark.slow)],
)
def test_no_space_left_is_one_sentence_and_no_file_in_part(tmp_path, largest):
    """A limit on the size of files stands in for a full disk: writes fail in the middle, in workers too."""
    folder = tmp_path / "s"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        with pytest.raises(StudyError, match="cannot be written: (File too large|No space left on device)"):
            hornbook.study(flowers(), learners=["NaiveBayes"], out=folder, **QUICK)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert not [name for name in names if Path(name).name.startswith(".") or name.endswith(".part")]
    if "records.jsonl" in names:
        assert all(json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines())
    again = hornbook.study(flowers(), learners=["NaiveBayes"], out=folder, **QUICK)
    assert again.done == 12
    assert {path.name for path in folder.iterdir()} == FILES


def test_a_full_disk_at_the_very_end_leaves_the_earlier_files(tmp_path, monkeypatch):
    folder = tmp_path / "s"
    options = {"learners": ["NaiveBayes"], "out": folder, **QUICK}
    hornbook.study(flowers(), **options)
    before = (folder / "results.json").read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("hornbook.studies._files.os.fsync", full)
    with pytest.raises(StudyError, match="cannot be written: No space left on device; free disk space"):
        hornbook.study(flowers(), alpha=0.1, **options)
    monkeypatch.undo()
    assert (folder / "results.json").read_bytes() == before
    assert not list(folder.rglob(".*"))


def test_the_table_is_there_once_however_many_fit(tmp_path):
    from hornbook.evaluation import Target
    from hornbook.studies.prepare._folds import fold_numbers
    from hornbook.studies.prepare._training_data import TrainingData
    from hornbook.studies.run._shared_table import open_shared, share

    frame = hornbook.Frame({"a": np.arange(9.0), "b": list("xyzxyzxyz")})
    training = TrainingData(frame, Target(np.arange(9) % 2, ("n", "y")), np.arange(9), np.ones(9))
    share(tmp_path, training, fold_numbers(training, Settings(cv=2)))
    one, two = open_shared(tmp_path), open_shared(tmp_path)
    for shared in (one, two):
        arrays = [
            shared.features.column(0),
            shared.features.column(1),
            shared.y,
            shared.weights,
            shared.folds,
        ]
        assert all(isinstance(array.base, np.memmap) for array in arrays)
        assert not any(array.flags.writeable for array in arrays)
    assert one.features["b"].tolist() == list("xyzxyzxyz")
    train, test = one.split(0, 1)
    assert sorted([*train, *test]) == list(range(9))


def test_tasks_are_small_whatever_the_size_of_the_table():
    import pickle

    from hornbook.studies.run._tasks import FoldTask

    task = FoldTask(hornbook.NaiveBayes(), 0, 0, "log_loss", ("accuracy",), "somewhere")
    assert len(pickle.dumps(task)) < 2_000


def test_estimators_that_print_do_not_disturb(tmp_path, capfd):
    study = hornbook.study(flowers(), learners={"prints": Odd("print")}, cv=2, repeats=1, jobs=1)
    assert study.learners[1].done == 2
    assert capfd.readouterr().out == ""


def test_the_page_names_every_part_of_the_results_and_every_check():
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text()
    for name, part in schema()["properties"].items():
        assert f"| `{name}` | {part['description']} |" in page
    source = Path(hornbook.studies.__file__).parent
    sources = [path.read_text() for path in source.rglob("_*.py")]
    codes = {code for text in sources for code in re.findall(r'Check\(\s*"(\w+)"', text)}
    assert {code for code in codes if f"`{code}`" not in page} == set()
    assert len(codes) > 15


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize(
    "write",
    [
        lambda path: path.write_bytes(b"x" * 10**6),
        lambda path: np.zeros(10**6).tofile(path),
        lambda path: pl.DataFrame({"a": np.arange(10**5)}).write_csv(path),
    ],
    ids=["python", "numpy", "polars"],
)
def test_a_full_disk_is_called_so_whoever_writes(tmp_path, write):
    message = "No space left on device; free disk space and run the same study again"
    with pytest.raises(StudyError, match=message) as caught, sentences(tmp_path):
        write(Path("/dev/full"))
    assert "None" not in str(caught.value)


@pytest.mark.parametrize("error", [OSError("1000 requested and 12 written"), OSError("broken (os error 28)")])
def test_what_libraries_say_of_a_full_disk_is_understood(error):
    assert reason_of(error) == (errno.ENOSPC, "No space left on device")


def test_an_error_without_a_number_keeps_its_words():
    assert reason_of(OSError("the tape is torn")) == (None, "the tape is torn")
