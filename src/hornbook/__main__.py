"""`python -m hornbook` is the program `hornbook`."""

from __future__ import annotations

from hornbook.cli import main

main(prog_name="hornbook")
