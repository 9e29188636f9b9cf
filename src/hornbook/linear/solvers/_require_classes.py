"""The check that a linear classifier has at least two classes."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["require_classes"]


def require_classes(mass: Floats, classes: NDArray[Any], learner: str) -> None:
    """Reject a target with a single class."""
    if (mass > 0).sum() < 2:
        (only,) = classes[mass > 0].tolist()
        raise ValueError(
            f"{learner} needs at least 2 classes, and all weight is on the one class {only!r}: "
            "check the target."
        )
