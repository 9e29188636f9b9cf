"""Passes over the rows in mini-batches, each of which changes the weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import CHUNK, Arrays, Block, Blocks
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._objective import Decay, Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats, blas_threads
from hornbook.random import Stream

__all__ = ["EpochState", "Piece", "TrainingRows", "adam", "run_epoch", "sgd"]

CHUNK_ORDER, ROW_ORDER = 5, 6  # streams
IN_MEMORY = 2**28  # bytes of rows that are not in memory themselves
RULES = {"gradient": 0, "momentum": 1, "nesterov": 2, "adam": 3}

MUCH = 2**22  # rows times weights of passes that are made in one call

Value = TypeVar("Value")
Piece = tuple[Floats, Floats, Floats | None, NDArray[np.int64]]  # rows, targets, weights, and their order


class TrainingRows:
    """The rows of a fit in an order that depends on seed and epoch alone, not on where they are.

    Chunks of 4096 rows are shuffled, and the rows within each. Rows that are read from a file are kept, up
    to a limit in memory and beyond it in a temporary file, because they are read in another order each time.
    Rows of other processes stay there, and the weights travel from chunk to chunk.

    Parameters
    ----------
    blocks : Blocks
        The rows, with target matrices.
    """

    def __init__(self, blocks: Blocks) -> None:
        self.n_rows = blocks.n_rows
        self.whole: Block | None = None
        self.distant = blocks if blocks.elsewhere else None
        if self.distant is not None:
            return
        if blocks.is_one_block:
            (block,) = blocks
            # Rows in one block are not copied: the kernel takes them in the order it is given.
            self.whole = Block(np.ascontiguousarray(block.X), block.y, block.w)
            return
        self.store = blocks.stored(_arrays, IN_MEMORY if blocks.lazy else None)

    def in_order(self, seed: int, epoch: int, *, shuffle: bool, batch: int = 1) -> Iterator[Piece]:
        """All rows, in pieces that hold whole batches, but for the last."""
        # Chunks in random order and rows in random order within them: a permutation of all rows would read a
        # file all over the place for each batch.
        starts = self._starts(seed, epoch, shuffle=shuffle)
        if self.whole is not None:
            yield self._all_rows(self._order(seed, epoch, shuffle=shuffle))
            return
        waiting: list[Piece] = []
        for start in starts:
            turns_here = _turns(self.n_rows, int(start), seed, epoch, shuffle=shuffle)
            ready, waiting = _whole_batches(_joined(waiting, self._chunk(int(start), turns_here)), batch)
            yield from ready
        yield from waiting

    def all_in_orders(self, seed: int, epochs: range, *, shuffle: bool) -> Piece:
        """All rows, which are in memory, with an order for each of several passes."""
        return self._all_rows(np.stack([self._order(seed, epoch, shuffle=shuffle) for epoch in epochs]))

    def _all_rows(self, order: NDArray[np.int64]) -> Piece:
        if self.whole is None:
            raise ValueError("the rows are not in memory")
        return self.whole.X, np.asarray(self.whole.y), self.whole.w, order

    def _order(self, seed: int, epoch: int, *, shuffle: bool) -> NDArray[np.int64]:
        if not shuffle:
            return np.arange(self.n_rows)
        starts = self._starts(seed, epoch, shuffle=True).tolist()
        return np.concatenate(
            [start + _turns(self.n_rows, start, seed, epoch, shuffle=True) for start in starts]
        )

    def walk(
        self, step: Callable[..., Value], value: Value, work: Any, options: Options, epoch: int
    ) -> Value:
        """Take a value through rows of other processes: ``value = step(piece, value, work)``."""
        assert self.distant is not None
        order = self._starts(options.seed, epoch, shuffle=options.shuffle)
        return self.distant.fold(_walked, value, step, work, self.n_rows, options, epoch, order=order)

    def _starts(self, seed: int, epoch: int, *, shuffle: bool) -> NDArray[np.int64]:
        """The order of the chunks."""
        starts = np.arange(0, self.n_rows, CHUNK)
        return starts[Stream(seed, CHUNK_ORDER, epoch).permutation(len(starts))] if shuffle else starts

    def _chunk(self, start: int, turns: NDArray[np.int64]) -> Piece:
        arrays = self.store.get(start)
        if arrays is None:
            raise KeyError(start)
        return _in_turn(arrays, turns)


def _turns(n_rows: int, start: int, seed: int, epoch: int, *, shuffle: bool) -> NDArray[np.int64]:
    """The order of the rows of a chunk."""
    # A stream for each chunk and pass, so that the order does not depend on which process has the chunk.
    n = min(CHUNK, n_rows - start)
    return Stream(seed, ROW_ORDER + 2 * epoch, start).permutation(n) if shuffle else np.arange(n)


def _in_turn(arrays: Arrays, turns: NDArray[np.int64]) -> Piece:
    X, targets, *w = arrays
    return X[turns], targets[turns], w[0][turns] if w else None, np.arange(len(turns))


def _whole_batches(waiting: list[Piece], batch: int) -> tuple[list[Piece], list[Piece]]:
    """The rows that make whole batches, and those that wait for more."""
    X, targets, w, _ = waiting[0]
    ready, left = len(X) // batch * batch, len(X) % batch
    first = (X[:ready], targets[:ready], _cut(w, 0, ready), np.arange(ready))
    rest = (X[ready:], targets[ready:], _cut(w, ready, len(X)), np.arange(left))
    return [first] if ready else [], [rest] if left else []


def _arrays(chunk: Block) -> Arrays:
    parts = (np.ascontiguousarray(chunk.X), np.ascontiguousarray(chunk.y))
    return parts if chunk.w is None else (*parts, chunk.w)


def _joined(waiting: list[Piece], piece: Piece) -> list[Piece]:
    if not waiting or not len(waiting[0][0]):
        return [piece]
    (X, targets, w, order), (more, more_targets, more_w, more_order) = waiting[0], piece
    weights = None if w is None or more_w is None else np.concatenate([w, more_w])
    joined = (np.concatenate([X, more]), np.concatenate([targets, more_targets]), weights)
    return [(*joined, np.concatenate([order, more_order]))]


def _cut(w: Floats | None, start: int, stop: int) -> Floats | None:
    return None if w is None else w[start:stop]


@dataclass
class EpochState:
    """What mini-batches change: weights, the rule's memory of gradients, and the number of steps."""

    weights: Floats
    first: Floats
    second: Floats
    steps: int = 0

    @classmethod
    def at(cls, weights: Floats) -> EpochState:
        """Before the first step."""
        return cls(weights.copy(), np.zeros_like(weights), np.zeros_like(weights))


