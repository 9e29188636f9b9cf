"""The table of capabilities: each has a public name that imports and a test that exists and calls it."""

from __future__ import annotations

import ast
import csv
import functools
import json
import os
import pkgutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from tests.call_recorder import Recorder

import hornbook
from hornbook.ensembles import vote_margins

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "coverage.csv"


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def entries(field: str) -> list[tuple[str, str]]:
    """Every (id, entry) of a field whose entries are separated by semicolons."""
    return [(row["id"], entry.strip()) for row in rows() if row[field] for entry in row[field].split(";")]


def unresolved(name: str) -> str | None:
    """Say why a public name does not import, or None."""
    parts = name.split(".")
    if parts[0] != "hornbook" or any(part.startswith("_") for part in parts):
        return "not a public name of hornbook"
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None


@functools.cache
def functions(path: Path) -> frozenset[str]:
    """Test functions of a file, with their class in front when they have one, as pytest names them."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return frozenset(name for name in names if name.split("::")[-1].startswith("test"))


def missing(test: str, root: Path = ROOT) -> str | None:
    """Say why a test does not exist, or None."""
    file, _, function = test.partition("::")
    if not file.startswith("tests/") or not file.endswith(".py") or not (root / file).is_file():
        return "no such file of tests"
    return None if function in functions(root / file) else "no such test in that file"


def recorded(
    names: Iterable[str], tests: Iterable[str], folder: Path, root: Path = ROOT
) -> tuple[dict[str, list[str]], list[str]]:
    """Run tests in a process of their own: the names each of them enters, and the names nobody can watch."""
    watch, calls, chosen = folder / "names.json", folder / "calls.json", folder / "tests.txt"
    watch.write_text(json.dumps(sorted(set(names))))
    chosen.write_text("\n".join(sorted(set(tests))))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", ""]
    command += ["-p", "tests.call_recorder", f"--watch={watch}", f"--calls={calls}", f"--rootdir={root}"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [*command, f"@{chosen}"], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    record = json.loads(calls.read_text())
    return record["calls"], record["unwatched"]


def wrong_mappings(table: list[dict[str, str]], calls: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """Every (id, complaint): a name that no test of its row enters, a test that enters no name of its row."""
    complaints = []
    for row in table:
        names, tests = (
            [entry.strip() for entry in row[field].split(";") if entry] for field in ("name", "test")
        )
        entered = {test: set(calls.get(test, ())) for test in tests}
        together = set().union(*entered.values())
        complaints += [(row["id"], f"{name} is not called") for name in names if name not in together]
        complaints += [
            (row["id"], f"{test} calls nothing named") for test in tests if not entered[test] & set(names)
        ]
    return complaints


def test_the_table_has_one_row_for_each_capability():
    table = rows()
    assert list(table[0]) == ["id", "capability", "name", "test"]
    assert len(table) == 696
    assert [
        capability for capability, count in Counter(row["id"] for row in table).items() if count > 1
    ] == []
    assert [row["id"] for row in table if not row["id"] or not row["capability"]] == []


def test_a_name_comes_with_a_test_and_a_test_with_a_name():
    assert [row["id"] for row in rows() if bool(row["name"]) != bool(row["test"])] == []


def test_every_mapped_name_imports():
    assert [
        (capability, name, why) for capability, name in entries("name") if (why := unresolved(name))
    ] == []


def test_every_mapped_test_exists():
    assert [(capability, test, why) for capability, test in entries("test") if (why := missing(test))] == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hornbook.params.Range", None),
        ("hornbook.params.Tune.grid", None),
        ("hornbook.params.Nothing", "AttributeError"),
        ("hornbook.params.Tune.nothing", "AttributeError"),
        ("hornbook.params._check.check", "not a public name"),
        ("numpy.zeros", "not a public name"),
        ("hornbook.params.Range ", "ValueError"),
    ],
)
def test_names_are_told_apart(name, why):
    reason = unresolved(name)
    assert reason is None if why is None else why in reason


def test_tests_are_told_apart(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(
        "def test_one(): ...\ndef helper(): ...\nclass TestTwo:\n    def test_three(self): ...\n"
    )
    answers = {
        "tests/test_x.py::test_one": None,
        "tests/test_x.py::TestTwo::test_three": None,
        "tests/test_x.py::test_three": "no such test in that file",
        "tests/test_x.py::helper": "no such test in that file",
        "tests/test_x.py": "no such test in that file",
        "tests/test_y.py::test_one": "no such file of tests",
        "test_x.py::test_one": "no such file of tests",
    }
    assert {test: missing(test, tmp_path) for test in answers} == answers


@pytest.mark.slow
@pytest.mark.minutes
def test_every_mapped_name_is_called_by_a_test_of_its_row(tmp_path):
    table = rows()
    names, tests = (
        {entry.strip() for row in table for entry in row[field].split(";") if entry}
        for field in ("name", "test")
    )
    calls, unwatched = recorded(names, tests, tmp_path)
    assert unwatched == []
    assert sorted(tests - set(calls)) == []
    assert wrong_mappings(table, calls) == []


def test_wrong_mappings_are_found():
    calls = {"tests/a.py::test_x": ["hornbook.f", "hornbook.g"], "tests/a.py::test_y": ["hornbook.h"]}

    def complaints(name, test):
        return [words for _, words in wrong_mappings([{"id": "1", "name": name, "test": test}], calls)]

    assert complaints("hornbook.f", "tests/a.py::test_x") == []
    assert complaints("hornbook.f; hornbook.h", "tests/a.py::test_x;tests/a.py::test_y") == []
    assert complaints("", "") == []
    assert complaints("hornbook.h", "tests/a.py::test_x") == [
        "hornbook.h is not called",
        "tests/a.py::test_x calls nothing named",
    ]
    assert complaints("hornbook.f;hornbook.h", "tests/a.py::test_x") == ["hornbook.h is not called"]
    assert complaints("hornbook.f", "tests/a.py::test_x;tests/a.py::test_y") == [
        "tests/a.py::test_y calls nothing named"
    ]
    assert complaints("hornbook.f", "tests/a.py::test_never_run") == [
        "hornbook.f is not called",
        "tests/a.py::test_never_run calls nothing named",
    ]


def test_only_what_is_entered_is_recorded():
    recorder = Recorder(
        [
            "hornbook.NaiveBayes",
            "hornbook.NaiveBayes.fit",
            "hornbook.NaiveBayes.predict",
            "hornbook.NaiveBayes.predict_proba",
            "hornbook.SPODE",
            "hornbook.SPODE.predict",
            "hornbook.compare",
            "hornbook.ensembles.VoteMargins",
            "hornbook.ensembles.VoteMargins.bound",
            "hornbook.ensembles.VoteMargins.error",
            "hornbook.ensembles.vote_margins",
            "hornbook.registry.TASK_TYPES",
        ]
    )
    assert recorder.unwatched == ["hornbook.registry.TASK_TYPES"]
    before = sys.getprofile()
    with recorder.recording() as entered:
        model = hornbook.NaiveBayes()
    assert entered == {"hornbook.NaiveBayes"}
    with recorder.recording() as entered:
        model.fit([[0.0], [1.0]], ["a", "b"]).predict([[0.0]])
    # A class of the same family, whose methods are the same code, is another name.
    assert entered == {"hornbook.NaiveBayes", "hornbook.NaiveBayes.fit", "hornbook.NaiveBayes.predict"}
    with recorder.recording() as entered:
        margins = vote_margins([["a"]], ["a"])
        assert margins.error == 0.0
    assert entered == {
        "hornbook.ensembles.VoteMargins",
        "hornbook.ensembles.VoteMargins.error",
        "hornbook.ensembles.vote_margins",
    }
    assert sys.getprofile() is before


@pytest.mark.slow
def test_calls_of_fixtures_and_of_cached_helpers_count_and_those_of_imports_do_not(tmp_path):
    file = tmp_path / "test_some.py"
    file.write_text(
        """
import functools

import pytest

from hornbook import Baseline
from hornbook.ensembles import mean_variance, total_variance

EARLY = mean_variance(1.0, 0.5, 2)

@pytest.fixture(scope="module")
def parts():
    return total_variance([1.0, 2.0], [0, 0])

@functools.cache
def fitted():
    return Baseline().fit([[0.0]], ["a"])

def test_first(parts):
    assert parts and fitted()

def test_second(parts):
    assert parts and fitted()

@pytest.mark.parametrize("n", [1, 2])
def test_third(n):
    assert EARLY and (n == 1 or mean_variance(1.0, 0.5, n))

def test_fourth():
    assert EARLY
"""
    )
    names = ["hornbook.Baseline", "hornbook.ensembles.mean_variance", "hornbook.ensembles.total_variance"]
    calls, unwatched = recorded(names, [str(file)], tmp_path, tmp_path)
    assert unwatched == []
    assert {test.rpartition("::")[2]: called for test, called in calls.items()} == {
        "test_first": ["hornbook.Baseline", "hornbook.ensembles.total_variance"],
        "test_second": ["hornbook.Baseline", "hornbook.ensembles.total_variance"],
        "test_third": ["hornbook.ensembles.mean_variance"],
        "test_fourth": [],
    }
