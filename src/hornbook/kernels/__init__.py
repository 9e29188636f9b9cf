"""Kernels: similarities of rows that are scalar products in some feature space.

A kernel compares two rows, ``Gaussian(sigma=1)([0, 0], [1, 1])``; `kernel_matrix` compares whole tables.
Kernels can be added, multiplied and scaled; a function of two rows is a kernel, too. `Mixed` compares rows
with categories and missing cells. `is_mercer` tests
whether a matrix can come from one, `kernel_distance` is the distance in feature space; `feature_map` computes
that of polynomial kernels explicitly.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "Gaussian": "_kernels",
    "Kernel": "_kernel",
    "KernelProduct": "_kernel",
    "KernelSum": "_kernel",
    "Laplacian": "_kernels",
    "Linear": "_kernels",
    "Mixed": "_mixed",
    "Polynomial": "_kernels",
    "Precomputed": "_kernels",
    "ScaledKernel": "_kernel",
    "Sigmoid": "_kernels",
    "feature_map": "_feature_maps",
    "feature_names": "_feature_maps",
    "is_mercer": "_matrices",
    "kernel_distance": "_matrices",
    "kernel_matrix": "_matrices",
}

# Lent to other packages, not for users.
LENT = {
    "is_no_product": "_matrices",
    "kernel_of": "_matrices",
    "negative_square": "_matrices",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)