@dataclass(frozen=True)
class Stride:
    """What does not change during a pass.

    Parameters
    ----------
    network, decay : Network, Decay
        The structure, and the penalty.
    rule : str
        How a gradient changes the weights.
    options : Options
        Rates and sizes.
    """

    network: Network
    decay: Decay
    rule: str
    options: Options

    def steps(self, piece: Piece, state: EpochState, sums: tuple[float, float]) -> tuple[float, float]:
        """Change the state by the batches of a piece; add their objectives and masses to the sums."""
        if self.decay.code is None:
            return _by_batches(piece, self.network, self.decay, self.rule, state, self.options, sums)
        X, targets, w, order = piece
        one = (X, targets, w, order[None])
        values, masses, _ = _by_kernel(one, self.network, self.decay, self.rule, state, self.options, sums)
        return float(values[0]), float(masses[0])


@dataclass(frozen=True)
class Walk:
    """What travels from chunk to chunk: the state, the sums, and rows that wait for their batch."""

    state: EpochState
    sums: tuple[float, float] = (0.0, 0.0)
    waiting: tuple[Piece, ...] = ()


def _walked(
    chunk: Block,
    value: Value,
    step: Callable[..., Value],
    work: Any,
    n_rows: int,
    options: Options,
    epoch: int,
) -> Value:
    turns = _turns(n_rows, chunk.start, options.seed, epoch, shuffle=options.shuffle)
    return step(_in_turn(_arrays(chunk), turns), value, work)


def _walked_batches(piece: Piece, walk: Walk, stride: Stride) -> Walk:
    ready, waiting = _whole_batches(_joined(list(walk.waiting), piece), stride.options.batch)
    state, sums = deepcopy(walk.state), walk.sums  # kernels change the weights in place
    for rows in ready:
        sums = stride.steps(rows, state, sums)
    return Walk(state, sums, tuple(waiting))


