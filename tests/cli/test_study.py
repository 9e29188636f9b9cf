"""From a table to a verdict, a report and a model, in one command."""

from __future__ import annotations

import json
import os
import pty
import signal
from dataclasses import fields
from pathlib import Path

import pytest
from tests.cli.running import MELONS, data_of, done, process, refused, run, started

import hornbook
from hornbook import datasets
from hornbook.studies import Settings

QUICK = ("--learners", "NaiveBayes", "--cv", "3", "--repeats", "1")
FILES = {
    *("report.html", "results.json", "scores.csv", "predictions.csv", "model.hornbook", "config.toml"),
    "plots",
}


@pytest.fixture
def asked(monkeypatch):
    """What the command asks of the library, without doing it."""
    arguments = {}

    def study(data, target, *, progress, cluster=None, **settings):
        arguments.update(settings, data=data, target=target)
        raise hornbook.studies.StudyError("stop here with cv=5.")

    monkeypatch.setattr("hornbook.studies.study", study, raising=False)
    return arguments


def test_a_study_leaves_its_files_and_says_where(folder):
    result = done("study", "iris", *QUICK)
    assert result.stdout.startswith("NaiveBayes has the best log_loss: ")
    assert "the report is iris-study/report.html; open it in a browser." in result.stderr
    assert {path.name for path in Path("iris-study").iterdir()} >= FILES
    assert hornbook.load("iris-study/model.hornbook").target_name_ == "species"
    # The folder stands for the model, the verdict, and the study itself.
    assert data_of("evaluate", "iris-study", "iris")["measures"]["accuracy"]["value"] > 0.9
    assert done("inspect", "iris-study").stdout.startswith("NaiveBayes has the best log_loss: ")
    # The same command again repeats the answer, and so does the file with the settings.
    again = data_of("study", "--config", "iris-study/config.toml", "--out", "iris-study", "--quiet")
    first = json.loads(Path("iris-study/results.json").read_text())
    assert again["verdict"] == first["verdict"]
    message = refused(1, "study", "iris", *QUICK, "--seed", "1", "-q")
    assert message.startswith(
        "the folder iris-study belongs to another study (seed = 0, not 1): choose another"
    )
    assert "with --out, or remove it." in message
    done("study", "iris", *QUICK, "--seed", "1", "--out", "other", "-q")
    shown = done("compare", "iris-study", "other").stdout
    assert shown.startswith(
        "These studies are only shown beside each other, not compared: iris-study and other cannot be "
        "compared, because their folds are not the same (seed = 0 and 1)"
    )


def test_json_is_all_there_is_on_stdout_and_quiet_leaves_stderr_empty(folder):
    result = process("study", "iris", *QUICK, "--json", "--quiet")
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["schema"] == 1
    assert json.loads(result.stdout)["task"] == "classification"


@pytest.mark.slow
def test_words_are_plain_lines_where_there_is_no_terminal(folder):
    result = process("study", "iris", *QUICK, "--verbose")
    assert result.returncode == 0
    assert "\x1b" not in result.stdout + result.stderr
    assert "\r" not in result.stdout + result.stderr
    assert "target: the column 'species'" in result.stderr
    assert "--drop-duplicates leaves them out." in result.stderr
    assert "6 of 6 folds done" in result.stderr
    assert "drop_duplicates=True" not in result.stdout + result.stderr


@pytest.mark.slow
def test_a_terminal_shows_what_is_running(folder):
    ours, theirs = pty.openpty()
    with started("study", "iris", *QUICK, stderr=theirs, env={"TERM": "xterm", "COLUMNS": "120"}) as program:
        os.close(theirs)
        shown = b""
        while True:
            try:
                shown += (part := os.read(ours, 65536))
            except OSError:  # the other side has gone
                break
            if not part:
                break
        result = program.stdout.read()
    os.close(ours)
    assert program.returncode == 0
    assert result.startswith("NaiveBayes has the best")
    assert b"6/6" in shown
    assert b"running " in shown
    assert b"the report is iris-study/report.html" in shown


def test_every_setting_is_an_option_with_the_default_of_the_library(asked):
    shown = " ".join(done("study", "--help").output.split())
    for field in fields(Settings):
        if field.name == "data":
            continue
        flag = f"--{'no-' if field.default is True else ''}{field.name.replace('_', '-')}"
        assert f"{flag} " in shown
    assert "stop here with --cv 5." in refused(1, "study", "iris")
    settings = {name: value for name, value in asked.items() if name not in ("out", "learners")}
    expected = Settings(data="iris").to_dict()
    assert settings == {name: value for name, value in expected.items() if name != "learners"}
    assert (asked["learners"], str(asked["out"])) == (None, "iris-study")


