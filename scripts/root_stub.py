"""Write src/hornbook/__init__.pyi from the registry, so that editors know the names of the lazy root."""

from __future__ import annotations

from pathlib import Path

from hornbook.registry import LEARNERS, MODULES, NAMES

TARGET = Path(__file__).parent.parent / "src" / "hornbook" / "__init__.pyi"


def stub() -> str:
    """The text of the stub: one explicit re-export for each public name."""
    homes = {**{name: entry.module for name, entry in LEARNERS.items()}, **NAMES}
    homes |= dict.fromkeys(MODULES, "hornbook")
    # The order of the linter: names in capitals come first, then classes, and case does not matter.
    order = sorted(homes, key=lambda name: (homes[name], not name.isupper(), name.islower(), name.lower()))
    lines = [f"from {homes[name]} import {name} as {name}" for name in order]
    return "\n".join(["# Written by scripts/root_stub.py.", *lines, "", "__version__: str", ""])


if __name__ == "__main__":
    TARGET.write_text(stub())
