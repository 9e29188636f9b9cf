"""Write the stubs of packages whose names are imported lazily, so that editors know the names."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from hornbook.registry import LEARNERS, MODULES, NAMES
from hornbook.sklearn import RENAMED

WIDTH = 110  # of a line, as the formatter has it
SOURCE = Path(__file__).parent.parent / "src" / "hornbook"


def stubs() -> dict[Path, str]:
    """The stub of each package."""
    root = {**{name: entry.module for name, entry in LEARNERS.items()}, **NAMES}
    root |= dict.fromkeys(MODULES, "hornbook")
    texts = {SOURCE / "__init__.pyi": _stub(root, "", "__version__: str", "")}
    for path in sorted(SOURCE.glob("*/__init__.py")):
        package = import_module(f"hornbook.{path.parent.name}")
        if hasattr(package, "HOMES"):
            texts[path.with_suffix(".pyi")] = _package_stub(package)
    texts[SOURCE / "sklearn.pyi"] = _renamed_stub()
    return texts


def _renamed_stub() -> str:
    """The learners under the names of scikit-learn."""
    # A stub exports under the same name only; others are assigned.
    renamed = [f"{theirs} = {ours}" for theirs, ours in sorted(RENAMED.items())]
    defaults = "DEFAULTS: dict[str, dict[str, object]]"
    tables = ["RENAMED: dict[str, str]", defaults, "ASKED_BY_TYPE: dict[str, str]"]
    return _stub({name: entry.module for name, entry in LEARNERS.items()}, "", *renamed, *tables, "")


def _package_stub(package: ModuleType) -> str:
    """The public names of a package, and those it lends to others."""
    lent = getattr(package, "LENT", {})
    homes = {
        name: home if home.startswith("hornbook.") else f"{package.__name__}.{home}"
        for name, home in {**package.HOMES, **lent}.items()
    }
    tables = ["HOMES: dict[str, str]", *(["LENT: dict[str, str]"] if lent else [])]
    return _stub(homes, "", *tables, "")


def _stub(homes: dict[str, str], *more: str) -> str:
    """One explicit re-export for each public name."""
    order = sorted(homes, key=lambda name: _place(homes[name], name))
    lines = [_reexport(homes[name], name) for name in order]
    return "\n".join(["# Written by scripts/lazy_stubs.py.", *lines, *more])


def _place(home: str, name: str) -> tuple[str, bool, bool, str]:
    """The order of the linter: names in capitals come first, then classes, and case does not matter."""
    return (home, not name.isupper(), name.islower(), name.lower())


def _reexport(home: str, name: str) -> str:
    line = f"from {home} import {name} as {name}"
    return line if len(line) <= WIDTH else f"from {home} import (\n    {name} as {name},\n)"


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text)