def test_options_become_settings(asked, melons):
    refused(
        1,
        *("study", "melons.csv", "-y", "ripe", "--task", "regression", "--cv", "4", "--repeats", "2"),
        *("--learners", "NaiveBayes, Baseline", "--metric", "rmse", "--seed", "7", "--alpha", "0.1"),
        *("--equivalence", "0.2", "--time-limit", "2m", "--budget", "1h", "--ignore", "a b", "--ignore", "c"),
        *(
            "--keep",
            "d",
            "--weight",
            "w",
            "--group",
            "g",
            "--time",
            "t",
            "--test",
            "later.csv",
            "--id",
            "i",
            "--drop-missing-target",
        ),
        *("--positive", "yes", "--kinds", "z=nominal", "--kinds", "s=a<b", "--delimiter", "tab"),
        *("--missing", "-", "--missing", "none"),
        *("--drop-duplicates", "--no-scale", "--no-fingerprint", "--csv-safe"),
        *("--tune", "off", "--no-race", "--plan", "repeats=1", "--plan", "without=AODE"),
        *("--jobs", "2", "--clusters", "2-4,8", "--out", "there"),
        *("--costs", "yes=2", "--costs", "no>yes=3", "--unusual", "0.2"),
    )
    expected = Settings(
        data="melons.csv",
        target="ripe",
        task="regression",
        learners=("NaiveBayes", "Baseline"),
        metric="rmse",
        positive="yes",
        costs=("yes=2", "no>yes=3"),
        unusual=0.2,
        cv=4,
        repeats=2,
        seed=7,
        alpha=0.1,
        equivalence=0.2,
        time_limit=120.0,
        budget=3600.0,
        plan=("repeats=1", "without=AODE"),
        ignore=("a b", "c"),
        keep=("d",),
        kinds=("z=nominal", "s=a<b"),
        delimiter="\t",
        missing=("-", "none"),
        weight="w",
        group="g",
        time="t",
        test="later.csv",
        id="i",
        drop_missing_target=True,
        drop_duplicates=True,
        scale=False,
        fingerprint=False,
        csv_safe=True,
        jobs=2,
        clusters=(2, 3, 4, 8),
        tune="off",
        race=False,
    )
    usual = Settings().to_dict()
    assert [name for name, value in expected.to_dict().items() if value == usual[name]] == []  # all are tried
    settings = dict(asked)
    assert settings.pop("out") == Path("there")
    assert settings == expected.to_dict()


def test_options_win_over_the_file_and_the_file_over_the_defaults(asked, folder):
    Path("c.toml").write_text('data = "iris"\ncv = 5\nrepeats = 2\nscale = false\nignore = ["a"]\n')
    refused(1, "study", "--config", "c.toml", "--cv", "7")
    assert (asked["data"], asked["cv"], asked["repeats"], asked["scale"]) == ("iris", 7, 2, False)
    assert asked["ignore"] == ["a"]
    refused(1, "study", "glass", "--config", "c.toml")
    assert asked["data"] == "glass"
    assert str(asked["out"]) == "glass-study"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cvv = 5", "there is no setting 'cvv'; there are data"),
        ("cvv = 5", "Did you mean 'cv'?"),
        ("cv = 'five'", "parameter 'cv' must be an integer in [2, inf); got 'five'."),
        ("task = 'clasification'", "Did you mean 'classification'?"),
    ],
)
def test_wrong_settings_in_a_file_are_wrong_use(folder, text, message):
    Path("c.toml").write_text(f"{text}\n")
    assert message in refused(2, "study", "iris", "--config", "c.toml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["iris", "--cv", "1"], "Invalid value for '--cv': 1 is not in the range x>=2."),
        (["iris", "--cv", "many"], "'many' is not a valid integer"),
        (["iris", "--clusters", "4-2"], "'4-2' are not numbers of clusters: write 3, 2-8 or 2,4,8."),
        (
            ["iris", "--task", "cluster"],
            "'cluster' is not one of 'auto', 'classification', 'regression', 'clustering', 'outliers'.",
        ),
        (["iris", "--learners", "NaivBayes"], "Did you mean 'NaiveBayes'?"),
        (["iris", "--metric", "acuracy"], "Did you mean 'accuracy'?"),
        (["iris", "--budget", "soon"], "'soon' is not a duration: write 90s, 10m or 1h30m."),
        (["iris", "--alpha", "2"], "Invalid value for '--alpha': 2.0 is not in the range 0.0<x<1.0."),
        (["iris", "--jobs", "0"], "Invalid value for '--jobs' / '-j': 0 is not in the range x>=1."),
        (["iris", "--time-limit", "0s"], "Invalid value for '--time-limit': a duration must be positive."),
        (["iris", "--folds", "3"], "No such option '--folds'"),
        ([], "Missing argument 'DATA': a file or the name of a data set."),
        (["iris", "--ignore", "a", "--keep", "a"], "column 'a' is in both 'ignore' and 'keep'"),
    ],
)
def test_wrong_options_are_wrong_use(folder, words, message):
    assert message in refused(2, "study", *words)
    assert list(folder.iterdir()) == []


