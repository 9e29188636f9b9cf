"""What a model file is: name, version, members, types of arrays, limits."""

from __future__ import annotations

from typing import Any, TypeAlias

__all__ = [
    "ARRAY_TYPES",
    "FORMAT",
    "FORMAT_VERSION",
    "HEADER",
    "MAX_ARRAYS",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_HEADER_BYTES",
    "MAX_INT_DIGITS",
    "MAX_JSON_DEPTH",
    "Json",
    "member",
]

Json: TypeAlias = Any

FORMAT = "hornbook-model"
FORMAT_VERSION = 2  # since version 2 a file may contain a fingerprint of the training rows
HEADER = "model.json"

MAX_BYTES = 2 * 2**30  # uncompressed size of all members, unless the user allows more
MAX_HEADER_BYTES = 64 * 2**20
MAX_ARRAYS = 100_000
MAX_DEPTH = 64  # values within values
MAX_JSON_DEPTH = 4 * MAX_DEPTH + 8  # each takes up to four brackets
MAX_INT_DIGITS = 640  # as many as Python parses under its strictest limit

# As they are written: bytes and booleans have no byte order, all else is little-endian.
ARRAY_TYPES = frozenset(["|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"])


def member(index: int) -> str:
    """Return the name of an array inside the file."""
    return f"arrays/{index}.npy"
