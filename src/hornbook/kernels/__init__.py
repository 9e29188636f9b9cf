"""Kernels: similarities of rows that are scalar products in some feature space.

A kernel compares two rows, ``Gaussian(sigma=1)([0, 0], [1, 1])``; `kernel_matrix` compares whole tables.
Kernels can be added, multiplied and scaled; a function of two rows is a kernel, too. `Mixed` compares rows
with categories and missing cells. `is_mercer` tests
whether a matrix can come from one, `kernel_distance` is the distance in feature space; `feature_map` computes
that of polynomial kernels explicitly.
"""

from __future__ import annotations

from hornbook.kernels._feature_maps import feature_map, feature_names
from hornbook.kernels._kernel import Kernel, KernelProduct, KernelSum, ScaledKernel
from hornbook.kernels._kernels import Gaussian, Laplacian, Linear, Polynomial, Precomputed, Sigmoid
from hornbook.kernels._matrices import is_mercer, kernel_distance, kernel_matrix
from hornbook.kernels._matrices import kernel_of as kernel_of
from hornbook.kernels._mixed import Mixed

__all__ = [
    "Gaussian",
    "Kernel",
    "KernelProduct",
    "KernelSum",
    "Laplacian",
    "Linear",
    "Mixed",
    "Polynomial",
    "Precomputed",
    "ScaledKernel",
    "Sigmoid",
    "feature_map",
    "feature_names",
    "is_mercer",
    "kernel_distance",
    "kernel_matrix",
]