def write(name, rows):
    Path(name).write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return name


def bad_tables():
    write("one.csv", [("a", "b"), *((i, "yes") for i in range(30))])
    write("many.csv", [("a", "b"), *((i % 7, f"class {i}") for i in range(1000))])
    write("gaps.csv", [("a", "b"), *((i % 9, "" if i < 3 else "xy"[i % 2]) for i in range(40))])
    write("three.csv", [("a", "b"), (1, "x"), (2, "y"), (3, "x")])
    write("single.csv", [("a",), *((i,) for i in range(30))])
    Path("empty.csv").write_text("")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["melons.csv", "--target", "rip"], "Did you mean 'ripe'?"),
        (["melon.csv"], "did you mean 'melons.csv'?"),
        (["iriss"], "iris"),
        (["one.csv"], "'b'"),
        (["many.csv"], "1000"),
        (["gaps.csv"], "--drop-missing-target"),
        (["three.csv"], "3 rows"),
        (["single.csv"], "--target"),
        (["empty.csv"], "'empty.csv' is empty"),
        (["butterfly"], "target"),
        (["melons.csv", "--ignore", "colr"], "color"),
        (["iris", "--config", "none.toml"], "none.toml cannot be read"),
        (["iris", "--metric", "rmse"], "rmse"),
        (["iris", "--learners", "KNeighborsRegressor"], "KNeighborsRegressor"),
    ],
)
def test_problems_of_the_data_are_one_sentence_and_leave_nothing(melons, words, message):
    bad_tables()
    before = set(Path().iterdir())
    stderr = refused(1, "study", *words, "--quiet")
    assert message in stderr
    assert set(Path().iterdir()) == before


def test_a_folder_that_cannot_be_written_is_one_sentence(melons):
    Path("file").write_text("")
    message = refused(1, "study", "iris", *QUICK, "--out", "file/run", "--quiet")
    assert "file/run" in message
    assert "--out" in message


def test_rows_without_a_target_are_dropped_when_asked(folder):
    bad_tables()
    results = data_of("study", "gaps.csv", *QUICK, "--drop-missing-target", "--quiet")
    assert results["n_rows"] == 37


def test_a_regression(folder):
    table = datasets.noisy_trend(random_state=0).to_polars()
    table.write_csv("trend.csv")
    results = data_of(
        "study", "trend.csv", "--cv", "3", "--repeats", "1", "--learners", "KNeighborsRegressor", "-q"
    )
    assert results["task"] == "regression"
    assert results["verdict"]["measure"] == "rmse"
    assert Path("trend-study/report.html").exists()


@pytest.mark.slow
def test_ctrl_c_leaves_a_report_and_says_how_to_go_on(folder, interruptible):
    rows = [line for line in MELONS.splitlines()[1:] for _ in range(30)]
    Path("melons.csv").write_text("\n".join([MELONS.splitlines()[0], *rows]) + "\n")
    words = ("study", "melons.csv", "--learners", "NaiveBayes", "--repeats", "10", "--jobs", "1")
    with started(*words, "--verbose") as program:
        try:
            for line in program.stderr:
                if line.startswith("40 of 200 folds done"):
                    program.send_signal(signal.SIGINT)
                    break
            stderr = program.stderr.read()
            stdout = program.stdout.read()
            program.wait(timeout=60)
        finally:
            program.kill()
    assert program.returncode == 130
    assert stdout.startswith("Interrupted after ")
    last = stderr.splitlines()[-1]
    assert last.startswith("Error: interrupted after ")
    command = last.partition("to continue: ")[2]
    assert command.startswith("hornbook study melons.csv ")
    assert Path("melons-study/report.html").exists()
    again = process(*command.split()[1:], "--json")
    assert again.returncode == 0
    assert "folds were finished earlier; the study resumes from there" in again.stderr
    assert json.loads(again.stdout)["done"] == 200


@pytest.mark.slow
def test_a_study_without_a_verdict_is_a_problem(folder):
    write("hard.csv", [("a", "b"), *((i % 9, "xy"[i % 2]) for i in range(40))])
    result = run("study", "hard.csv", *QUICK, "--time-limit", "0.0001", "--quiet")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: No learner could be fitted.")


def test_where_a_cluster_is_said_in_one_of_two_ways(monkeypatch):
    places = []

    def study(data, target, *, cluster, **settings):
        places.append(cluster)
        raise hornbook.studies.StudyError("stop here.")

    monkeypatch.setattr("hornbook.studies.study", study, raising=False)
    for place in ("local:4", "tcp://10.0.0.1:8786", "tls://head"):
        assert "stop here" in refused(1, "study", "iris", "--cluster", place)
    assert places == ["local:4", "tcp://10.0.0.1:8786", "tls://head"]
    for place in ("local", "local:0", "10.0.0.1"):
        message = refused(2, "study", "iris", "--cluster", place)
        assert f"'{place}' is not a cluster: write tcp://host:port, or local:4" in message
