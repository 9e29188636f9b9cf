"""The table of capabilities: each is mapped to a public name that imports and to a test that exists."""

from __future__ import annotations

import ast
import csv
import functools
import pkgutil
from collections import Counter
from pathlib import Path

import pytest

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
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return frozenset(each for each in found if each.split("::")[-1].startswith("test"))


def missing(test: str, root: Path = ROOT) -> str | None:
    """Say why a test does not exist, or None."""
    file, _, function = test.partition("::")
    if not file.startswith("tests/") or not file.endswith(".py") or not (root / file).is_file():
        return "no such file of tests"
    return None if function in functions(root / file) else "no such test in that file"


def test_the_table_has_one_row_for_each_capability():
    table = rows()
    assert list(table[0]) == ["id", "capability", "name", "test"]
    assert len(table) == 696
    assert [each for each, count in Counter(row["id"] for row in table).items() if count > 1] == []
    assert [row["id"] for row in table if not row["id"] or not row["capability"]] == []


def test_a_name_comes_with_a_test_and_a_test_with_a_name():
    assert [row["id"] for row in rows() if bool(row["name"]) != bool(row["test"])] == []


def test_every_mapped_name_imports():
    assert [(each, name, why) for each, name in entries("name") if (why := unresolved(name))] == []


def test_every_mapped_test_exists():
    assert [(each, test, why) for each, test in entries("test") if (why := missing(test))] == []


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
    found = unresolved(name)
    assert found is None if why is None else why in found


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
