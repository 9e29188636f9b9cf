"""Radial basis function networks for classes and for numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hornbook.base import Classifier, Description, Regressor, Term, Working
from hornbook.frame import Block, Blocks
from hornbook.linear import require_classes
from hornbook.networks.radial._network import RBFNetwork
from hornbook.networks.radial._plot import draw_classes, draw_numbers
from hornbook.params import Floats, declared

__all__ = ["RBFNetworkClassifier", "RBFNetworkRegressor"]

NOTES = "RBF network: the output is the constant plus weight times value of each function"


@declared
class RBFNetworkClassifier(RBFNetwork, Classifier):
    """Radial basis function network for classes: near which centers a row is decides about its class.

    The functions of the distances from centers are mapped columns, on which least squares fits a linear
    output for each class, +1 in it and -1 elsewhere, or one output with two classes (Broomhead and Lowe
    1988; Moody and Darken 1989). scikit-learn has no such network; it differs from a support vector machine
    with a Gaussian kernel in that its few centers need not be rows.

    See Also
    --------
    RBFNetworkRegressor : Bumps around centers, for numbers.
    MLPClassifier : Layers of units for classes.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import RBFNetworkClassifier
    >>> corners, xor = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = RBFNetworkClassifier(centers=[[1, 1], [0, 0]], width=np.sqrt(0.5)).fit(corners, xor)
    >>> model.predict(corners).tolist()
    [0, 1, 1, 0]
    """

    def _fit_blocks(self, blocks: Blocks) -> None:
        k = len(self.classes_)
        require_classes(np.ones(k), self.classes_, type(self).__name__)
        self._fit_network(blocks.map(partial(_with_signs, n_classes=k)))

    def _decision(self, X: Floats) -> Floats:
        outputs = self._outputs(X)
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    def _describe(self) -> Description:
        labels = [str(label) for label in self.classes_]
        names = labels if len(labels) > 2 else [f"{labels[1]} against {labels[0]}"]
        return self._describe_network(f"RBF network classifier of {len(labels)} classes", names)

    def _working(self, X: Floats) -> Working:
        coef, constant = self.coef_, self.intercept_
        if len(coef) == 1:  # two classes: the output is that of the second, the first has 0
            coef, constant = np.vstack([np.zeros_like(coef), coef]), np.append(0.0, constant)
        return Working(
            NOTES, "sum", self.classes_.tolist(), _terms(self, X, coef, constant), self._answer(X)[0]
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_classes(self, X, y, ax)


@declared
class RBFNetworkRegressor(RBFNetwork, Regressor):
    """Radial basis function network for numbers: a sum of bumps around centers.

    Each function is largest at its center and falls with the distance; least squares finds their heights.
    With enough centers such a sum comes as near to any continuous function as one likes. scikit-learn has no
    such network; `KernelRidge` has a center at every row and needs a penalty.

    See Also
    --------
    RBFNetworkClassifier : Bumps around centers, for classes.
    MLPRegressor : Layers of units for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import RBFNetworkRegressor
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> model = RBFNetworkRegressor(8, random_state=0).fit(x, np.sin(x[:, 0]))
    >>> round(model.score(x, np.sin(x[:, 0])), 2)
    1.0
    """

    def _fit_blocks(self, blocks: Blocks) -> None:
        self._fit_network(blocks)

    def _predict(self, X: Floats) -> Floats:
        return self._outputs(X)[:, 0]

    def _describe(self) -> Description:
        return self._describe_network("RBF network regressor", ["weight"])

    def _working(self, X: Floats) -> Working:
        terms = _terms(self, X, self.coef_, self.intercept_)
        return Working(NOTES, "sum", ["value"], terms, float(self._predict(X)[0]))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_numbers(self, X, y, ax)


def _with_signs(block: Block, n_classes: int) -> Block:
    """The rows with +1 for the own class and -1 for others; with two classes one number, for the second."""
    codes = np.asarray(block.y)
    # Least squares on +1 and -1 has its threshold at 0, which is where decisions are made.
    own = codes[:, None] == (np.arange(n_classes) if n_classes > 2 else 1)
    return replace(block, y=np.where(own, 1.0, -1.0))


def _terms(model: RBFNetwork, X: Floats, coef: Floats, constant: Floats) -> list[Term]:
    values = model._basis().apply(X)[0]  # noqa: SLF001 - the same package
    terms = [Term("constant", constant.tolist())]
    return terms + [
        Term(f"function {i + 1} = {value:.6g}", (coef[:, i] * value).tolist())
        for i, value in enumerate(values)
    ]
