"""Column names at fit and at prediction: scikit-learn's rules, with a remedy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hornbook.frame import NOT_TEXT, REPAIR, Schema, lone_surrogate

__all__ = ["check_count", "check_names", "remember_names", "remember_target"]

LISTED = 5  # names shown in a message


def remember_names(learner: Any, schema: Schema) -> None:
    """Store how many columns there were at fit and, if they had names, which."""
    learner.n_features_in_ = len(schema.columns)
    if schema.named:
        learner.feature_names_in_ = np.array(schema.names, dtype=object)


def remember_target(learner: Any, X: Any, y: Any) -> None:
    """Store what the target was called, if it had a name: a column of the table, or a named series."""
    schema = getattr(X, "schema", None)
    name = getattr(y, "name", None)
    if y is None and isinstance(schema, Schema) and (place := schema.find("target")) is not None:
        name = schema.names[place] if schema.named else None
    if learner.supervised and isinstance(name, str) and name:
        if lone_surrogate([name]) is not None:
            raise ValueError(f"The target y has the name {name!r}, {NOT_TEXT}: {REPAIR}.")
        learner.target_name_ = name


def check_names(learner: Any, schema: Schema) -> None:
    """Refuse columns other than those of the fit, and say how to put them right."""
    fitted = learner.schema_
    kind = type(learner).__name__
    # Names before the count, as in scikit-learn: the names tell the user which column is missing.
    if fitted.named and schema.named and fitted.names != schema.names:
        raise ValueError(_difference(fitted.names, schema.names))
    check_count(learner, len(schema.columns))
    if schema.named and not fitted.named:
        _warn(f"X has feature names, but {kind} was fitted without feature names")
    if fitted.named and not schema.named:
        _warn(f"X does not have valid feature names, but {kind} was fitted with feature names")


def check_count(learner: Any, n_columns: int) -> None:
    """Refuse more or fewer columns than those of the fit."""
    n_fitted = len(learner.schema_.columns)
    if n_columns != n_fitted:
        raise ValueError(
            f"X has {n_columns} features, but {type(learner).__name__} is expecting {n_fitted} features as "
            "input: pass the columns of the fit."
        )


def _warn(sentence: str) -> None:
    warnings.warn(sentence, UserWarning, stacklevel=7)


def _difference(fitted: tuple[str, ...], seen: tuple[str, ...]) -> str:
    parts = ["The feature names should match those that were passed during fit.\n"]
    unexpected = sorted(set(seen) - set(fitted))
    missing = sorted(set(fitted) - set(seen))
    if unexpected:
        parts.append("Feature names unseen at fit time:\n" + _listed(unexpected))
    if missing:
        parts.append("Feature names seen at fit time, yet now missing:\n" + _listed(missing))
        remedy = "Add the missing columns."
    elif unexpected:
        remedy = "Leave out the columns that were not there at fit."
    else:
        parts.append("Feature names must be in the same order as they were in fit.\n")
        remedy = "Select the columns in that order: X[list(learner.feature_names_in_)]."
    return "".join(parts) + remedy


def _listed(names: list[str]) -> str:
    shown = [f"- {name}\n" for name in names[:LISTED]]
    return "".join(shown + (["- ...\n"] if len(names) > LISTED else []))
