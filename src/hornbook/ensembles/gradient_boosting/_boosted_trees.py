"""The trees of gradient boosting as one set of arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.params import Floats, Shape

__all__ = ["BoostedTrees"]


@dataclass(frozen=True)
class BoostedTrees(FittedForest):
    """Trees one after the other, each of which adds to one score.

    Parameters
    ----------
    value : ndarray of shape (n_answers, 1)
        What each leaf adds, the learning rate included. The other arrays are those of `FittedForest`.
    """

    value: Annotated[Floats, Shape("n_answers", 1)]

    def every(self, first: int, step: int) -> BoostedTrees:
        """The trees of one score, for predictions; they share the nodes of all."""
        return replace(self, roots=np.ascontiguousarray(self.roots[first::step]))
