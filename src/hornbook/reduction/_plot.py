"""The plots of principal components: the spectrum, and rows beside the columns in the plane of two."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.params import Floats
from hornbook.plots import biplot, spectrum

__all__ = ["draw"]


def draw(model: Any, scores: Floats | None, y: Any, ax: Any) -> Any:
    """Draw the spectrum with the cut-off; with rows, two of their coordinates and the columns as arrows."""
    if scores is None:
        return spectrum(model.spectrum_, model.n_components_, ax=ax)
    width = max(2 - model.n_components_, 0)  # one component is drawn along a line
    points = np.pad(scores[:, :2], ((0, 0), (0, width)))
    arrows = np.pad(model.components_[:2].T, ((0, 0), (0, width)))
    shares = [f"{share:.1%}" for share in model.explained_variance_ratio_[:2]] + ["nothing"] * width
    titles = [f"component {i} ({share} of the variance)" for i, share in enumerate(shares)]
    return biplot(
        points, arrows, [str(name) for name in model.encoded_names_], classes=y, titles=titles, ax=ax
    )
