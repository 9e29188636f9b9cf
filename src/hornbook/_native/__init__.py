"""The compiled kernels: free functions on NumPy arrays that release the interpreter lock.

Arrays are C-contiguous and of the exact type, nothing is converted; a wrong shape or an index out of range
is a ValueError, a wrong type a TypeError. Where a function takes ``threads``, the result does not depend on
it.
"""

from __future__ import annotations

from hornbook._native._ext import (
    class_counts,
    class_moments,
    gather,
    gather_codes,
    gaussian_joint,
    kernel_joint,
    log_softmax,
    philox,
    scan,
    table_joint,
)

__all__ = [
    "class_counts",
    "class_moments",
    "gather",
    "gather_codes",
    "gaussian_joint",
    "kernel_joint",
    "log_softmax",
    "philox",
    "scan",
    "table_joint",
]
