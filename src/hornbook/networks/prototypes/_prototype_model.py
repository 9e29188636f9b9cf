"""Labeled prototypes as a model: the class of a row is that of the nearest."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.base import Classifier, Term, Working
from hornbook.networks.prototypes._plot import draw
from hornbook.params import Finite, Floats, Index, Shape

__all__ = ["PrototypeModel"]


class PrototypeModel(Classifier):
    """Prototypes of the classes, and what follows from them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    prototypes_ : ndarray of shape (n_prototypes, n_encoded)
        The prototypes.
    prototype_codes_ : ndarray of shape (n_prototypes,)
        The class of each, as a place in ``classes_``.
    spread_ : float
        Sum of the variances of the columns.
    n_iter_ : int
        Number of passes.
    history_ : dict
        For each pass the learning rate, the weight of the rows that are then nearest to a prototype of
        another class, and the sum of the squared moves.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    scale_sensitive: ClassVar[bool] = True
    counts_absent: ClassVar[bool] = True

    model_class = "a few prototypes of each class; a row has the class of the nearest"

    prototypes_: Annotated[Floats, Shape("n_prototypes", "n_encoded"), Finite()]
    prototype_codes_: Annotated[NDArray[np.int32], Shape("n_prototypes"), Index("n_classes")]
    spread_: float
    n_iter_: int

    @property
    def prototype_classes_(self) -> NDArray[Any]:
        """The class of each prototype."""
        labels: NDArray[Any] = self.classes_[self.prototype_codes_]
        return labels

    def _squares(self, X: Floats) -> Floats:
        return _native.square_distances(X, self.prototypes_, self._threads())

    def _predict(self, X: Floats) -> NDArray[np.int32]:
        return self.prototype_codes_[_native.nearest_centers(X, self.prototypes_, self._threads())[0]]

    def _decision(self, X: Floats) -> Floats:
        distances = np.sqrt(self._squares(X))
        scores = np.full((len(X), len(self.classes_)), -np.inf)
        for code in np.unique(self.prototype_codes_).tolist():
            scores[:, code] = -distances[:, self.prototype_codes_ == code].min(axis=1)
        # Larger means more of the class: minus the distance, or with two classes the difference.
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _working(self, X: Floats) -> Working:
        squares = np.square(X[0] - self.prototypes_)
        terms = [
            Term(f"{name} = {X[0, j]:.6g}", (0.0 - squares[:, j]).tolist())
            for j, name in enumerate(self.encoded_names_)
        ]
        title = "LVQ: the nearest prototype is the one with the largest sum of -(value - prototype)²"
        labels = self.prototype_classes_.tolist()
        return Working(title, "sum", labels, terms, self._answer(X)[0], distances=True)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = None if X is None else self._prepared(X)
        return draw(self, rows, y, ax)
