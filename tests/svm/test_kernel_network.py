"""Kernel machines drawn as networks."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import svm

from hornbook import SVC, KernelPerceptron, KernelRidge, datasets
from hornbook.svm import kernel_network

MOONS = datasets.double_moon(n=40, random_state=0)
ROWS = MOONS.features.numbers


@pytest.mark.parametrize("learner", [SVC, svm.SVC])
def test_nodes_are_the_support_vectors(learner):
    machine = learner(gamma=0.05, C=10).fit(ROWS, MOONS.y)
    ax = kernel_network(machine, most=100)
    texts = [text.get_text() for text in ax.texts]
    assert sum("k(x" in text for text in texts) == len(machine.support_vectors_)
    assert f"{machine.dual_coef_[0, 0]:.3g}" in texts
    assert ax.get_title().startswith(f"{len(machine.support_vectors_)} nodes; the sum begins at")


def test_the_largest_coefficients_are_drawn():
    model = KernelRidge(kernel="rbf").fit(ROWS, ROWS[:, 0])
    ax = kernel_network(model, most=3)
    assert ax.get_title() == "40 nodes, the 3 with the largest coefficients"
    largest = model.dual_coef_[np.argsort(-np.abs(model.dual_coef_))[:3]]
    texts = {text.get_text() for text in ax.texts}
    assert {f"{value:.3g}" for value in largest} <= texts


def test_machines_that_cannot_be_drawn():
    with pytest.raises(ValueError, match="several"):
        kernel_network(KernelPerceptron().fit(ROWS, np.arange(40) % 3))
    with pytest.raises(ValueError, match="dual_coef_"):
        kernel_network(object())
    with pytest.raises(ValueError, match="most"):
        kernel_network(KernelRidge().fit(ROWS, ROWS[:, 0]), most=0)
