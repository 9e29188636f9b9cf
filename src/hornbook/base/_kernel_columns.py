"""What learners with a kernel say about their columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.base.intake._conversion import Requirements
from hornbook.frame import Encoding
from hornbook.kernels import Kernel, Precomputed

__all__ = ["KernelColumns"]


class KernelColumns:
    """Mixin of learners with a kernel: X may be a kernel matrix, or have gaps that the kernel takes."""

    kernel: Any
    encoding_: Encoding

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, Precomputed) or self.kernel == "precomputed"

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[misc]  # of the learner this is mixed into
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.allow_nan = tags.input_tags.allow_nan and not self._precomputed
        return tags

    def _requirements(self) -> Requirements:
        needs: Requirements = super()._requirements()  # type: ignore[misc]  # of the learner again
        # A column of means and an indicator may stand for a missing cell, but not for a kernel value.
        return replace(needs, accepts=replace(needs.accepts, missing=False)) if self._precomputed else needs

    def _missing_cells(self) -> Literal["indicate", "keep"]:
        takes_missing = isinstance(self.kernel, Kernel) and self.kernel.takes_missing
        return "keep" if takes_missing else "indicate"

    def _sizes(self, appended: int = 0) -> NDArray[np.intp] | None:
        """By how many columns each column of the table is encoded, for kernels that take missing cells."""
        if self._missing_cells() == "indicate":
            return None
        return np.append(np.diff(self.encoding_.offsets), np.ones(appended, dtype=np.intp))
