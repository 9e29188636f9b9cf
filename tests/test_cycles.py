"""Modules of a package do not import each other in circles."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"
PACKAGES = sorted(path.name for path in (SOURCES / "hornbook").iterdir() if (path / "__init__.py").exists())


def modules():
    """Files by the name of their module."""
    files = {}
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def imports(files):
    """What each module imports, wherever in the file, also for type checkers alone."""
    arrows = {}
    for name, path in files.items():
        arrows[name] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in files:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                arrows[name] |= (inner & files.keys()) or {node.module}
            elif isinstance(node, ast.Import):
                arrows[name] |= {alias.name for alias in node.names} & files.keys()
    return arrows


def reached(arrows, start):
    """Modules that a module imports, directly or by way of others."""
    seen, waiting = set(), list(arrows[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += arrows.get(name, ())
    return seen


ARROWS = imports(modules())


@pytest.mark.parametrize("package", PACKAGES)
def test_no_cycles_within_a_package(package):
    inside = {name for name in ARROWS if name.startswith(f"hornbook.{package}.")}
    arrows = {name: ARROWS[name] & inside for name in inside}
    assert not sorted(name for name in inside if name in reached(arrows, name))


def test_a_cycle_is_seen():
    assert "a" in reached({"a": {"b"}, "b": {"c"}, "c": {"a"}}, "a")
    assert "a" not in reached({"a": {"b"}, "b": {"c"}, "c": set()}, "a")
    assert "hornbook.frame._cells" in ARROWS["hornbook.frame._frame"]
