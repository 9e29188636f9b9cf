"""Names and libraries that are imported when they are first used.

A user of one learner then pays for its files only, and a worker process starts in half the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

__all__ = ["attach", "lazy_module"]


def attach(
    package: str, homes: Mapping[str, str], lent: Mapping[str, str] = MappingProxyType({})
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package: where its public and its lent names are defined.

    A home is a module of the package, or the full name of one elsewhere. `scripts/lazy_stubs.py` writes the
    same for editors and type checkers.
    """

    def get(name: str) -> Any:
        home = homes.get(name) or lent.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(home if home.startswith("hornbook.") else f"{package}.{home}")
        value = getattr(module, name)
        setattr(sys.modules[package], name, value)  # the next look-up finds it without this function
        return value

    return get, lambda: list(homes)


class LazyModule:
    """A library that is imported with the first name asked of it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


def lazy_module(name: str) -> Any:
    """A library that is slow to import and not always needed.

    It stands in ``sys.modules`` only once it is used, because narwhals and scikit-learn look there for the
    kinds of tables that can occur.
    """
    return LazyModule(name)
