"""`python -m hornbook` is the program `hornbook`."""

from __future__ import annotations

import sys

__all__ = ["run"]

INTERRUPTED = 128 + 2  # what shells report of a program that Ctrl-C ended


def run() -> None:
    """Start the program; Ctrl-C while it is still being imported is one line, too."""
    try:
        from hornbook.cli import main  # noqa: PLC0415 - imports can be interrupted only from here on

        main(prog_name="hornbook")
    except KeyboardInterrupt:
        if "--debug" in sys.argv:
            raise
        sys.stderr.write("Error: interrupted; nothing was done yet.\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
