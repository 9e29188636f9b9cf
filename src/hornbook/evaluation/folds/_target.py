"""The target in one form, from the table to the predictions: positions among classes, or numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame

__all__ = ["Target"]


@dataclass(frozen=True, eq=False)
class Target:
    """What is to be predicted, row by row.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        Positions in ``classes``; the numbers themselves where there are no classes.
    classes : tuple, default ()
        The classes in order; empty for numbers.

    Examples
    --------
    >>> target = Target.of_classes(np.array(["yes", "no", "yes"], dtype=object))
    >>> target.classes, target.codes.tolist()
    (('no', 'yes'), [1, 0, 1])
    >>> target.labels.tolist()
    ['yes', 'no', 'yes']
    """

    codes: NDArray[Any]
    classes: tuple[Any, ...] = ()

    @classmethod
    def of_classes(cls, labels: NDArray[Any]) -> Target:
        """Find the classes of labels, in order; whole numbers are classes as integers."""
        if labels.dtype.kind == "f" and (labels == np.round(labels)).all():
            # Classes 0.0 and 1.0 of a numeric column are called 0 and 1.
            labels = labels.astype(np.int64)
        classes, codes = np.unique(labels, return_inverse=True)
        return cls(codes.astype(np.int64), tuple(classes.tolist()))

    @classmethod
    def of_column(cls, frame: Frame, name: str, *, classes: bool) -> Target:
        """Take the target from a complete column of a table, whose categories are codes already.

        Parameters
        ----------
        frame : Frame
            The table.
        name : str
            The column.
        classes : bool
            Whether its values are classes; numbers otherwise.
        """
        column, values = frame.schema.columns[frame.schema.position(name)], frame.column(name)
        if not classes:
            return cls(frame[name].astype(np.float64))
        if not all(isinstance(level, str) for level in column.levels) or column.kind == "numeric":
            return cls.of_classes(frame[name])
        # Levels without a row are no classes; codes are renumbered in the order of the names, as
        # np.unique would.
        present = np.flatnonzero(np.bincount(values, minlength=len(column.levels)))
        order = sorted(present.tolist(), key=column.levels.__getitem__)
        place = np.zeros(len(column.levels), dtype=np.int64)
        place[order] = np.arange(len(order))
        return cls(place[values], tuple(column.levels[code] for code in order))

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def labels(self) -> NDArray[Any]:
        """What learners are fitted to: the classes as users and parameters name them, or the numbers."""
        return self.named(self.codes) if self.classes else self.codes

    def named(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return the classes at some positions: of their own type, or objects for text."""
        text = all(isinstance(label, str) for label in self.classes)
        labels: NDArray[Any] = np.array(self.classes, dtype=object if text else None)[codes]
        return labels

    def codes_of(self, labels: NDArray[Any]) -> NDArray[np.int64]:
        """Return the positions of labels among the classes, which must hold them all."""
        place = {label: code for code, label in enumerate(self.classes)}
        try:
            return np.fromiter(map(place.__getitem__, labels.tolist()), np.int64, len(labels))
        except KeyError as error:
            raise ValueError(f"it answered with {error.args[0]!r}, which is none of the classes") from error
