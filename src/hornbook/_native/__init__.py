"""The compiled kernels: free functions on NumPy arrays that release the interpreter lock.

Arrays are C-contiguous and of the exact type, nothing is converted; a wrong shape or an index out of range
is a ValueError, a wrong type a TypeError. Where a function takes ``threads``, the result does not depend on
it.
"""

from __future__ import annotations

from hornbook._native._ext import (
    auc,
    auc_bootstrap,
    class_counts,
    class_moments,
    class_scatter,
    coordinate_descent,
    gather,
    gather_codes,
    gaussian_joint,
    kd_build,
    kd_nearest,
    kd_within,
    kernel_joint,
    log_softmax,
    logistic_sums,
    multinormal_joint,
    nearest_brute,
    nearest_refine,
    nearest_settle,
    pairwise,
    perceptron_pass,
    permute_dot,
    permute_two_sample_mean,
    philox,
    scan,
    score_groups,
    table_joint,
    upper_hull,
    weighted_gram,
    within_brute,
)

__all__ = [
    "auc",
    "auc_bootstrap",
    "class_counts",
    "class_moments",
    "class_scatter",
    "coordinate_descent",
    "gather",
    "gather_codes",
    "gaussian_joint",
    "kd_build",
    "kd_nearest",
    "kd_within",
    "kernel_joint",
    "log_softmax",
    "logistic_sums",
    "multinormal_joint",
    "nearest_brute",
    "nearest_refine",
    "nearest_settle",
    "pairwise",
    "perceptron_pass",
    "permute_dot",
    "permute_two_sample_mean",
    "philox",
    "scan",
    "score_groups",
    "table_joint",
    "upper_hull",
    "weighted_gram",
    "within_brute",
]
