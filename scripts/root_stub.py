"""Write src/hornbook/__init__.pyi from the registry, so that editors know the names of the lazy root."""

from __future__ import annotations

from pathlib import Path

from hornbook.registry import LEARNERS, MODULES, NAMES

TARGET = Path(__file__).parent.parent / "src" / "hornbook" / "__init__.pyi"


def stub() -> str:
    """The text of the stub: one explicit re-export for each public name."""
    homes = {**{name: entry.module for name, entry in LEARNERS.items()}, **NAMES}
    lines = [f"from hornbook import {name} as {name}" for name in MODULES]
    lines += [f"from {home} import {name} as {name}" for name, home in homes.items()]
    return "\n".join(["# Written by scripts/root_stub.py.", *sorted(lines), "", "__version__: str", ""])


if __name__ == "__main__":
    TARGET.write_text(stub())
