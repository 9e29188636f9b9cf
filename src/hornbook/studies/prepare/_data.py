"""The table of a study, with its target and other roles."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hornbook import datasets
from hornbook.frame import (
    MISSING,
    STANDARD_INPUT,
    Frame,
    Schema,
    as_frame,
    default_target,
    detect_task,
    kinds_from_text,
    read,
)
from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._training_data import require_column

__all__ = ["WITHOUT_TARGET", "Opened", "open_data"]

WITHOUT_TARGET = ("clustering", "outliers")  # tasks


@dataclass(frozen=True)
class Opened:
    """A table with roles, and settings with target and task filled in.

    Parameters
    ----------
    frame : Frame
        The table with its target and, if requested, weights, groups and names of rows.
    settings : Settings
        Those of the user, with data, target and task filled in.
    notes : tuple of str
        The choices made.
    fingerprint : str
        Hash of the table.
    test : Frame, optional
        The rows that are held out until the end.
    """

    frame: Frame
    settings: Settings
    notes: tuple[str, ...]
    fingerprint: str
    test: Frame | None = None


def open_data(data: Any, settings: Settings, test: Any = None) -> Opened:
    """Open a table and determine its target and task.

    Parameters
    ----------
    data : str, path, Frame, DataFrame or other table
        A file, the name of a table of `hornbook.datasets`, or a table in memory.
    settings : Settings
        Settings of the user.
    test : str, path or table, optional
        Rows that are held out until the end.
    """
    table = data if data is not None else settings.data
    if isinstance(table, str | os.PathLike):
        name = os.fspath(table)
        frame, settings = _named(name, settings), replace(settings, data=name)
    else:
        frame, settings = _in_memory(as_frame(table), settings), replace(settings, data="")
    notes = []
    if frame.source is not None:
        notes.append(f"data: {frame.source}")
    target, note = (_set_aside if settings.task in WITHOUT_TARGET else _target)(frame, settings)
    notes.append(note)
    frame = _with_roles(frame, target, settings)
    task, note = _task(frame, settings)
    notes.append(note)
    weight, group, name = (_name(frame.schema, role) for role in ("weight", "group", "id"))
    settings = replace(settings, target=target, task=task, weight=weight, group=group, id=name)
    held_out, settings = _test_table(test, settings)
    return Opened(frame, settings, tuple(notes), _fingerprint(frame), held_out)


def _test_table(test: Any, settings: Settings) -> tuple[Frame | None, Settings]:
    """The rows to be tested on in the end, without roles, and settings that name them."""
    table = settings.test if test is None else test
    if table is None:
        return None, settings
    if not isinstance(table, str | os.PathLike):
        return Frame(as_frame(table), kinds=_kinds(settings)), replace(settings, test="")
    name = os.fspath(table)
    if not name:
        raise StudyError("the test table of this study was in memory: pass it with test=.")
    rows = _named(name, replace(settings, delimiter=None, missing=()) if datasets.is_name(name) else settings)
    return rows, replace(settings, test=name)


def _named(name: str, settings: Settings) -> Frame:
    if not name:
        raise StudyError("a study needs data: pass a table, a file or the name of a data set.")
    if datasets.is_name(name):
        return _in_memory(datasets.load(name), settings)
    if name == STANDARD_INPUT or Path(name).exists():
        marks = [*MISSING, *settings.missing] if settings.missing else None
        return read(name, kinds=_kinds(settings), delimiter=settings.delimiter, missing=marks)
    raise StudyError(
        f"there is no file and no data set {name!r}; hornbook.datasets.names() lists the data sets."
        f"{suggest(name, datasets.names())}"
    )


def _kinds(settings: Settings) -> Any:
    try:
        return kinds_from_text(settings.kinds) or None
    except ValueError as error:
        raise StudyError(f"study: parameter 'kinds': {error}") from error


def _in_memory(frame: Frame, settings: Settings) -> Frame:
    for name in ("delimiter", "missing"):
        if getattr(settings, name):
            raise StudyError(f"{name}= is for files, and this table is not one: leave it out.")
    kinds = _kinds(settings)
    return frame if kinds is None else Frame(frame, kinds=kinds)


def _with_roles(frame: Frame, target: str | None, settings: Settings) -> Frame:
    for role, name in (
        *(("weight", settings.weight), ("group", settings.group)),
        *(("time", settings.time), ("id", settings.id)),
    ):
        if name is not None:
            require_column(frame.schema.names, name, f"for {role}=")
    if settings.time is not None and settings.group is not None:
        raise StudyError("time= and group= ask for different folds: leave one of them out.")
    if settings.time is not None and settings.time in (target, settings.weight, settings.id):
        raise StudyError(f"the column {settings.time!r} cannot be the time and something else: choose one.")
    return Frame(frame, target=target, weight=settings.weight, group=settings.group, id=settings.id)


def _name(schema: Schema, role: Any) -> str | None:
    place = schema.find(role)
    return None if place is None else schema.names[place]


def _target(frame: Frame, settings: Settings) -> tuple[str, str]:
    names = frame.schema.names
    if settings.target is not None:
        require_column(names, settings.target, "to be the target")
        return settings.target, f"target: the column {settings.target!r}, as requested"
    own = _name(frame.schema, "target")
    if own is not None:
        return own, f"target: the column {own!r}, declared by the table"
    if datasets.is_name(settings.data):
        raise StudyError(
            f"a study needs a target, and the table {settings.data!r} has none: name one of its columns "
            f"{', '.join(map(repr, names))} with target=, or choose another table."
        )
    last = default_target(
        frame.schema, {settings.weight, settings.group, settings.time, settings.id, *settings.ignore}
    )
    if last is None:
        raise StudyError(
            "a study needs a target and at least one more column; the table has fewer than two to choose "
            "from: name the target with target=, and add columns to predict it from."
        )
    return last, f"target: the last column {last!r}; target= names another"


def _set_aside(frame: Frame, settings: Settings) -> tuple[str | None, str]:
    """The column that takes no part, if there is one; clusters are compared with it."""
    clusters = settings.task == "clustering"
    use = "; clusters are compared with it" if clusters else ""
    if settings.target is not None:
        require_column(frame.schema.names, settings.target, "to set aside")
        return settings.target, f"target: {settings.target!r} is set aside{use}"
    own = _name(frame.schema, "target")
    if own is None:
        purpose = "compare clusters with" if clusters else "set aside"
        return None, f"target: none; target= names a column to {purpose}"
    return own, f"target: {own!r}, declared by the table, is set aside{use}"


def _task(frame: Frame, settings: Settings) -> tuple[Any, str]:
    if settings.task in WITHOUT_TARGET:
        return settings.task, f"task: {settings.task}, as requested"
    place = frame.schema.find("target")
    assert place is not None  # named above
    column = frame.schema.columns[place]
    if settings.task == "regression" and column.kind != "numeric":
        raise StudyError(
            f"the target {column.name!r} is {column.kind}, so it cannot be the target of a regression: "
            "use task='classification', or choose another target."
        )
    if settings.task != "auto":
        return settings.task, f"task: {settings.task}, as requested"
    if detect_task(frame) == "regression":
        why = "dates" if column.source == "date" else "numbers with many distinct values"
        return "regression", f"task: regression, because {column.name!r} holds {why}; task= overrides this"
    why = f"is {column.kind}" if column.kind != "numeric" else "holds few distinct integers"
    return "classification", f"task: classification, because {column.name!r} {why}; task= overrides this"


def _fingerprint(frame: Frame) -> str:
    """Hash of all cells, kinds and names; the same for a table in a file and in memory."""
    # Numbers as float64: a file gives 64-bit integers where the user's array may have had 8 bits, and a study
    # must be resumable from either.
    digest = hashlib.sha256()
    for j, column in enumerate(frame.schema.columns):
        values = frame.column(j)
        plain = values.astype(np.float64) if column.kind == "numeric" else values.astype(np.int32)
        digest.update(repr((column.name, column.kind, column.levels)).encode())
        digest.update(np.ascontiguousarray(plain).tobytes())
    return digest.hexdigest()
