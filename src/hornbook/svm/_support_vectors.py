"""What machines whose answers are sums over support vectors have in common."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.kernels import Kernel, Precomputed
from hornbook.params import Floats, Shape

__all__ = ["SupportVectors"]


class SupportVectors:
    """Mixin of machines with a kernel and support vectors."""

    support_: Annotated[NDArray[np.int32], Shape("n_support")]
    support_vectors_: Annotated[Floats, Shape("n_kept", "n_encoded")]
    kernel_: Kernel
    kernel: Any

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, Precomputed) or self.kernel == "precomputed"

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]  # of the learner this is mixed into
        tags.input_tags.pairwise = self._precomputed
        return tags

    def _keep_vectors(self, data: Floats, rows: NDArray[np.int32]) -> None:
        self.support_ = rows
        self.support_vectors_ = np.ascontiguousarray(data[rows[:0] if self._precomputed else rows])

    def _values_with_support(self, X: Floats) -> Floats:
        """What kernel values are computed from: of a kernel matrix, the columns of support vectors."""
        return np.ascontiguousarray(X[:, self.support_]) if self._precomputed else X
