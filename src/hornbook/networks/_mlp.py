"""Multilayer perceptrons for classes and for numbers."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook._scikit import available_if
from hornbook.base import Accepts, Classifier, Regressor
from hornbook.frame import Blocks
from hornbook.networks.mlp._description import (
    NetworkWorking,
    last_terms,
    layer_tables,
    layers_of,
    terms_by_candidate,
)
from hornbook.networks.mlp._perceptron import MultilayerPerceptron, takes_batches
from hornbook.networks.mlp._targets import class_targets, number_targets, posterior, target_ends
from hornbook.networks.mlp._training import TrainingOutcome
from hornbook.networks.mlp._units import OutputUnit, unit_range
from hornbook.params import Floats, declared

__all__ = ["MLPClassifier", "MLPRegressor"]

# A sigmoid reaches its ends at infinity only: targets there would drive weights without bound (LeCun, Bottou,
# Orr and Müller 1998).
ROOM = 0.1  # of the range of a unit that scaled targets leave at each end


@declared
class MLPClassifier(MultilayerPerceptron, Classifier):
    """Multilayer perceptron for classes: layers of simple units, each a function of a weighted sum.

    The weights are changed step by step so that the outputs come close to the classes; how much each weight
    contributed to the error is computed from the last layer back to the first (backpropagation, Rumelhart,
    Hinton and Williams 1986). Unlike scikit-learn's, it takes categories and missing cells, has sixteen
    solvers, five costs and penalties that remove weights, can be pruned, grown and inspected, returns the
    weights with the best validation score, and gives the same result for any number of threads and from
    files. One epoch takes rows x weights.

    Parameters
    ----------
    loss : {"log_loss", "squared_error", "cross_entropy", "relative_cross_entropy", "kl"}, default "log_loss"
        The cost of a row with targets t and outputs y. ``"log_loss"``: -ln of the probability of the class.
        ``"squared_error"``: half the sum of (y - t)². ``"cross_entropy"``: minus the sum over outputs of
        t ln y + (1 - t) ln(1 - y), with logistic outputs; ``"relative_cross_entropy"`` is that minus its
        minimum. ``"kl"``: the sum of t ln(t / y). All but the squared error are well formed: where some
        weights classify all rows correctly, minimizing finds such weights.
    out_activation : str, default "auto"
        The output unit: ``"softmax"`` for log_loss and kl (log_loss of two classes: one logistic output),
        ``"logistic"`` for the others. With squared_error also ``"identity"``, ``"bipolar"``, ``"tanh"``,
        ``"scaled_tanh"`` or ``"relu"``; targets are the ends of their range, or 0 and 1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.

    See Also
    --------
    MLPRegressor : Layers of units for numbers.
    RBFNetworkClassifier : Bumps around centers, for classes.

    Examples
    --------
    >>> from hornbook import MLPClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = MLPClassifier((3,), activation="tanh", solver="lbfgs", random_state=1).fit(X, y)
    >>> model.predict(X).tolist(), model.n_layers_
    ([0, 1, 1, 0], 3)
    """

    title = "MLP classifier"
    model_class = "layers of units that are functions of weighted sums"
    objective = "a cost of the outputs, plus a penalty on the weights"

    loss: Literal["log_loss", "squared_error", "cross_entropy", "relative_cross_entropy", "kl"] = "log_loss"
    out_activation: Literal["auto"] | OutputUnit = "auto"

    def _output(self) -> str:
        if len(self.classes_) < 2:
            # Checks of scikit-learn look for the words "one class".
            raise ValueError(
                f"MLPClassifier needs at least 2 classes, but all rows are of one class, "
                f"{self.classes_.tolist()[0]!r}: check the target."
            )
        if self.out_activation != "auto":
            return self.out_activation
        if self.loss == "kl":
            return "softmax"
        if self.loss == "log_loss":
            return "logistic" if len(self.classes_) == 2 else "softmax"
        return "logistic"

    def _n_outputs(self) -> int:
        k = len(self.classes_)
        # One unit says p, and 1 - p follows; a softmax needs both.
        return 1 if k == 2 and self._output() != "softmax" else k

    def _ends(self) -> tuple[float, float]:
        """Targets of an output for other classes, and for its own."""
        low, high = unit_range(self._output(), self.amplitude)
        # Units without bounds, such as the identity, have no natural ends; any two numbers will do.
        return (low, high) if np.isfinite([low, high]).all() else (0.0, 1.0)

    def _middle(self) -> float:
        """Output of a single unit above which the second class is chosen."""
        return sum(self._ends()) / 2.0

    def _with_targets(self, blocks: Blocks) -> Blocks:
        low, high = self._ends()
        return blocks.map(partial(class_targets, n_outputs=self._n_outputs(), low=low, high=high))

    def _known_target(self, y: Any) -> NDArray[Any]:
        labels, classes = np.asarray(y), self._core().classes_
        # A label beyond the last class would be out of range; it is then found to differ.
        places = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        unknown = classes[places] != labels
        if unknown.any():
            raise ValueError(
                f"y contains the class {labels[unknown].tolist()[0]!r}, which is not among the classes "
                f"{classes.tolist()!r}: leave out its rows."
            )
        return np.asarray(places)

    def _one_target(self, y: Any) -> Floats:
        code = self._known_target(np.array([y], dtype=self.classes_.dtype))[0]
        low, high = self._ends()
        n = int(self.network_.sizes[-1])
        return np.where(np.arange(n) == code, high, low) if n > 1 else np.array([high if code else low])

    def _output_names(self) -> list[str]:
        labels = [str(label) for label in self._core().classes_.tolist()]
        return labels if int(self.network_.sizes[-1]) > 1 else labels[1:]

    def _shift(self) -> float:
        """Net input of a single output unit above which the second class is chosen."""
        if self.network_.output not in ("identity", "relu"):
            return 0.0
        return self._middle() / (1.0 if self.network_.output == "identity" else self.slope)

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        # By net inputs: outputs may be equal in rounding where these still differ.
        net = self.network_.net(X, self._threads())
        if net.shape[1] == 1:
            return np.asarray(net[:, 0] > self._shift(), dtype=np.intp)
        return np.asarray(net.argmax(axis=1))

    def _proba(self, X: Floats) -> Floats:
        return posterior(self.network_.outputs(X, self._threads()), *self._ends())

    def _network_working(self, X: Floats, target: Floats | None) -> NetworkWorking:
        network, x = self.network_, X[0]
        names = [str(name) for name in self.encoded_names_]
        two = int(network.sizes[-1]) == 1
        terms = terms_by_candidate(last_terms(network, x, names), two=two)
        if two and self._shift():
            terms += terms_by_candidate([("middle of the targets", np.array([-self._shift()]))], two=True)
        return NetworkWorking(
            "Multilayer perceptron: each unit is a function of a weighted sum; the largest net input wins",
            "sum",
            self.classes_.tolist(),
            terms,
            self._answer(X)[0],
            softmax=network.output == "softmax"
            or (two and network.output == "logistic" and self.slope == 1.0),
            tables=layer_tables(network, x, target, self._output_names()),
        )


@declared
class MLPRegressor(MultilayerPerceptron, Regressor):
    """Multilayer perceptron for numbers: layers of simple units, each a function of a weighted sum.

    The weights are changed step by step so that the outputs come close to the targets, as in `MLPClassifier`
    (backpropagation, Rumelhart, Hinton and Williams 1986). Unlike scikit-learn's, it takes categories and
    missing cells, has sixteen solvers and bounded output units, into whose range targets are scaled, can be
    pruned, grown and inspected, and gives the same result for any number of threads and from files.

    Parameters
    ----------
    loss : {"squared_error", "cross_entropy", "relative_cross_entropy", "poisson"}, default "squared_error"
        The cost of a row with target t and output y: half of (y - t)²; -t ln y - (1 - t) ln(1 - y), or that
        minus its minimum, with logistic outputs; y - t ln y for counts, with exponential outputs.
    out_activation : str, default "auto"
        The output unit: ``"identity"`` for squared_error, or ``"logistic"``, ``"bipolar"``, ``"tanh"``,
        ``"scaled_tanh"``, ``"relu"``. Targets outside the range of the unit are scaled into it, with a
        warning.

    Attributes
    ----------
    target_offset_, target_scale_ : ndarray of shape (n_targets,)
        A prediction is offset plus scale times output; 0 and 1 unless targets were scaled.
    vector_target_ : bool
        Whether y had two dimensions, as predictions then have.

    See Also
    --------
    MLPClassifier : Layers of units for classes.
    RBFNetworkRegressor : Bumps around centers, for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import MLPRegressor
    >>> X = np.linspace(-2, 2, 41)[:, None]
    >>> model = MLPRegressor((4,), activation="tanh", solver="levenberg_marquardt", random_state=0)
    >>> bool(np.abs(model.fit(X, np.sin(2 * X[:, 0])).predict(X) - np.sin(2 * X[:, 0])).max() < 0.1)
    True
    """

    accepts: ClassVar[Accepts] = Accepts(sparse=True, multi_output=True)
    title = "MLP regressor"
    model_class = "layers of units that are functions of weighted sums"
    objective = "a cost of the outputs, plus a penalty on the weights"

    loss: Literal["squared_error", "cross_entropy", "relative_cross_entropy", "poisson"] = "squared_error"
    out_activation: Literal["auto"] | OutputUnit = "auto"

    def _output(self) -> str:
        if self.out_activation != "auto":
            return self.out_activation
        return {"squared_error": "identity", "poisson": "exponential"}.get(self.loss, "logistic")

    def _n_outputs(self) -> int:
        return len(self.target_offset_)

    def _fit_blocks(self, blocks: Blocks) -> None:
        least, most = self._measure(blocks)
        if not (most > least).any():  # one value: nothing to learn
            vars(self).pop("_before", None)
            self.target_offset_, self.target_scale_ = most.copy(), np.zeros_like(most)
            blank = self._blank()
            self._keep(TrainingOutcome(blank, losses=[0.0], best_loss=0.0, n_iter=1, best_score=1.0))
            self.t_ = blocks.n_rows
            return
        super()._fit_blocks(blocks)

    def _measure(self, blocks: Blocks) -> tuple[Floats, Floats]:
        """Ends of the targets; remembers how to scale them into the range of the output unit."""
        least, most = self._target_ends(blocks)
        self.vector_target_ = np.asarray(blocks.take([0]).y).ndim > 1
        self.target_offset_, self.target_scale_ = np.zeros_like(least), np.ones_like(least)
        low, high = unit_range(self._output(), self.amplitude)
        if (least >= low).all() and (most <= high).all():
            return least, most
        upper = high if np.isfinite(high) else low + 1.0
        span = np.where(most > least, most - least, 1.0)
        self.target_scale_ = span / ((1.0 - 2.0 * ROOM) * (upper - low))
        self.target_offset_ = least - self.target_scale_ * (low + ROOM * (upper - low))
        warnings.warn(
            f"MLPRegressor: targets from {least.min():g} to {most.max():g} are outside the range of "
            f"{self._output()} outputs, {low:g} to {high:g}: they are scaled into it, and predictions back.",
            UserWarning,
            stacklevel=6,
        )
        return least, most

    def _target_ends(self, blocks: Blocks) -> tuple[Floats, Floats]:
        """The smallest and the largest number of each target."""
        ends = blocks.reduce(target_ends, merge=np.maximum)
        self._refuse_negative_counts(-ends[0])
        return -ends[0], ends[1]

    def _refuse_negative_counts(self, y: Floats) -> None:
        if self.loss == "poisson" and (y < 0).any():
            raise ValueError(
                f"MLPRegressor: loss='poisson' is for counts, 0 or more; y has {y.min():g}: use "
                "loss='squared_error'."
            )

    @available_if(takes_batches)
    def _partial_fit(self, blocks: Blocks) -> None:
        if not hasattr(self, "target_scale_"):
            self._measure(blocks)
        elif not self.target_scale_.any():  # one value so far, from which nothing was learned
            vars(self).pop("network_")
            self._measure(blocks)
        else:
            self._warn_of_targets_beyond(*self._target_ends(blocks))
        self._learn_more(blocks)

    def _warn_of_targets_beyond(self, least: Floats, most: Floats) -> None:
        """Warn of later targets that the outputs, scaled as the first ones needed it, cannot reach."""
        low, high = unit_range(self._output(), self.amplitude)
        ends = self.target_offset_ + self.target_scale_ * low, self.target_offset_ + self.target_scale_ * high
        if (least < ends[0]).any() or (most > ends[1]).any():
            warnings.warn(
                f"MLPRegressor: targets from {least.min():g} to {most.max():g} are outside the range that "
                f"the first rows have left to {self._output()} outputs, {ends[0].min():g} to "
                f"{ends[1].max():g}, and cannot be reached: begin with rows that have the smallest and "
                "the largest target, or use out_activation='identity'.",
                UserWarning,
                stacklevel=6,
            )

    def _with_targets(self, blocks: Blocks) -> Blocks:
        return blocks.map(partial(number_targets, offset=self.target_offset_, scale=self.target_scale_))

    def _known_target(self, y: Any) -> NDArray[Any]:
        numbers = np.asarray(y, dtype=np.float64)
        self._refuse_negative_counts(numbers)
        return numbers

    def _one_target(self, y: Any) -> Floats:
        numbers = np.atleast_1d(np.asarray(y, dtype=np.float64))
        if numbers.shape != self.target_offset_.shape:
            raise ValueError(f"'y' must be {len(self.target_offset_)} numbers; got {y!r}.")
        return (numbers - self.target_offset_) / np.where(self.target_scale_ == 0, 1.0, self.target_scale_)

    def _output_names(self) -> list[str]:
        n = len(self.target_offset_)
        return ["value"] if n == 1 else [f"value {j}" for j in range(n)]

    def _predict(self, X: Floats) -> Floats:
        values = self.target_offset_ + self.target_scale_ * self.network_.outputs(X, self._threads())
        return values if self.vector_target_ else values[:, 0]

    def _network_working(self, X: Floats, target: Floats | None) -> NetworkWorking:
        network, x = self.network_, X[0]
        names, scale, offset = [str(n) for n in self.encoded_names_], self.target_scale_, self.target_offset_
        answer = self._predict(X)[0]
        if network.output == "identity":
            terms = [(name, scale * values) for name, values in last_terms(network, x, names)]
        else:
            terms = [(f"scale times {network.output} output", scale * layers_of(network, x)[-1][1])]
        if offset.any():
            terms.append(("offset of the targets", offset))
        return NetworkWorking(
            "Multilayer perceptron: each unit is a function of a weighted sum",
            "sum",
            self._output_names(),
            terms_by_candidate(terms, two=False),
            answer.tolist() if self.vector_target_ else float(answer),
            tables=layer_tables(network, x, target, self._output_names()),
        )
