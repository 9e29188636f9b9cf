"""A fingerprint of the training rows: enough to recognize them, without any of their cells.

A row is hashed column by column, by name, with its target: a number by its bits, a category by its text. So
neither the order of rows and columns nor the kind of table matters. The sums of the hashes show whether other
rows are exactly the same. A sample of at most 1,024 hashes, the lowest ones (the k-minimum-values sketch of
Bar-Yossef et al., 2002), estimates how many of other rows were among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from hashlib import blake2b
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Block, Blocks, Frame, Schema, align, as_frame
from hornbook.params import threads

__all__ = ["Fingerprint", "Overlap", "fingerprint_of"]

MOST = 1024  # hashes kept
TOGETHER = 16  # chunks hashed in one call, because the levels of categories are hashed anew in each
FEWEST = 20  # rows needed to estimate a fraction, unless all hashes were kept
TARGET = "\0target"  # no column of a table is called so
MISSING = np.uint64(0x9E3779B97F4A7C15)

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Overlap:
    """How many of some rows were training rows of a model.

    Parameters
    ----------
    same : bool
        Whether they are exactly the training rows.
    share : float or None
        The fraction of them that were training rows; None when too few can be recognized.
    """

    same: bool
    share: float | None


@dataclass(frozen=True)
class Fingerprint:
    """What a model file keeps of the training rows.

    Parameters
    ----------
    n_rows : int
        How many there were.
    digest : str
        Sums of their hashes, 32 hexadecimal digits.
    limit : str
        The highest hash of the sample, 16 hexadecimal digits.
    hashes : str
        The sample, salted with the digest, 16 digits each.
    """

    n_rows: int
    digest: str
    limit: str
    hashes: str

    def overlap(self, rows: Any, schema: Schema) -> Overlap:
        """Estimate how many of other rows were training rows.

        Parameters
        ----------
        rows : Frame, Blocks, (X, y) or iterable of (X, y)
            The rows, with their target.
        schema : Schema
            The columns of the fit.
        """
        sample = self._sample()
        state = (schema, np.uint64(int(self.limit, 16)), self.digest, sample)
        parts = [rows] if isinstance(rows, Blocks | Frame | tuple) else rows
        *sums, judged, known = reduce(
            add, (_blocks(part, schema).reduce(_matches, *state, together=TOGETHER) for part in parts)
        ).tolist()
        same = sums == [self.n_rows, *self._digest_sums()]
        # Hashes up to the limit are a random sample of any rows: the share of them that is known estimates
        # that of all.
        enough = judged >= FEWEST or (judged and len(sample) < MOST)
        return Overlap(same, 1.0 if same else known / judged if enough else None)

    def _sample(self) -> Hashes:
        return np.array(
            [int(self.hashes[at : at + 16], 16) for at in range(0, len(self.hashes), 16)], dtype=np.uint64
        )

    def _digest_sums(self) -> list[int]:
        return [int(self.digest[:16], 16), int(self.digest[16:], 16)]


def fingerprint_of(rows: Any, schema: Schema) -> Fingerprint:
    """Return the fingerprint of training rows.

    Parameters
    ----------
    rows : Frame, Blocks or (X, y)
        The rows, with their target.
    schema : Schema
        The columns of the fit.
    """
    sums, lowest = _blocks(rows, schema).reduce(_sketch, schema, merge=_joined, together=TOGETHER)
    n_rows, *parts = sums.tolist()
    digest = "".join(f"{part:016x}" for part in parts)
    # If the sample is not full, it contains all hashes.
    limit = int(lowest[-1]) if len(lowest) == MOST else 2**64 - 1
    salted = np.sort(_salted(lowest, digest))
    return Fingerprint(n_rows, digest, f"{limit:016x}", "".join(f"{word:016x}" for word in salted.tolist()))


def _blocks(rows: Any, schema: Schema) -> Blocks:
    if isinstance(rows, Blocks):
        return rows
    if isinstance(rows, tuple):
        block = Block(as_frame(rows[0]).features, np.asarray(rows[1]))
        return Blocks.of(block, schema, threads(None))
    return Blocks(as_frame(rows))


def _sketch(block: Block, schema: Schema) -> tuple[Hashes, Hashes]:
    """Sums of the hashes of some rows, and the lowest of them."""
    hashes = _hashes(block, schema)
    return _sums(hashes), np.unique(hashes)[:MOST]


def _joined(one: tuple[Hashes, Hashes], other: tuple[Hashes, Hashes]) -> tuple[Hashes, Hashes]:
    return one[0] + other[0], np.unique(np.concatenate([one[1], other[1]]))[:MOST]


def _matches(block: Block, schema: Schema, limit: np.uint64, digest: str, sample: Hashes) -> Hashes:
    """Sums of the hashes of some rows, how many of them the sample could contain, and how many it does."""
    hashes = _hashes(block, schema)
    low = hashes[hashes <= limit]
    known = np.count_nonzero(np.isin(_salted(low, digest), sample))
    return np.append(_sums(hashes), np.array([len(low), known], dtype=np.uint64))


def _sums(hashes: Hashes) -> Hashes:
    """How many there are, and sums of them and of their squares, which do not depend on the order."""
    parts = [len(hashes), hashes.sum(dtype=np.uint64), _mixed(hashes * hashes).sum(dtype=np.uint64)]
    return np.array(parts, dtype=np.uint64)


def _hashes(block: Block, schema: Schema) -> Hashes:
    # Categories that the model does not know are kept, so that they do not pass for missing cells.
    frame = align(block.X.features, schema, extend=True)
    total = np.zeros(len(frame), dtype=np.uint64)
    for j, column in enumerate(frame.schema.columns):
        cells = frame.column(j)
        if column.kind == "numeric":
            words = _numbers(cells)
        else:
            levels = np.array([*map(_text, column.levels), MISSING], dtype=np.uint64)
            words = levels[cells]
        # A sum of the columns' words, each mixed with its name, so that the order of columns does not matter.
        total += _mixed(words ^ _text(column.name))
    if block.y is not None:
        total += _mixed(_target(block.y) ^ _text(TARGET))
    return _mixed(total)


def _numbers(cells: NDArray[Any]) -> Hashes:
    """The bits of numbers: one zero, one kind of missing."""
    numbers = np.asarray(cells, dtype=np.float64) + 0.0
    return np.where(np.isnan(numbers), MISSING, numbers.view(np.uint64))


def _target(labels: NDArray[Any]) -> Hashes:
    numbers = {int, float}
    if labels.dtype.kind == "O" and {type(label) for label in labels.tolist()} <= numbers:
        labels = labels.astype(np.float64)
    if labels.dtype.kind in "iuf":
        words = _numbers(labels)
        return words if words.ndim == 1 else _mixed(words).sum(axis=1, dtype=np.uint64)
    distinct, place = np.unique(labels.astype(str), return_inverse=True)
    return np.array([_text(label) for label in distinct.tolist()], dtype=np.uint64)[place]


def _text(value: object) -> np.uint64:
    """Hash the text of a value; 1 and 1.0 are one number, True and "True" one text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = float(value)
    content = str(value).encode("utf-8", "surrogatepass")
    return np.uint64(int.from_bytes(blake2b(content, digest_size=8).digest(), "little"))


def _mixed(words: Hashes) -> Hashes:
    """Mix every bit of a word into all others (the finalizer of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(words ^ (words >> np.uint64(31)))


def _salted(hashes: Hashes, digest: str) -> Hashes:
    """Salted hashes, different in each file, so that files cannot be linked to each other."""
    return _mixed(_mixed(hashes ^ np.uint64(int(digest[:16], 16))) ^ np.uint64(int(digest[16:], 16)))
