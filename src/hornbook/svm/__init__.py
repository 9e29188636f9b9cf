"""Kernel machines: the answer is a weighted sum of kernel values with the training rows.

`KernelRidge` predicts numbers by least squares in the feature space of a kernel. `DualPerceptron` and
`KernelPerceptron` count how often each row was misclassified; `KernelDiscriminant` finds the directions of
feature space along which the classes lie far apart for their width.
"""

from __future__ import annotations

from hornbook.svm.kernel_learners._dual_perceptron import DualPerceptron
from hornbook.svm.kernel_learners._kernel_discriminant import KernelDiscriminant
from hornbook.svm.kernel_learners._kernel_perceptron import KernelPerceptron
from hornbook.svm.kernel_learners._kernel_ridge import KernelRidge

__all__ = ["DualPerceptron", "KernelDiscriminant", "KernelPerceptron", "KernelRidge"]
