"""The tables of the notes, each as a Frame whose target and id columns are set.

A function makes each table in all its versions; `load` makes one by name, and `names` lists them all with one
line each. Nothing is read from disk before a table is asked for.
"""

from __future__ import annotations

from hornbook.datasets._iris import iris
from hornbook.datasets._load import load, names
from hornbook.datasets._play_tennis import play_tennis
from hornbook.datasets._watermelon import watermelon

__all__ = ["iris", "load", "names", "play_tennis", "watermelon"]
