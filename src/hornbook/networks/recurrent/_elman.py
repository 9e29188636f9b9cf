"""Elman networks for classes and for numbers."""

from __future__ import annotations

import numpy as np

from hornbook.base import Classifier, Description, Regressor, Working
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear import refuse_large, require_classes
from hornbook.networks.recurrent._network import ElmanNetwork
from hornbook.networks.recurrent._sequence_cost import softmax
from hornbook.params import Floats, declared

__all__ = ["ElmanClassifier", "ElmanRegressor"]

NOTES = "Elman network: weights times the states of the hidden units after the last step"


@declared
class ElmanClassifier(ElmanNetwork, Classifier):
    """Elman network for classes of sequences: hidden units read a row step by step and remember.

    At each step the hidden units see the numbers of the step and their own state before it, and the
    class probabilities are the softmax of a weighted sum of their last states (Elman 1990). The weights are
    trained by backpropagation through time. scikit-learn has no recurrent network. A row is a sequence:
    its columns in steps of ``step_size``; a shorter sequence has missing cells at its end.

    See Also
    --------
    ElmanRegressor : A recurrent network for numbers of sequences.
    MLPClassifier : Layers of units for classes.

    Examples
    --------
    >>> from hornbook import ElmanClassifier
    >>> X = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1], [0, 1, 1]]
    >>> y = ["odd" if sum(row) % 2 else "even" for row in X]
    >>> model = ElmanClassifier(8, random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    objective = "mean logarithmic loss plus a penalty on the squares of the weights"

    def _fit_blocks(self, blocks: Blocks) -> None:
        k = len(self.classes_)
        require_classes(np.ones(k), self.classes_, type(self).__name__)
        self._train(blocks, k, 0.0, 0.0, float(blocks.reduce(_mass)))

    def _proba(self, X: Floats) -> Floats:
        return softmax(self._outputs(X))

    def _describe(self) -> Description:
        labels = [str(label) for label in self.classes_]
        return self._describe_network(f"Elman classifier of {len(labels)} classes", labels)

    def _working(self, X: Floats) -> Working:
        classes = self.classes_.tolist()
        return Working(NOTES, "sum", classes, self._terms(X), self._answer(X)[0], softmax=True)


@declared
class ElmanRegressor(ElmanNetwork, Regressor):
    """Elman network for numbers: hidden units read a row step by step and remember.

    As in `ElmanClassifier`, with one output that is a number.

    See Also
    --------
    ElmanClassifier : A recurrent network for classes of sequences.
    MLPRegressor : Layers of units for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import ElmanRegressor
    >>> X = np.random.default_rng(0).normal(size=(60, 4))
    >>> model = ElmanRegressor(6, tol=1e-3, random_state=0).fit(X, X.sum(axis=1))
    >>> round(model.score(X, X.sum(axis=1)), 2)
    1.0
    """

    objective = "mean squared error plus a penalty on the squares of the weights"

    def _fit_blocks(self, blocks: Blocks) -> None:
        moments = blocks.reduce(_target_moments, merge=Moments.merge)
        scale = float(np.sqrt(moments.variance()[0, 0])) or 1.0
        if not np.isfinite(scale):
            refuse_large(type(self).__name__, "y")
        mean = float(moments.mean[0, 0])
        self._train(blocks, 1, mean, scale, float(moments.mass[0, 0]))
        # In the units of the target.
        self.coef_, self.intercept_ = self.coef_ * scale, self.intercept_ * scale + mean

    def _predict(self, X: Floats) -> Floats:
        return self._outputs(X)[:, 0]

    def _describe(self) -> Description:
        return self._describe_network("Elman regressor", ["weight"])

    def _working(self, X: Floats) -> Working:
        return Working(NOTES, "sum", ["value"], self._terms(X), float(self._predict(X)[0]))


def _mass(block: Block) -> float:
    return float(len(block) if block.w is None else block.w.sum())


def _target_moments(block: Block) -> Moments:
    return Moments.of_rows(np.ascontiguousarray(np.asarray(block.y, dtype=np.float64)[:, None]), block.w)
