"""Bayes decision theory: posterior probabilities, the risk of each decision, and the one of least risk."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from hornbook import _native
from hornbook.frame import Frame
from hornbook.params import Floats, Shape

__all__ = ["BayesDecision", "Model"]


class Model(Protocol):
    """What a Bayes classifier predicts with."""

    @property
    def log_prior(self) -> Floats:
        """Logarithm of P(class)."""

    def joint(self, numbers: Floats, codes: NDArray[np.int32], n_threads: int) -> Floats:
        """Log of P(class) times P(row | class), one row for each row."""


class BayesDecision:
    """From P(class) P(row | class) to a decision; the learners provide P(row | class).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_count_ : ndarray of shape (n_classes,)
        Weight of each class.
    class_prior_ : ndarray of shape (n_classes,)
        Probability of each class.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    counts_absent: ClassVar[bool] = True

    costs: ArrayLike | None
    # For learners whose P(class) is part of P(class, value), which they estimate as one.
    priors: ArrayLike | None = None
    smooth_prior: bool = False
    classes_: Annotated[NDArray[Any], Shape("n_classes")]
    _current_model: Any  # gives the Model to predict with
    _threads: Any
    _prepared: Any
    _by_chunks: Any

    def _check_settings(self) -> None:
        """Reject costs and priors that do not fit the classes."""
        k, name = len(self.classes_), type(self).__name__
        if self.costs is not None:
            costs = np.asarray(self.costs, dtype=np.float64)
            if costs.shape != (k, k) or not np.isfinite(costs).all():
                raise ValueError(
                    f"{name}: parameter 'costs' must be a {k} x {k} table of finite numbers, one row and "
                    f"column for each class; got shape {costs.shape}."
                )
        if self.priors is not None:
            self._check_priors(np.asarray(self.priors, dtype=np.float64), k, name)

    def _check_priors(self, priors: Floats, k: int, name: str) -> None:
        reason = ""
        if priors.shape != (k,):
            reason = "Number of priors must match number of classes"
        elif not (priors >= 0).all():
            reason = "Priors must be non-negative"
        elif not np.isclose(priors.sum(), 1.0):
            reason = "The sum of the priors should be 1"
        if reason:
            raise ValueError(
                f"{name}: {reason}; parameter 'priors' must be {k} numbers >= 0 with sum 1, one for each "
                f"class; got {self.priors!r}."
            )

    def _prior(self, mass: Floats) -> Floats:
        """P(class); 0 for a class without weight, whatever smoothing or the user's priors say."""
        share = mass
        if self.priors is not None:
            share = np.where(mass > 0, np.asarray(self.priors, dtype=np.float64), 0.0)
            # If every class with a prior is absent, the priors are all that is known.
            if mass.all() or not share.any():
                return np.asarray(self.priors, dtype=np.float64)
        elif self.smooth_prior:
            share = np.where(mass > 0, mass + 1.0, 0.0)
        return np.asarray(share / share.sum())

    def _log_prior(self, mass: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._prior(mass)))

    def _log_proba(self, features: Frame) -> Floats:
        model: Model = self._current_model()
        joint = model.joint(features.numbers, features.codes, self._threads())
        log_probabilities, evidence = _native.log_softmax(joint, self._threads())
        lost = np.isneginf(evidence)
        if lost.any():
            warnings.warn(
                f"{lost.sum()} rows have probability 0 in every class; they get the class priors. "
                "Smoothing avoids this for categories; look for wrong numbers, too.",
                UserWarning,
                stacklevel=4,
            )
            log_probabilities[lost] = model.log_prior
        return log_probabilities

    def _proba(self, features: Frame) -> Floats:
        return np.asarray(np.exp(self._log_proba(features)))

    def _predict(self, features: Frame) -> NDArray[np.intp]:
        if self.costs is None:
            # If every mistake costs 1, the risk is least where the posterior is largest. In logarithms,
            # because posteriors of many columns round to 0 and 1 and would tie.
            return np.asarray(self._log_proba(features).argmax(axis=1))
        # A class without weight has probability 0, but deciding for it could still be cheapest.
        absent = np.isneginf(self._current_model().log_prior)
        return np.asarray(np.where(absent, np.inf, self._risk(features)).argmin(axis=1))

    def _cost_table(self) -> Floats:
        if self.costs is None:
            return np.asarray(1.0 - np.eye(len(self.classes_)))
        return np.asarray(self.costs, dtype=np.float64)

    def _working_costs(self) -> list[list[float]] | None:
        """The costs for a `Working`; None when every mistake costs 1."""
        return None if self.costs is None else self._cost_table().tolist()

    def _risk(self, features: Frame) -> Floats:
        return np.asarray(self._proba(features) @ self._cost_table().T)

    def conditional_risk(self, X: Any) -> Floats:
        """Return the expected cost of each decision: R(i | x) = sum over j of costs[i][j] P(j | x).

        Without ``costs`` every mistake costs 1, and the risk of a decision is 1 - P(class | x).

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        risks : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; `predict` takes the smallest.
        """
        if issparse(X):
            return np.asarray(self._by_chunks(self.conditional_risk, X))
        return self._risk(self._prepared(X))

    def bayes_risk(self, X: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the mean over rows of the smallest conditional risk.

        It is the lowest expected cost of any decision rule on such rows if the model is true; without
        ``costs`` 1 minus it is the best possible accuracy.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        risk : float
            Never above the risk of any single decision.
        """
        least = self.conditional_risk(X).min(axis=1)
        if sample_weight is None:
            return float(least.mean())
        weights = np.asarray(sample_weight, dtype=np.float64)
        if weights.shape != least.shape or not (weights >= 0).all() or not weights.sum() > 0:
            raise ValueError(
                f"bayes_risk: 'sample_weight' must be {len(least)} numbers >= 0, one for each row, not all "
                f"0; got shape {weights.shape}."
            )
        return float(weights @ least / weights.sum())

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return log P(class) + log P(row | class): the unnormalized log posterior.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        log_products : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        if issparse(X):
            return np.asarray(self._by_chunks(self.predict_joint_log_proba, X))
        rows = self._prepared(X)
        return np.asarray(self._current_model().joint(rows.numbers, rows.codes, self._threads()))
