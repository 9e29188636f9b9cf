"""What scikit-learn's names say about the penalty of logistic regression."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from hornbook.frame import Moments

__all__ = ["check_liblinear", "check_penalty"]

LARGEST = 1e30  # of a mean, beyond which LIBLINEAR's steps vanish


def check_penalty(learner: Any) -> None:
    """Warn of parameters that contradict each other as scikit-learn does; reject those of another solver."""
    penalty, ratio = learner.penalty, learner.l1_ratio
    if learner.dual and learner.solver != "liblinear":
        raise ValueError(
            f"LogisticRegression: Solver {learner.solver} supports only dual=False, got dual=True: leave it "
            "out, or take solver='liblinear'."
        )
    if penalty in ("l1", "l2", None) and 0 < ratio < 1:
        _warn(f"l1_ratio parameter is only used when penalty is 'elasticnet'. Got (penalty={penalty})")
    if (penalty == "l2" and ratio != 0) or (penalty == "l1" and ratio not in (0, 1)):
        _warn(f"Inconsistent values: penalty={penalty} with l1_ratio={ratio}: leave out the penalty.")
    if penalty is None and learner.C != 1.0:
        _warn("Setting penalty=None will ignore the C and l1_ratio parameters: leave them out.")


def check_liblinear(learner: Any, share: float, strength: float, moments: Moments) -> None:
    """Reject what LIBLINEAR's objective is not defined for, with scikit-learn's words."""
    if len(learner.classes_) > 2:
        raise ValueError(
            "LogisticRegression: The 'liblinear' solver does not support multiclass classification. Take "
            "another solver, or put the learner into OneVsRest."
        )
    if math.isinf(strength):
        raise ValueError(
            "LogisticRegression: C=inf as well as penalty=None is not supported for the liblinear solver: "
            "take another."
        )
    if 0 < share < 1:
        raise ValueError(
            "LogisticRegression: Only 'saga' solver supports elasticnet penalty, got solver=liblinear."
        )
    if share and learner.dual:
        raise ValueError(
            "LogisticRegression: absolute values in the penalty have no dual problem: set dual=False."
        )
    if np.abs(moments.mean).max(initial=0.0) > LARGEST:
        raise ValueError(
            "LogisticRegression: the penalty on the intercept has no effect beside columns with a mean above "
            f"{LARGEST:g}: rescale the columns, or take another solver."
        )


def _warn(text: str) -> None:
    warnings.warn(f"LogisticRegression: {text}", UserWarning, stacklevel=8)
