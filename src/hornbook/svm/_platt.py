"""Probabilities of pairs of classes by cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.base import PlattSigmoid
from hornbook.params import Floats
from hornbook.random import Stream
from hornbook.svm._binary_problem import BinaryProblem, SmoSettings
from hornbook.svm._kernel_table import KernelTable

__all__ = ["cross_validated_sigmoid"]

# As many as in LIBSVM.
FOLDS = 5
FOLD_STREAM = 21  # random numbers that shuffle rows


def cross_validated_sigmoid(
    problem: BinaryProblem, kernel: KernelTable, settings: SmoSettings, weights: Floats, seed: int | None
) -> PlattSigmoid:
    """Fit a sigmoid to the scores that rows get from machines that did not see them.

    The rows of each class are dealt to five folds in turn: in their order, or shuffled by the seed.
    """
    # Scores of the rows a machine was trained on would not do: support vectors lie on or inside the margin by
    # construction, so the sigmoid would be too steep (Platt 1999).
    folds = _folds(problem.signs, seed)
    parts = [
        (np.flatnonzero(folds != fold), np.flatnonzero(folds == fold))
        for fold in range(FOLDS)
        if (folds == fold).any()
    ]
    solvers = [
        _part(problem, train).solver(kernel, settings) if _both(problem, train) else None
        for train, _ in parts
    ]
    _native.smo_run_all([solver for solver in solvers if solver is not None], settings.n_threads)
    scores = np.empty(len(folds))
    for (train, test), solver in zip(parts, solvers, strict=True):
        if solver is None:  # one class is left, or none
            # As in LIBSVM: with one class, a score of 1 for it.
            scores[test] = problem.signs[train][0] if len(train) else 0.0
            continue
        coef = solver.values()
        used = np.flatnonzero(coef)
        values = kernel.matrix(problem.rows[test], problem.rows[train[used]], settings.n_threads)
        # Row by row, so that the sum does not depend on how many there are.
        scores[test] = np.einsum("ij,j->i", values, coef[used]) + solver.bias
    return PlattSigmoid.fit(scores, problem.signs > 0, weights[problem.rows])


def _folds(signs: Floats, seed: int | None) -> NDArray[np.intp]:
    folds = np.empty(len(signs), dtype=np.intp)
    for side in (-1.0, 1.0):
        rows = np.flatnonzero(signs == side)
        if seed is not None:
            rows = rows[
                np.argsort(Stream(seed, FOLD_STREAM, int(side > 0)).uniform(len(rows)), kind="stable")
            ]
        folds[rows] = np.arange(len(rows)) % FOLDS
    return folds


def _both(problem: BinaryProblem, rows: NDArray[np.intp]) -> bool:
    return len(set(problem.signs[rows].tolist())) == 2


def _part(problem: BinaryProblem, rows: NDArray[np.intp]) -> BinaryProblem:
    return BinaryProblem(problem.rows[rows], problem.signs[rows], problem.costs[rows], problem.loss)
