"""Reference coding: levels of a category compared with one of them, as statistics programs report them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["ReferenceLevels"]


@dataclass(frozen=True)
class ReferenceLevels:
    """The 0/1 columns of each category, and which of them the others are compared with.

    They add up to 1, as the constant term does, so the coefficients are not unique: a number can be added to
    those of a category and subtracted from the intercept. Differences between levels are unique; in reference
    coding the first level that occurs has the coefficient 0.

    Parameters
    ----------
    groups : tuple of (int, int, int)
        Start, stop and index of the reference level among the encoded columns.
    """

    groups: tuple[tuple[int, int, int], ...]

    @classmethod
    def from_means(cls, model: Any, mean: Floats) -> ReferenceLevels:
        """Reference levels of a model during its fit, from the means of its encoded columns."""
        groups = []
        for start, stop in _categories(model):
            # A level that does not occur has no effect to compare with.
            present = np.flatnonzero(mean[start:stop] > 0)
            if len(present):
                groups.append((start, stop, start + int(present[0])))
        return cls(tuple(groups))

    @classmethod
    def without_penalty(cls, model: Any, mean: Floats, free: bool) -> ReferenceLevels:
        """The same, but none where a penalty makes all coefficients unique."""
        return cls.from_means(model, mean) if free else cls(())

    @classmethod
    def of(cls, model: Any) -> ReferenceLevels:
        """Reference levels of a fitted model; models from older files have none."""
        kept = set(getattr(model, "reference_levels_", np.empty(0)).tolist())
        groups = [
            (start, stop, place)
            for start, stop in _categories(model)
            for place in kept & set(range(start, stop))
        ]
        return cls(tuple(groups))

    @property
    def places(self) -> NDArray[np.int64]:
        """Indices of the reference levels among the encoded columns."""
        return np.array([reference for _, _, reference in self.groups], dtype=np.int64)

    def applied(self, rows: Floats) -> Floats:
        """Coefficients, or their components, in reference coding: one row each, the intercept last."""
        coded = rows.copy()
        for start, stop, reference in self.groups:
            # What the levels lose, the intercept gains: predictions stay the same.
            coded[start:stop] -= rows[reference]
            coded[-1] += rows[reference]
        return coded

    def names(self, names: NDArray[Any]) -> NDArray[Any]:
        """Names of the encoded columns, those of reference levels marked."""
        marked = names.astype(object)
        for _, _, reference in self.groups:
            marked[reference] = f"{names[reference]} (reference)"
        return marked


def _categories(model: Any) -> list[tuple[int, int]]:
    """Start and stop of the 0/1 columns of each category, if they are redundant with an intercept."""
    encoding = getattr(model, "encoding_", None)
    if encoding is None or not model.fit_intercept:
        return []
    starts = encoding.offsets.tolist()
    return [
        (starts[j], starts[j] + len(encoding.kept[j]) + int(encoding.other[j]))
        for j, column in enumerate(encoding.schema.columns)
        if column.kind == "nominal"
    ]
