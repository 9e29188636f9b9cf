"""Open DATA, a file or the name of a bundled data set, and choose its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import hornbook
from hornbook.cli._console import Console
from hornbook.cli._reading import Reading

__all__ = ["is_dataset", "open_rows", "open_table", "require_data", "unnamed_target"]

STREAMED_BYTES = 64 << 20  # larger files are streamed by commands that do not need all rows at once


def is_dataset(data: str) -> bool:
    """Whether DATA is the name of a data set; an error when it is neither that nor a file.

    Parameters
    ----------
    data : str
        The argument; a file takes precedence over a data set of the same name.
    """
    if hornbook.datasets.is_name(data):
        return True
    exists = data == hornbook.frame.STANDARD_INPUT or Path(data).exists()
    if not exists and not Path(data).suffix and Path(data).name == data:
        near = hornbook.params.suggest(data, hornbook.datasets.names())
        near = near or " `hornbook datasets` lists the data sets."
        raise ValueError(f"there is no file and no data set '{data}'.{near}")
    return False


def require_data(data: str) -> None:
    """Reject DATA that is neither a file nor a data set, and suggest a similar name.

    Parameters
    ----------
    data : str
        The argument.
    """
    if not is_dataset(data) and data != hornbook.frame.STANDARD_INPUT and not Path(data).exists():
        hornbook.read(data)  # raises an error that suggests a similar file


def open_table(
    data: str,
    console: Console,
    reading: Reading,
    *,
    target: str | None,
    weight: str | None = None,
    ignore: Sequence[str] = (),
) -> hornbook.Frame:
    """Read DATA and assign roles; without ``target``, the last column is the target, and a note says so.

    Parameters
    ----------
    data : str
        A file, "-" for standard input, or the name of a data set.
    console : Console
        Where to print the choices made.
    reading : Reading
        How to read it.
    target, weight : str, optional
        Columns with these roles.
    ignore : sequence of str, default ()
        Columns to leave out.
    """
    if is_dataset(data):
        table = hornbook.Frame(reading.dataset(data), target=target, weight=weight)
    else:
        table = hornbook.read(data, target=target, weight=weight, **reading.file_options)
        console.detail(f"read {table.source}")
    for name in ignore:
        table.schema.position(name)
    if ignore:
        table = table.select([name for name in table.schema.names if name not in ignore])
    if table.schema.find("target") is not None:
        return table
    return hornbook.Frame(table, target=unnamed_target(data, table.schema, console))


def unnamed_target(data: str, schema: hornbook.frame.Schema, console: Console) -> str:
    """Choose the target when none is named: a data set's own, or the last column of a file.

    Parameters
    ----------
    data : str
        A file or the name of a data set.
    schema : Schema
        Its columns.
    console : Console
        Where to print the choice.
    """
    if is_dataset(data):
        place = hornbook.datasets.load(data).schema.find("target")
        name, what, why = None if place is None else schema.names[place], "column", "has no target"
    else:
        name = hornbook.frame.default_target(schema)
        what, why = "last column", f"has {len(schema.features)} column"
    if name is None:
        raise ValueError(f"'{data}' {why}: a target and at least one other column are needed; see --target.")
    console.note(f"target: the {what} '{name}'; --target names another.")
    return name


def open_rows(data: str, console: Console, reading: Reading) -> hornbook.Blocks:
    """Open DATA without roles; large files and pipes are streamed.

    Parameters
    ----------
    data : str
        A file, "-" for standard input, or the name of a data set.
    console : Console
        Where to print how the file was parsed.
    reading : Reading
        How to read it.
    """
    if is_dataset(data):
        table = reading.dataset(data)
        columns = tuple(replace(column, role="feature") for column in table.schema.columns)
        plain = hornbook.frame.Schema(columns, table.schema.named)
        return hornbook.Blocks(
            hornbook.Frame.from_columns(plain, [table.column(name) for name in plain.names], len(table))
        )
    # The size of a pipe is not known in advance.
    large = not Path(data).is_file() or Path(data).stat().st_size > STREAMED_BYTES
    options = reading.file_options
    blocks = hornbook.scan(data, **options) if large else hornbook.Blocks(hornbook.read(data, **options))
    console.detail(f"{'read in pieces' if large else 'read'} {blocks.source}")
    return blocks
