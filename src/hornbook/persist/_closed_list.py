"""Which classes a model file may name: those of the registry, by name and never by path."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from hornbook.persist._errors import Damaged, quoted
from hornbook.registry import LEARNERS, RECORDS, learner_class

__all__ = ["find_learner", "find_record", "is_learner", "is_record", "record_name"]


def is_learner(value: object) -> bool:
    """Whether a value is a learner of the registry, and does not merely share a name with one."""
    name = type(value).__name__
    return name in LEARNERS and learner_class(name) is type(value)


def is_record(value: object) -> bool:
    """Whether a value is one of the dataclasses that models consist of."""
    return record_name(value) is not None


def record_name(value: object) -> str | None:
    """Return the name under which model files know the class of a value; None for other classes."""
    cls: Any = type(value)
    return _name_of(cls)


@cache  # asked for every value in a file
def _name_of(cls: Any) -> str | None:
    ending = f":{cls.__name__}"
    names = (name for name, place in RECORDS.items() if place.endswith(ending))
    return next((name for name in names if _record_class(name) is cls), None)


def find_learner(name: object) -> Any:
    """Return the learner class with that name."""
    if not isinstance(name, str) or name not in LEARNERS:
        raise Damaged(f"it names the learner {quoted(name)}, which this version of Hornbook does not have.")
    return learner_class(name)


def find_record(name: object) -> Any:
    """Return the dataclass with that name."""
    if not isinstance(name, str) or name not in RECORDS:
        raise Damaged(f"it names the record {quoted(name)}, which this version of Hornbook does not have.")
    return _record_class(name)


def _record_class(name: str) -> Any:
    module, _, class_name = RECORDS[name].partition(":")
    return getattr(import_module(module), class_name)
