"""Learners that find groups of rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClusterMixin

from hornbook.base._learner import Learner

__all__ = ["Clusterer"]


class Clusterer(ClusterMixin, Learner):
    """Base of clusterers; fitting sets ``labels_``, the hook ``_predict(X)`` places new rows."""

    supervised: ClassVar[bool] = False

    def _answer(self, rows: Any) -> NDArray[np.int32]:
        return np.asarray(self._predict(rows), dtype=np.int32)
