"""What both Elman networks are: parameters, training, states, and how they are shown."""

from __future__ import annotations

import warnings
from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.base import Description, Learner, Table, Term, draw_beside_rows
from hornbook.display import Cell
from hornbook.frame import CHUNK, Blocks
from hornbook.networks._parameters import NetworkWork
from hornbook.networks.recurrent._sequence_cost import SequenceCost, column_means
from hornbook.networks.recurrent._unrolled import Sequences, Weights
from hornbook.optimize import lbfgs
from hornbook.params import Finite, Floats, MaxIter, Range, Shape, Tol, Tune, parameter_group
from hornbook.plots import bars, coefficients
from hornbook.random import Stream, seed_of

__all__ = ["ElmanNetwork"]

START_STREAM = 0  # random numbers for the initial weights
LOOKED_AT, FLAT, NEARLY_ALL = 512, 1e-4, 0.99  # rows, fraction of the steepest slope, fraction of the states


@parameter_group
class ElmanParameters:
    """Parameters of Elman networks.

    Parameters
    ----------
    hidden_size : int
        Number of hidden units.
    step_size : int
        Number of encoded columns that make one step of the sequence; it divides their number.
    alpha : float
        Penalty: alpha / 2 times the squares of all weights but constants is added to the sum of the costs.
    max_iter : int
        Maximum number of training steps.
    tol : float
        Training ends when no entry of the gradient of the mean cost is larger.
    """

    hidden_size: Annotated[int, Range(low=1), Tune(4, 64, log=True)] = field(default=16, kw_only=False)
    step_size: Annotated[int, Range(low=1)] = 1
    alpha: Annotated[float, Range(low=0), Tune(1e-5, 10.0, log=True)] = 1e-4
    max_iter: MaxIter = 200
    tol: Tol = 1e-4


