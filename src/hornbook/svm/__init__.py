"""Kernel machines: the answer is a weighted sum of kernel values with the training rows.

`SVC` is the support vector machine: a boundary in the feature space of a kernel, as far as possible from the
rows of both classes; `SVR` predicts numbers by a tube around the rows. `LinearSVC` and `LinearSVR` do
without a kernel, and so learn from many rows. `OneClassSVM` says where the bulk of the rows is, and which
are outliers.
`KernelRidge` predicts numbers by least squares in that space. `DualPerceptron` and
`KernelPerceptron` count how often each row was misclassified; `KernelDiscriminant` finds the directions of
feature space along which the classes lie far apart for their width. A `Hyperplane` knows distances, margins
and its canonical form; `explicit_weights` and `conic_of` describe the boundary of a polynomial kernel, and
`kernel_network` draws a kernel machine as a network.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "SVC": "_svc",
    "SVR": "_svr",
    "Conic": "geometry._conic",
    "DualPerceptron": "kernel_learners._dual_perceptron",
    "Hyperplane": "geometry._hyperplane",
    "KernelDiscriminant": "kernel_learners._kernel_discriminant",
    "KernelPerceptron": "kernel_learners._kernel_perceptron",
    "KernelRidge": "kernel_learners._kernel_ridge",
    "LinearSVC": "linear_machines._linear_svc",
    "LinearSVR": "linear_machines._linear_svr",
    "OneClassSVM": "_one_class_svm",
    "conic_of": "geometry._conic",
    "explicit_weights": "geometry._conic",
    "kernel_network": "geometry._kernel_network",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
