"""Hornbook: classical machine learning, whole.

Everything a user types is reached from here, and imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "__all__":  # for `from hornbook import *`; listed when asked, so that importing stays light
        # Not `random`: it would silently replace the one of the standard library.
        return [name for name in _names() if name != "random"]
    if name.startswith("_"):  # Python asks for these before it imports a module; they are never ours
        raise AttributeError(f"module 'hornbook' has no attribute {name!r}")
    # By name, because `from hornbook import registry` would ask this function for the registry.
    return import_module("hornbook.registry").resolve(name)


def __dir__() -> list[str]:
    return sorted([*_names(), "__version__"])


def _names() -> list[str]:
    registry = import_module("hornbook.registry")
    return sorted([*registry.LEARNERS, *registry.NAMES, *registry.MODULES])
