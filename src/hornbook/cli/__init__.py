"""The program `hornbook`.

Each command imports what it needs when it runs, so that help and version answer at once.
"""

from __future__ import annotations

from hornbook.cli._main import main

__all__ = ["main"]