def sgd(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Stochastic gradient descent, with momentum or Nesterov's if there is any."""
    moving = "nesterov" if options.nesterov else "momentum"
    return _epochs(objective, start, options, moving if options.momentum > 0 else "gradient")


def adam(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Adam (Kingma and Ba 2015): steps in units of the running size of each derivative."""
    return _epochs(objective, start, options, "adam")


def _epochs(objective: Objective, start: Floats, options: Options, rule: str) -> Iterator[SolverStep]:
    rows, state, epoch = TrainingRows(objective.blocks), EpochState.at(start), 0
    network, decay, base = objective.network, objective.decay, options.rate
    while True:
        if options.power_t is not None:  # inverse scaling, by the rows seen
            options.rate = base / (epoch * rows.n_rows + 1) ** options.power_t
        # Not with a rate that changes from pass to pass, which the kernel takes once for a call.
        several = rows.whole is not None and decay.code is not None and options.power_t is None
        count = min(options.sure, MUCH // (rows.n_rows * len(start))) if several else 1
        if count > 1:  # small passes are made together: each would take less time than its call
            orders = rows.all_in_orders(options.seed, range(epoch, epoch + count), shuffle=options.shuffle)
            with blas_threads(1):
                sums, masses, weights = _by_kernel(orders, network, decay, rule, state, options, (0.0, 0.0))
            losses = np.divide(sums, masses, where=masses > 0, out=sums) if decay.per_row else sums
            for loss, after in zip(losses.tolist(), weights, strict=True):
                yield SolverStep(after, loss, rate=options.rate)
            epoch += count
            continue
        loss = run_epoch(rows, network, decay, rule, state, options, epoch)
        yield SolverStep(state.weights.copy(), loss, rate=options.rate)
        epoch += 1


def run_epoch(
    rows: TrainingRows,
    network: Network,
    decay: Decay,
    rule: str,
    state: EpochState,
    options: Options,
    epoch: int,
) -> float:
    """Go through all rows once, and change the state; return the mean objective of the batches.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    network, decay : Network, Decay
        The structure, and the penalty.
    rule : {"gradient", "momentum", "nesterov", "adam"}
        How a gradient changes the weights.
    state : EpochState
        What is changed.
    options : Options
        Rates and sizes.
    epoch : int
        The number of the pass, which decides the order of the rows.
    """
    stride, walk = Stride(network, decay, rule, options), Walk(state)
    if rows.distant is not None:
        walk = rows.walk(_walked_batches, walk, stride, options, epoch)
        # The caller keeps its object, which a pass over rows elsewhere could not change in place.
        vars(state).update(vars(walk.state))
        pieces: Iterable[Piece] = walk.waiting
    else:
        pieces = rows.in_order(options.seed, epoch, shuffle=options.shuffle, batch=options.batch)
    sums = walk.sums
    with blas_threads(1):
        for piece in pieces:
            sums = stride.steps(piece, state, sums)
    total, mass = sums
    return total / mass if decay.per_row and mass > 0 else total


def _by_kernel(
    piece: Piece,
    network: Network,
    decay: Decay,
    rule: str,
    state: EpochState,
    options: Options,
    sums: tuple[float, float],
) -> tuple[Floats, Floats, Floats]:
    """Sums of objectives, masses and weights after each pass over a piece, one for each of its orders."""
    keep = options.beta_1 if rule == "adam" else options.momentum
    counts = [RULES[rule], decay.code, decay.mean, options.batch, state.steps, options.seed & (2**63 - 1)]
    rates = [options.rate, keep, options.beta_2, options.epsilon, decay.alpha, decay.width, options.dropout]
    rates += sums
    values, masses, weights, state.steps = _native.network_epochs(
        *piece,
        *network.structure,
        np.array(counts, dtype=np.int64),
        np.array(rates, dtype=np.float64),
        state.weights,
        state.first,
        state.second,
        network.mask_or_none,
        options.single,
        options.n_threads,
    )
    return values, masses, weights


def _by_batches(
    piece: Piece,
    network: Network,
    decay: Decay,
    rule: str,
    state: EpochState,
    options: Options,
    sums: tuple[float, float],
) -> tuple[float, float]:
    """The same with a penalty that the kernel does not know."""
    X, targets, w, order = piece
    total, mass = sums
    for start in range(0, len(order), options.batch):
        turns = order[start : start + options.batch]
        weights = None if w is None else w[turns]
        weight = float(len(turns)) if weights is None else float(weights.sum())
        if weight <= 0:
            continue
        at = network.with_weights(state.weights)
        value, gradient = decay.combined(at, at.sums(X[turns], targets[turns], weights), weight)
        state.steps += 1
        take_step(rule, state, network.masked(gradient), options)
        total, mass = total + (weight * value if decay.per_row else value), mass + weight
    return total, mass


def take_step(rule: str, state: EpochState, gradient: Floats, options: Options) -> None:
    """Change the weights by one gradient."""
    if rule == "adam":
        b1, b2, t = options.beta_1, options.beta_2, state.steps
        state.first = b1 * state.first + (1.0 - b1) * gradient
        state.second = b2 * state.second + (1.0 - b2) * gradient**2
        # Both corrections of the bias toward the start at 0 in one factor, as at the end of section 2 of
        # Kingma and Ba: epsilon then is added to the uncorrected root.
        rate = options.rate * np.sqrt(1.0 - b2**t) / (1.0 - b1**t)
        state.weights = state.weights - rate * state.first / (np.sqrt(state.second) + options.epsilon)
        return
    if rule == "gradient":
        state.weights = state.weights - options.rate * gradient
        return
    state.first = options.momentum * state.first - options.rate * gradient
    # Nesterov's gradient at the point ahead, written for weights that are that point already (Sutskever and
    # others 2013).
    ahead = options.momentum * state.first - options.rate * gradient if rule == "nesterov" else state.first
    state.weights = state.weights + ahead
