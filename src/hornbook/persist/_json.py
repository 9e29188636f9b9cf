"""Untrusted JSON: its memory is estimated before it is parsed, because a few bytes can claim a lot."""

from __future__ import annotations

import json
import re

import numpy as np

from hornbook.persist._errors import Damaged
from hornbook.persist._format import HEADER, MAX_INT_DIGITS, MAX_JSON_DEPTH, Json

__all__ = ["read_json"]

BYTES_OF_A_VALUE = 250  # of Python's memory, once as JSON and once as the decoded value
COPIES = (
    6  # copies of the text: itself, without strings, decoded, and its strings at up to 4 bytes per character
)
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
STEP = 2**20  # characters processed together
# How each character changes the nesting depth.
DEPTH = np.zeros(256, dtype=np.int8)
DEPTH[list(b"[{")], DEPTH[list(b"]}")] = 1, -1


def read_json(text: bytearray, room: int) -> Json:
    """Parse JSON that may take a limited amount of memory.

    Parameters
    ----------
    text : bytearray
        The JSON, in ASCII.
    room : int
        The most memory, in bytes, for it and for the decoded values.
    """
    if len(text) * COPIES > room or _cost(STRING.sub(b'""', text)) + len(text) * COPIES > room:
        raise Damaged(
            f"its {HEADER} takes more memory than allowed: pass a larger max_bytes if you trust it."
        )
    return json.loads(
        text.decode("ascii"), object_pairs_hook=_distinct, parse_constant=_no_constant, parse_int=_int
    )


def _cost(structure: bytes) -> int:
    """Memory of the values of JSON without its strings; rejected when they are nested too deeply."""
    depth = 0
    for start in range(0, len(structure), STEP):
        part = np.frombuffer(structure, dtype=np.uint8, count=min(STEP, len(structure) - start), offset=start)
        depths = depth + DEPTH[part].cumsum(dtype=np.int32)
        if depths.max() > MAX_JSON_DEPTH:
            raise Damaged(f"the parts of its {HEADER} are nested more than {MAX_JSON_DEPTH} deep.")
        depth = int(depths[-1])
    # Every value but the first follows one of these.
    return BYTES_OF_A_VALUE * (1 + sum(structure.count(mark) for mark in (b",", b":", b"[", b"{")))


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise Damaged(f"its {HEADER} has an entry twice.")
    return entries


def _no_constant(text: str) -> Json:
    raise Damaged(f"its {HEADER} holds {text}, which is not JSON.")


def _int(text: str) -> int:
    if len(text) > MAX_INT_DIGITS:
        raise Damaged(f"its {HEADER} holds an integer of {len(text)} digits.")
    return int(text)
