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

from hornbook.svm._one_class_svm import OneClassSVM
from hornbook.svm._svc import SVC
from hornbook.svm._svr import SVR
from hornbook.svm.geometry._conic import Conic, conic_of, explicit_weights
from hornbook.svm.geometry._hyperplane import Hyperplane
from hornbook.svm.geometry._kernel_network import kernel_network
from hornbook.svm.kernel_learners._dual_perceptron import DualPerceptron
from hornbook.svm.kernel_learners._kernel_discriminant import KernelDiscriminant
from hornbook.svm.kernel_learners._kernel_perceptron import KernelPerceptron
from hornbook.svm.kernel_learners._kernel_ridge import KernelRidge
from hornbook.svm.linear_machines._linear_svc import LinearSVC
from hornbook.svm.linear_machines._linear_svr import LinearSVR

__all__ = [
    "SVC",
    "SVR",
    "Conic",
    "DualPerceptron",
    "Hyperplane",
    "KernelDiscriminant",
    "KernelPerceptron",
    "KernelRidge",
    "LinearSVC",
    "LinearSVR",
    "OneClassSVM",
    "conic_of",
    "explicit_weights",
    "kernel_network",
]
