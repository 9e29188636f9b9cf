"""Figures of note N1: linear and kernel discriminants on Iris."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure
from hornbook import KernelDiscriminant, LinearDiscriminant, datasets, kernels, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _direction() -> tuple[object, np.ndarray]:
    flowers = datasets.iris(view="plane", positive="setosa")
    w = LinearDiscriminant(solver="direct").fit(flowers).direction_
    return flowers, w / np.linalg.norm(w)


@figure("N1/F08", "Setosa and the rest projected onto a poor direction: the classes overlap")
def poor_direction() -> Figure:
    flowers, _ = _direction()
    return plots.projection(flowers.features, flowers.y, [1.0, 1.0], title="w = (1, 1)").figure


@figure("N1/F09", "The best direction of the linear discriminant, with the projected means")
def best_direction() -> Figure:
    flowers, w = _direction()
    return plots.projection(flowers.features, flowers.y, w, title="the direction of the discriminant").figure


@figure("N1/F10", "The direction of the discriminant in numbers")
def direction_in_numbers() -> Figure:
    flowers, w = _direction()
    title = f"w = ({w[0]:.3f}, {w[1]:.3f})"
    return plots.projection(flowers.features, flowers.y, w, title=title).figure


def _kernel() -> tuple[object, KernelDiscriminant]:
    flowers = datasets.iris(view="components", positive="versicolor")
    return flowers, KernelDiscriminant(0.0, kernel=kernels.Polynomial(2, constant=0.0)).fit(flowers)


@figure("N1/F11", "Curves of constant projection onto the kernel discriminant, for the kernel (x·y)²")
def kernel_contours() -> Figure:
    flowers, model = _kernel()
    return plots.boundaries(
        [], flowers.features, flowers.y, heights=lambda rows: model.transform(rows)[:, 0]
    ).figure


@figure("N1/F12", "All points projected onto the kernel discriminant")
def kernel_projection() -> Figure:
    flowers, model = _kernel()
    names = model.classes_.tolist()
    groups = [names.index(label) for label in flowers.y]
    return plots.strips(model.transform(flowers)[:, 0], groups, names, name="projection onto w").figure


@figure(
    "N1/F13", "The same points in the feature space of the kernel, with the direction of the discriminant"
)
def kernel_feature_space() -> Figure:
    flowers, model = _kernel()
    phi = kernels.feature_map(flowers.numbers, model.kernel_)
    w = phi.T @ model.directions_[:, 0]
    # x1², √2 x1 x2, x2²: as the notes write them, the mixed term comes first.
    order = [1, 0, 2]
    names = ("√2 x1 x2", "x1²", "x2²")
    return plots.feature_space(phi[:, order], flowers.y, w[order], direction=True, names=names).figure
