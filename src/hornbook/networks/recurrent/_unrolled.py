"""An Elman network unrolled in time: states of the hidden units, and derivatives by all weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["Sequences", "Weights"]


@dataclass(frozen=True)
class Sequences:
    """Rows as sequences of steps; a shorter one has gaps at its end.

    Parameters
    ----------
    steps : ndarray of shape (n_rows, n_steps, step_size)
        The numbers of each step; 0 beyond the end.
    lengths : ndarray of shape (n_rows,)
        Number of steps of each row.
    """

    steps: Floats
    lengths: NDArray[np.intp]

    @classmethod
    def of(cls, X: Floats, step_size: int, fill: Floats) -> Sequences:
        """Cut rows into steps: missing cells at the end are left out, others take the value of fill."""
        n, known = len(X), ~np.isnan(X)
        shape = (n, X.shape[1] // step_size, step_size)
        steps: Floats = np.where(known, X, fill).reshape(shape)
        present = np.any(known.reshape(shape), axis=2)
        # The last step with a known cell, found from the end; a gap before it is a missing value.
        lengths = np.where(np.any(present, axis=1), shape[1] - present[:, ::-1].argmax(axis=1), 0)
        beyond = np.arange(steps.shape[1]) >= lengths[:, None]
        return cls(np.where(beyond[:, :, None], 0.0, steps), lengths)


@dataclass(frozen=True)
class Weights:
    """All weights of a network.

    Parameters
    ----------
    inputs : ndarray of shape (hidden_size, step_size)
        From the numbers of a step to the hidden units.
    recurrent : ndarray of shape (hidden_size, hidden_size)
        From the hidden units at the step before.
    bias : ndarray of shape (hidden_size,)
        Constants of the hidden units.
    output : ndarray of shape (n_outputs, hidden_size)
        From the hidden units at the last step to the outputs.
    constant : ndarray of shape (n_outputs,)
        Constants of the outputs.
    """

    inputs: Floats
    recurrent: Floats
    bias: Floats
    output: Floats
    constant: Floats

    def vector(self) -> Floats:
        """All weights, one after the other."""
        return np.concatenate([part.ravel() for part in self.parts])

    @property
    def parts(self) -> tuple[Floats, ...]:
        """The arrays in the order of the vector."""
        return self.inputs, self.recurrent, self.bias, self.output, self.constant

    def like(self, vector: Floats) -> Weights:
        """Weights of the same shapes from a vector."""
        pieces = np.split(vector, np.cumsum([part.size for part in self.parts])[:-1])
        return Weights(*(piece.reshape(part.shape) for piece, part in zip(pieces, self.parts, strict=True)))

    def states(self, sequences: Sequences) -> Floats:
        """States of the hidden units after 0, 1, ... steps; beyond the end of a sequence the last one.

        h_t = tanh(inputs x_t + recurrent h_(t-1) + bias), from h_0 = 0.
        """
        n, count, _ = sequences.steps.shape
        states = np.zeros((count + 1, n, len(self.bias)))
        # Up to the shortest sequence no row has ended, and the mask need not be made.
        shortest = sequences.lengths.min(initial=count)
        for t in range(count):
            raw = np.matmul(states[t], self.recurrent.T, out=states[t + 1])
            raw += sequences.steps[:, t] @ self.inputs.T
            raw += self.bias
            np.tanh(raw, out=raw)
            if t >= shortest:
                over = sequences.lengths <= t
                raw[over] = states[t][over]
        return states

    def outputs(self, states: Floats) -> Floats:
        """The outputs, from the last states."""
        return np.asarray(states[-1] @ self.output.T + self.constant)

    def gradient(self, sequences: Sequences, states: Floats, pull: Floats) -> Weights:
        """Derivatives by the weights from those by the outputs: backpropagation through time."""
        by_inputs, by_recurrent = np.zeros_like(self.inputs), np.zeros_like(self.recurrent)
        by_bias, back = np.zeros_like(self.bias), pull @ self.output
        shortest = sequences.lengths.min(initial=len(states))
        # Backpropagation through time (Werbos 1990): tanh' is 1 - tanh², so that the states suffice and net
        # inputs need not be kept.
        for t in reversed(range(len(states) - 1)):
            delta = 1.0 - np.square(states[t + 1])
            delta *= back
            over = sequences.lengths <= t if t >= shortest else None  # there the state stays as it was
            if over is not None:
                delta[over] = 0.0
            by_inputs += delta.T @ sequences.steps[:, t]
            by_recurrent += delta.T @ states[t]
            by_bias += delta.sum(axis=0)
            before = delta @ self.recurrent
            if over is not None:
                before[over] = back[over]
            back = before
        return Weights(by_inputs, by_recurrent, by_bias, pull.T @ states[-1], pull.sum(axis=0))
