"""Looking into a model file without loading the model."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hornbook.display import plain_data
from hornbook.frame import Column, Schema
from hornbook.persist._archive import Archive
from hornbook.persist._closed_list import find_learner
from hornbook.persist._decode import Unpacker
from hornbook.persist._errors import Damaged, fence
from hornbook.persist._fingerprint import Fingerprint
from hornbook.persist._format import MAX_BYTES, MAX_HEADER_BYTES
from hornbook.persist._header import Header

__all__ = ["FileInfo", "inspect_file"]

SHOWN_LEVELS = 6


@dataclass(frozen=True)
class FileInfo:
    """What a model file says about itself; nothing of it has been verified.

    Parameters
    ----------
    path : str
        The file.
    learner : str
        Class of the model.
    parameters : dict
        Its parameters; an array is described in words.
    columns : tuple of Column
        The columns on which it was fitted.
    target : str or None
        Name of the column that it predicts; None when it was fitted without one.
    attributes : tuple of str
        Names of its fitted attributes.
    format_version : int
        Version of the file's format.
    library_version, python_version, numpy_version : str
        What it was saved with.
    n_arrays : int
        Number of arrays in the file.
    array_bytes : int
        Their size.
    file_bytes : int
        Size of the file.
    fingerprint : Fingerprint, optional
        What it keeps of the training rows, to recognize them; None when it keeps nothing.
    """

    path: str
    learner: str
    parameters: dict[str, Any]
    columns: tuple[Column, ...]
    target: str | None
    attributes: tuple[str, ...]
    format_version: int
    library_version: str
    python_version: str
    numpy_version: str
    n_arrays: int
    array_bytes: int
    file_bytes: int
    fingerprint: Fingerprint | None = None

    def __str__(self) -> str:
        versions = f"{self.library_version}, Python {self.python_version}, NumPy {self.numpy_version}"
        lines = [
            f"{self.learner} in {self.path}",
            f"saved with Hornbook {versions} (format version {self.format_version})",
            f"{self.file_bytes} bytes, {self.n_arrays} arrays of {self.array_bytes} bytes",
            "parameters",
            *(f"  {name} = {value!r}" for name, value in self.parameters.items()),
            "columns",
            *(f"  {column.name!r} ({_described(column)})" for column in self.columns),
            *([] if self.target is None else ["target", f"  {self.target!r}"]),
            "attributes",
            f"  {', '.join(self.attributes)}",
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, ready for JSON."""
        columns = [
            {"name": column.name, "kind": column.kind, "source": column.source, "levels": list(column.levels)}
            for column in self.columns
        ]
        # Infinity is a legal value of some parameters, so it is kept as it is.
        parameters = plain_data(self.parameters, infinite=float, other=repr)
        mark = None if self.fingerprint is None else vars(self.fingerprint)
        plain = {"columns": columns, "parameters": parameters, "attributes": list(self.attributes)}
        return {**vars(self), **plain, "fingerprint": mark}


def inspect_file(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> FileInfo:
    """Read what a model file says about itself, without its arrays and without verifying the model.

    Parameters
    ----------
    path : str or path
        The file.
    max_bytes : int, default 2 GiB
        The most memory its content may take.

    Returns
    -------
    info : FileInfo
        Class, parameters, columns, versions and sizes.

    Raises
    ------
    ModelFileError
        Whatever is wrong with the file, in one sentence that names it.

    Examples
    --------
    >>> import tempfile
    >>> import hornbook
    >>> from hornbook.persist import inspect_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hornbook.save(hornbook.Baseline().fit({"age": [31.0, 60.0]}, [0, 1]), f"{folder}/a.hornbook")
    ...     info = inspect_file(f"{folder}/a.hornbook")
    >>> info.learner, info.parameters["strategy"], [column.name for column in info.columns]
    ('Baseline', 'prior', ['age'])
    """
    with fence(path), Archive(Path(os.fsdecode(path)), max_bytes) as archive:
        header = Header.of(archive.header())
        archive.check_members()
        # Arrays are put into words instead of read, so that looking into a large file costs little.
        unpack = Unpacker(_in_words, min(max_bytes, MAX_HEADER_BYTES))
        # From the closed list of learners: a name in a file is never imported.
        find_learner(header.learner)
        if not isinstance(header.state, dict) or not isinstance(header.parameters, dict):
            raise Damaged("its parameters or fitted attributes are missing.")
        schema = unpack.value(header.state.get("schema_"))
        if not isinstance(schema, Schema):
            raise Damaged("it does not say on which columns the model was fitted.")
        target = unpack.value(header.state.get("target_name_"))
        if target is not None and not isinstance(target, str):
            raise Damaged("the name of its target is not a text.")
        return FileInfo(
            os.fsdecode(path),
            header.learner,
            {name: unpack.value(node) for name, node in header.parameters.items()},
            schema.columns,
            target,
            tuple(header.state),
            header.format_version,
            header.library_version,
            header.python_version,
            header.numpy_version,
            archive.n_arrays,
            archive.array_bytes,
            archive.file_bytes,
            header.fingerprint,
        )


def _in_words(_: int, dtype: str, shape: tuple[int, ...]) -> str:
    return f"{np.dtype(dtype).name} array of shape {shape}"


def _described(column: Column) -> str:
    if not column.levels:
        return column.kind
    shown = ", ".join(map(repr, column.levels[:SHOWN_LEVELS]))
    return f"{column.kind}: {shown}{', ...' if len(column.levels) > SHOWN_LEVELS else ''}"
