"""A fingerprint of the training rows: enough to recognize them, without any of their cells.

A row is hashed column by column, by name, with its target: a number by its bits, a category by its text. So
neither the order of rows and columns nor the kind of table matters. The sums of the hashes show whether other
rows are exactly the same. A sample of at most 1,024 hashes, the lowest ones (the k-minimum-values sketch of
Bar-Yossef et al., 2002), estimates how many of other rows were among them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Blocks, Frame, Schema, align, as_frame

__all__ = ["Fingerprint", "Overlap", "fingerprint_of"]

MOST = 1024  # hashes kept
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

    def overlap(self, rows: Iterable[tuple[Frame, Any]], schema: Schema) -> Overlap:
        """Estimate how many of other rows were training rows.

        Parameters
        ----------
        rows : iterable of (Frame, array)
            Features and target, piece by piece.
        schema : Schema
            The columns of the fit.
        """
        count, sums, judged, known = 0, (0, 0), 0, 0
        limit, sample = np.uint64(int(self.limit, 16)), self._sample()
        for hashes in _hashes(rows, schema):
            count, sums = count + len(hashes), _added(sums, hashes)
            low = hashes[hashes <= limit]
            judged += len(low)
            known += int(np.isin(_salted(low, self.digest), sample).sum())
        same = (count, _hex(*sums)) == (self.n_rows, self.digest)
        enough = judged >= FEWEST or (judged and len(sample) < MOST)
        return Overlap(same, 1.0 if same else known / judged if enough else None)

    def _sample(self) -> Hashes:
        return np.array(
            [int(self.hashes[at : at + 16], 16) for at in range(0, len(self.hashes), 16)], dtype=np.uint64
        )


def fingerprint_of(rows: Any, schema: Schema) -> Fingerprint:
    """Return the fingerprint of training rows.

    Parameters
    ----------
    rows : Frame, Blocks or (X, y)
        The rows, with their target.
    schema : Schema
        The columns of the fit.
    """
    count, sums, lowest = 0, (0, 0), np.empty(0, dtype=np.uint64)
    for hashes in _hashes(_pieces(rows), schema):
        count, sums = count + len(hashes), _added(sums, hashes)
        lowest = np.unique(np.concatenate([lowest, hashes]))[:MOST]
    digest = _hex(*sums)
    # If the sample is not full, it contains all hashes.
    limit = int(lowest[-1]) if len(lowest) == MOST else 2**64 - 1
    salted = np.sort(_salted(lowest, digest))
    return Fingerprint(count, digest, f"{limit:016x}", "".join(f"{word:016x}" for word in salted.tolist()))


def _pieces(rows: Any) -> Iterator[tuple[Frame, Any]]:
    if isinstance(rows, Blocks):
        yield from ((block.X.features, block.y) for block in rows)
    elif isinstance(rows, tuple):
        yield as_frame(rows[0]).features, rows[1]
    else:
        frame = as_frame(rows)
        yield frame.features, frame.y


def _hashes(pieces: Iterable[tuple[Frame, Any]], schema: Schema) -> Iterator[Hashes]:
    for features, target in pieces:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about unknown categories, which do not matter here
            frame = align(features, schema)
        total = np.zeros(len(frame), dtype=np.uint64)
        for j, column in enumerate(schema.columns):
            cells = frame.column(j)
            if column.kind == "numeric":
                words = _numbers(cells)
            else:
                table = np.array([*(_text(level) for level in column.levels), MISSING], dtype=np.uint64)
                words = table[cells]
            total += _mixed(words ^ _text(column.name))
        if target is not None:
            total += _mixed(_target(np.asarray(target)) ^ _text(TARGET))
        yield _mixed(total)


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


def _added(sums: tuple[int, int], hashes: Hashes) -> tuple[int, int]:
    """Sums of hashes and of their squares, which do not depend on the order."""
    squares = int(_mixed(hashes * hashes).sum(dtype=np.uint64))
    return (sums[0] + int(hashes.sum(dtype=np.uint64))) % 2**64, (sums[1] + squares) % 2**64


def _hex(one: int, other: int) -> str:
    return f"{one:016x}{other:016x}"