class ElmanNetwork(NetworkWork, ElmanParameters, Learner):
    """Base of Elman networks.

    Attributes
    ----------
    input_weights_ : ndarray of shape (hidden_size, step_size)
        From the numbers of a step to the hidden units.
    recurrent_weights_ : ndarray of shape (hidden_size, hidden_size)
        From the hidden units at the step before.
    bias_ : ndarray of shape (hidden_size,)
        Constants of the hidden units.
    coef_ : ndarray of shape (n_outputs, hidden_size)
        From the hidden units at the last step to the outputs.
    intercept_ : ndarray of shape (n_outputs,)
        Constants of the outputs.
    fill_ : ndarray of shape (n_encoded,)
        Means of the encoded columns, which missing cells inside a sequence take.
    n_iter_ : int
        Number of steps of training.
    history_ : dict
        The cost after each step.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    missing_cells: ClassVar[Literal["keep"]] = "keep"
    scale_sensitive: ClassVar[bool] = True

    model_class = "hidden units that remember their last state, and a weighted sum of them at the end"
    optimizer = "backpropagation through time and L-BFGS"

    input_weights_: Annotated[Floats, Shape("n_hidden", "n_inputs"), Finite()]
    recurrent_weights_: Annotated[Floats, Shape("n_hidden", "n_hidden"), Finite()]
    bias_: Annotated[Floats, Shape("n_hidden"), Finite()]
    coef_: Annotated[Floats, Shape("n_scores", "n_hidden"), Finite()]
    intercept_: Annotated[Floats, Shape("n_scores"), Finite()]
    fill_: Annotated[Floats, Shape("n_encoded"), Finite()]
    n_iter_: int

    def _train(self, blocks: Blocks, n_outputs: int, mean: float, scale: float, mass: float) -> None:
        """Minimize the cost from random weights; each step is seen by callbacks."""
        name, columns = type(self).__name__, len(self.encoded_names_)
        if columns % self.step_size:
            raise ValueError(
                f"{name}: parameter 'step_size' = {self.step_size} does not divide the {columns} encoded "
                "columns: a row is a sequence of steps of that many columns."
            )
        # Gaps inside a sequence need a value; those at its end say that it is shorter.
        self.fill_ = column_means(blocks)
        start = self._initial(n_outputs)
        cost = SequenceCost(blocks, start, self.step_size, self.fill_, mean, scale, mass, self.alpha)
        steps, at_rest = lbfgs(cost, start.vector(), tol=self.tol), False
        # Kept before the first step, so that a learner that is stopped at once is a usable model.
        self._keep(start)
        self.n_iter_ = 1
        for i in self.iterate(self.max_iter, name="step"):
            step = next(steps, None)
            at_rest = step is None or step.converged
            if step is not None:
                self._keep(start.like(step.x))
                self.n_iter_ = i + 1
                self.record(cost=step.value)
            if at_rest:
                break
        if not at_rest and self.n_iter_ == self.max_iter:
            warnings.warn(
                f"{name}: parameter 'max_iter' = {self.max_iter} steps did not lower the gradient to "
                f"tol={self.tol:g}: raise one of them, scale the columns or raise alpha.",
                ConvergenceWarning,
                stacklevel=9,
            )
        self._warn_of_saturation(blocks)

    def _warn_of_saturation(self, blocks: Blocks) -> None:
        """Warn where the states of nearly all units are at the ends of tanh, where they hardly change."""
        rows = np.asarray(blocks.take(np.arange(min(LOOKED_AT, blocks.n_rows))).X)
        states = self._weights().states(self._sequences(rows))[1:]
        share = float((1.0 - np.square(states) <= FLAT).mean()) if states.size else 0.0
        if share >= NEARLY_ALL:
            warnings.warn(
                f"{type(self).__name__}: {share:.0%} of the states of hidden units are saturated, so that "
                "the weights to them hardly change: scale the columns, as hornbook.Scaled does.",
                ConvergenceWarning,
                stacklevel=9,
            )

    def _initial(self, n_outputs: int) -> Weights:
        """Random weights of a size that does not saturate the units (Glorot and Bengio 2010).

        The outputs begin at 0.
        """
        h, s = self.hidden_size, self.step_size
        draws = Stream(seed_of(self.random_state), START_STREAM).uniform(h * s + h * h)
        inputs = (2.0 * draws[: h * s] - 1.0).reshape(h, s) * np.sqrt(6.0 / (h + s))
        recurrent = (2.0 * draws[h * s :] - 1.0).reshape(h, h) * np.sqrt(6.0 / (h + h))
        # Output weights of 0 make the first prediction the mean, whatever the states are; the random weights
        # of the hidden units break the symmetry between them.
        return Weights(inputs, recurrent, np.zeros(h), np.zeros((n_outputs, h)), np.zeros(n_outputs))

    def _keep(self, weights: Weights) -> None:
        self.input_weights_, self.recurrent_weights_, self.bias_ = weights.parts[:3]
        self.coef_, self.intercept_ = weights.output, weights.constant

    def _weights(self) -> Weights:
        hidden = (self.input_weights_, self.recurrent_weights_, self.bias_)
        return Weights(*hidden, self.coef_, self.intercept_)

    def _sequences(self, X: Floats) -> Sequences:
        size = self.input_weights_.shape[1]
        if not size or X.shape[1] % size:
            raise ValueError(
                f"{type(self).__name__}: steps of {size} columns do not divide {X.shape[1]} columns."
            )
        return Sequences.of(X, size, self.fill_)

    def _outputs(self, X: Floats) -> Floats:
        weights = self._weights()
        # In chunks: the states of all rows at all steps may not fit into memory.
        parts = [self._sequences(X[start : start + CHUNK]) for start in range(0, len(X), CHUNK)]
        return np.concatenate([weights.outputs(weights.states(part)) for part in parts])

    def states(self, X: Any) -> Floats:
        """Return the states of the hidden units after each step.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        states : ndarray of shape (n_rows, n_steps + 1, hidden_size)
            After 0, 1, ... steps; beyond the end of a sequence its last state.
        """
        return np.moveaxis(self._weights().states(self._sequences(self._prepared(X))), 0, 1)

    def connections(self) -> list[tuple[str, str]]:
        """List the arrows between units: inputs x1, ..., hidden units h1, ..., outputs o1, ...

        Returns
        -------
        connections : list of (str, str)
            The hidden units lead to each other, so that the network is not feed-forward.
        """
        h, s = self.input_weights_.shape
        hidden = [f"h{i + 1}" for i in range(h)]
        arrows = [(f"x{j + 1}", unit) for unit in hidden for j in range(s)]
        arrows += [(start, end) for end in hidden for start in hidden]
        return arrows + [(unit, f"o{i + 1}") for i in range(len(self.coef_)) for unit in hidden]

    def _terms(self, X: Floats) -> list[Term]:
        last = self._weights().states(self._sequences(X))[-1][0]
        return [
            Term("constant", self.intercept_.tolist()),
            *(
                Term(f"hidden unit {i + 1} = {state:.6g}", (self.coef_[:, i] * state).tolist())
                for i, state in enumerate(last.tolist())
            ),
        ]

    def _describe_network(self, title: str, outputs: list[str]) -> Description:
        h, s = self.input_weights_.shape
        count = sum(part.size for part in self._weights().parts)
        facts = {
            "steps": f"{len(self.encoded_names_) // s} of {s} columns",
            "weights": count,
            "passes": self.n_iter_,
        }
        numbers = np.column_stack([self.input_weights_, self.recurrent_weights_, self.bias_])
        head = ["unit", *(f"x{j + 1}" for j in range(s)), *(f"h{j + 1} before" for j in range(h)), "constant"]
        hidden: list[list[Cell]] = [[f"h{i + 1}", *map(float, row)] for i, row in enumerate(numbers)]
        ends = np.column_stack([self.coef_, self.intercept_]).T
        names = [*(f"h{i + 1}" for i in range(h)), "constant"]
        out: list[list[Cell]] = [[name, *map(float, row)] for name, row in zip(names, ends, strict=True)]
        tables = [Table("Hidden units", head, hidden), Table("Outputs", ["unit", *outputs], out)]
        return Description(f"{title} with {h} hidden units", facts, tables)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_beside_rows(self, self._draw_weights, X, y, ax)

    def _draw_weights(self, ax: Any) -> Any:
        names = [f"hidden unit {i + 1}" for i in range(len(self.bias_))]
        if len(self.coef_) == 1:
            return bars(self.coef_[0], names, ax, title="Output weights")
        labels: list[Any] = getattr(self, "classes_", np.arange(len(self.coef_))).tolist()
        labels = (
            labels if len(labels) == len(self.coef_) else [f"output {i + 1}" for i in range(len(self.coef_))]
        )
        return coefficients(self.coef_, names, ax, classes=labels, title="Output weights")
