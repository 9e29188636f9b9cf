"""Write the stubs of packages whose names are imported lazily, so that editors know the names."""

from __future__ import annotations

from pathlib import Path

from hornbook import frame, studies
from hornbook.registry import LEARNERS, MODULES, NAMES

SOURCE = Path(__file__).parent.parent / "src" / "hornbook"


def stubs() -> dict[Path, str]:
    """The stub of each package."""
    root = {**{name: entry.module for name, entry in LEARNERS.items()}, **NAMES}
    root |= dict.fromkeys(MODULES, "hornbook")
    texts = {SOURCE / "__init__.pyi": _stub(root, "", "__version__: str", "")}
    for package in (frame, studies):
        places = {**package.HOMES, **package.LENT}
        homes = {name: f"{package.__name__}.{module}" for name, module in places.items()}
        path = SOURCE / package.__name__.removeprefix("hornbook.") / "__init__.pyi"
        texts[path] = _stub(homes, "", "HOMES: dict[str, str]", "LENT: dict[str, str]", "")
    return texts


def _stub(homes: dict[str, str], *more: str) -> str:
    """One explicit re-export for each public name."""
    # The order of the linter: names in capitals come first, then classes, and case does not matter.
    order = sorted(homes, key=lambda name: (homes[name], not name.isupper(), name.islower(), name.lower()))
    lines = [f"from {homes[name]} import {name} as {name}" for name in order]
    return "\n".join(["# Written by scripts/lazy_stubs.py.", *lines, *more])


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text)
