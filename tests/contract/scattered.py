"""Rows that other processes compute on: nothing but pickled arguments and results reaches them."""

from __future__ import annotations

import pickle

import numpy as np

from hornbook.frame import CHUNK, Carry, LostRowsError, Residents
from hornbook.frame.rows._block import Block, chunks_of, taken
from hornbook.frame.rows._rows import _result, chosen, pairwise

PIECE = 16  # chunks that are never parted between residents, as on a cluster


class Lossy(Carry):
    """A carry that knows how to have back what it has lost."""

    chunks = ()

    def gather(self):
        return tuple(map(np.concatenate, zip(*map(self.arrays, self.chunks), strict=True)))


def sent(message):
    """A message as it arrives in another process."""
    return pickle.loads(pickle.dumps(message))  # noqa: S301 - our own


class ScatteredResidents(Residents):
    """Three objects, each with some pieces of the rows; what reaches them and comes back is pickled.

    They are asked in scrambled order, and one of them is lost twice.
    """

    LOSSES = (3, 20)  # questions at which that happens

    def __init__(self, pieces, make, state, order):
        self._shares = [share for share in (pieces[i::3] for i in range(3)) if share]
        self._objects = [None] * len(self._shares)
        self._make = make
        self._order = order
        self._asked = 0
        self.restore(*state)

    def restore(self, *state):
        for i, share in enumerate(self._shares):
            if self._objects[i] is None:
                make, blocks, there = sent((self._make, share, state))
                self._objects[i] = make(blocks, 1, *there)

    def ask(self, method, *args, merge):
        self._asked += 1
        if self._asked in self.LOSSES:
            self._objects[self._asked % len(self._objects)] = None
            raise LostRowsError("lost, to see what happens")
        objects = [self._objects[i] for i in self._order.permutation(len(self._objects))]
        first, *others = [sent(getattr(item, method)(*sent(args))) for item in objects]
        for other in others:
            first = merge(first, other)
        return first


class Scattered:
    """Rows in parts; every call of a function happens in one of several processes, in scrambled order.

    A third of what is carried is lost after each pass and has to be made anew.
    """

    held = None
    threads = 1
    is_one_block = False
    elsewhere = True

    def __init__(self, pool, parts, order):
        self.n_rows = sum(map(len, parts))
        self._pool = pool
        self._parts = parts
        self._order = order

    def __iter__(self):
        return iter(self._parts)

    def _called(self, calls):
        """Results of calls, which are made in random order."""
        futures = {i: self._pool.submit(*calls[i]) for i in self._order.permutation(len(calls))}
        return [futures[i].result() for i in range(len(calls))]

    def map(self, function):
        parts = self._called([(_result, function, (), part) for part in self._parts])
        return Scattered(self._pool, parts, self._order)

    def where(self, function):
        parts = self._called([(chosen, function, part) for part in self._parts])
        return Scattered(self._pool, parts, self._order)

    def carry(self, make, state):
        return Lossy(make, state)

    def residents(self, make, state):
        pieces = list(chunks_of(self._parts, PIECE * CHUNK))
        return ScatteredResidents(pieces, make, state, self._order)

    def kept(self, carry):
        parts = [Block(*carry.arrays(chunk), start=chunk.start) for chunk in carry.chunks]
        return Scattered(self._pool, parts, self._order)

    def reduce(self, function, state, merge, carry=None, together=1, reads=False):
        chunks = list(chunks_of(self._parts, together * CHUNK))
        if carry is None:
            results = self._called([(_result, function, state, chunk) for chunk in chunks])
        elif reads:
            kept = self._kept(chunks, carry)
            results = self._called([(_result, function, (kept[c.start], *state), c) for c in chunks])
        else:
            results = self._carried(chunks, function, state, carry)
        return pairwise(results, sent(merge))

    def _kept(self, chunks, carry):
        """The arrays of all chunks; lost ones are made."""
        lost = [chunk for chunk in chunks if carry.store.get(chunk.start) is None]
        made = self._called([(_result, carry.make, carry.state, chunk) for chunk in lost])
        before = dict(zip([chunk.start for chunk in lost], made, strict=True))
        return {chunk.start: before.get(chunk.start) or carry.store.get(chunk.start) for chunk in chunks}

    def _carried(self, chunks, function, state, carry):
        kept = self._kept(chunks, carry)
        calls = [(_result, function, (*_buffers(carry, kept[c.start]), *state), c) for c in chunks]
        pairs = self._called(calls)
        carry.store, carry.chunks = carry.new_store(), chunks
        for i, (chunk, (_, arrays)) in enumerate(zip(chunks, pairs, strict=True)):
            if i % 3 != 1:
                carry.store.put(chunk.start, arrays)
        return [result for result, _ in pairs]

    def fold(self, function, value, state, together=1, order=None):
        chunks = list(chunks_of(self._parts, CHUNK if order is not None else together * CHUNK))
        for chunk in chunks if order is None else [chunks[start // CHUNK] for start in order]:
            value = self._pool.submit(_result, function, (value, *state), chunk).result()
        return value

    def take(self, rows):
        return taken(self._parts, np.asarray(rows))


def _buffers(carry, arrays):
    return (arrays, tuple(map(np.empty_like, arrays))) if carry.double_buffered else (arrays,)
