"""Many classes by pairs: their problems, how they are solved, and the coefficients they have in common."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Code, one_vs_one
from hornbook.params import Floats
from hornbook.svm._binary_problem import BinaryProblem, BinarySolution, Loss

__all__ = [
    "SupportTable",
    "begun_problems",
    "class_code",
    "linear_weights",
    "pair_problems",
    "pair_scores",
    "support_table",
]

FEW = 64  # rows whose scores are put together at a time


def class_code(k: int) -> Code:
    """Sides of the classes in each problem: all pairs, the first +1; of two classes, the second."""
    return np.array([[-1], [1]], dtype=np.int8) if k == 2 else one_vs_one(k)


def pair_problems(y: NDArray[np.integer], costs: Floats, k: int, loss: Loss) -> list[BinaryProblem]:
    """Return the binary problems of some rows; rows without weight are in none.

    Parameters
    ----------
    y : ndarray of shape (n,)
        The class of each row, as a number.
    costs : ndarray of shape (n,)
        C times the weight of each row.
    k : int
        How many classes there are.
    loss : {"hinge", "squared_hinge"}
        Of slack.

    Returns
    -------
    list of BinaryProblem
        In the order of the columns of `class_code`.
    """
    if k == 2:
        rows = np.flatnonzero(costs > 0)
        return [BinaryProblem(rows, np.where(y[rows] == 1, 1.0, -1.0), costs[rows], loss)]
    # Found once for each class, because every class is in k - 1 problems.
    members = [np.flatnonzero((y == label) & (costs > 0)) for label in range(k)]
    # All problems side by side, of which each is a part: hundreds of pairs of few rows cost little then.
    sides = np.array(list(combinations(range(k), 2)))
    sizes = np.array([len(rows) for rows in members])[sides]
    rows = np.concatenate([members[label] for label in sides.ravel()])
    signs, prices = np.repeat(np.tile([1.0, -1.0], len(sides)), sizes.ravel()), costs[rows]
    ends = np.cumsum(sizes.sum(axis=1)).tolist()
    return [BinaryProblem(rows[a:b], signs[a:b], prices[a:b], loss) for a, b in pairwise([0, *ends])]


@dataclass(frozen=True)
class SupportTable:
    """Support vectors in the order of their classes, with a coefficient for each problem of their class.

    Parameters
    ----------
    rows : ndarray of shape (m,)
        Rows of the training table.
    counts : ndarray of shape (n_classes,)
        How many there are of each class.
    coef : ndarray of shape (n_classes - 1, m)
        In the layout of LIBSVM and scikit-learn: the first coefficients of a row are those of the pairs with
        the classes before its own.
    """

    rows: NDArray[np.int32]
    counts: NDArray[np.int32]
    coef: Floats


def support_table(
    y: NDArray[np.integer], k: int, problems: list[BinaryProblem], solutions: list[BinarySolution]
) -> SupportTable:
    """Collect the rows with a coefficient in any problem."""
    # LIBSVM's layout, which scikit-learn shares: a row is in the k - 1 problems of its class only, so that k
    # - 1 coefficients suffice where the table of all problems would have k (k - 1) / 2.
    dense = np.zeros((k - 1, len(y)))
    members = np.concatenate([problem.rows for problem in problems])
    dense[_coef_lines(problems, k), members] = np.concatenate([solution.coef for solution in solutions])
    used = np.flatnonzero(dense.any(axis=0))
    rows = used[np.argsort(y[used], kind="stable")]
    counts = np.bincount(y[rows], minlength=k)
    return SupportTable(rows.astype(np.int32), counts.astype(np.int32), np.ascontiguousarray(dense[:, rows]))


def _coef_lines(problems: list[BinaryProblem], k: int) -> NDArray[np.intp]:
    """Where the coefficients of all problems, side by side, are among those of the classes of their rows."""
    code, sizes = class_code(k), [len(problem.rows) for problem in problems]
    positive, negative = np.repeat(code.argmax(axis=0), sizes), np.repeat(code.argmin(axis=0), sizes)
    signs = np.concatenate([problem.signs for problem in problems])
    # The line of a rival is its number among the other classes: one less if it comes after the own class.
    return np.where(signs > 0, negative - (negative > positive), positive - (positive > negative))


def begun_problems(
    problems: list[BinaryProblem], coef: Floats, margins: Floats, k: int
) -> list[BinaryProblem]:
    """The problems with starts from the coefficients of an earlier fit of as many classes and rows."""
    # Another number of classes than before: the old coefficients belong to other problems.
    if len(coef) != k - 1 or len(margins) != len(problems):
        return problems
    ends = np.cumsum([len(problem.rows) for problem in problems])[:-1]
    return [
        problem.begun(coef[lines, problem.rows], float(margin))
        for problem, margin, lines in zip(
            problems, margins, np.split(_coef_lines(problems, k), ends), strict=True
        )
    ]


def pair_scores(sums: Floats, k: int, intercept: Floats) -> Floats:
    """Scores of all problems, from sums over the support vectors of each class.

    Parameters
    ----------
    sums : ndarray of shape (n, k * (k - 1))
        Of each class with each row of coefficients.
    k : int
        How many classes there are.
    intercept : ndarray of shape (n_problems,)
        Added to each score.

    Returns
    -------
    ndarray of shape (n, n_problems)
        Positive for the class with +1.
    """
    if k == 2:
        return np.asarray(sums.sum(axis=1)[:, None] + intercept)
    first, second = np.triu_indices(k, 1)
    own, others = first * (k - 1) + second - 1, second * (k - 1) + first
    scores = np.empty((len(sums), len(first)))
    # Few rows at a time, which the nearest cache holds.
    for i in range(0, len(sums), FEW):
        part, out = sums[i : i + FEW], scores[i : i + FEW]
        np.take(part, own, axis=1, out=out, mode="clip")
        out += part.take(others, axis=1)
        out += intercept
    return scores


def linear_weights(coef: Floats, vectors: Floats, counts: NDArray[np.integer]) -> Floats:
    """Weights of the columns in each problem, where the kernel is the scalar product.

    Parameters
    ----------
    coef : ndarray of shape (k - 1, m)
        Coefficients of support vectors.
    vectors : ndarray of shape (m, n_columns)
        The support vectors, by class.
    counts : ndarray of shape (k,)
        How many there are of each class.

    Returns
    -------
    ndarray of shape (n_problems, n_columns)
        The weights.
    """
    k, starts = len(counts), np.concatenate([[0], np.cumsum(counts)])
    parts = [np.einsum("ij,jc->ci", coef[:, a:b], vectors[a:b]) for a, b in pairwise(starts)]
    sums = np.stack(parts, axis=1).reshape(-1, k * (k - 1))
    return np.ascontiguousarray(pair_scores(sums, k, np.zeros(1)).T)
