"""Inference on coefficients: standard errors, tests against 0, confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import f as fisher
from scipy.stats import norm, t

from hornbook.base import Description, Table
from hornbook.display import Cell
from hornbook.linear.explain._number_description import as_fitted, coefficient_table, target_names
from hornbook.linear.explain._reference_levels import ReferenceLevels
from hornbook.linear.solvers._least_squares import Fit, Problem, has_one_target, residual_squares
from hornbook.params import Floats

__all__ = [
    "CODING",
    "coded_coefficients",
    "inference_description",
    "inference_table",
    "inference_tables",
    "rank_facts",
    "store_fit",
    "store_reference_errors",
    "store_reference_levels",
]

CODING = (
    "each level against the reference level of its column, whose coefficient is 0; coef_ holds weights of "
    "all levels that give the same answers"
)


def store_fit(model: Any, problem: Problem, fit: Fit) -> None:
    """Store coefficients and their standard errors on a model."""
    rss, whole = residual_squares(problem, fit), fit.total
    # A constant target has nothing to explain, and its R squared is 1.
    explained = 1.0 - np.divide(rss, whole, out=np.zeros_like(rss), where=whole > 0)
    # Weights count as repeated rows, so their sum is the number of observations.
    degrees = max(fit.mass - fit.rank - problem.fit_intercept, 0.0)
    variance = rss / degrees if degrees > 0 else np.zeros_like(rss)
    errors = np.empty((len(rss), 0))
    if degrees > 0 and fit.spread.size:
        spread = fit.spread if problem.fit_intercept else np.append(fit.spread[:-1], 0.0)
        errors = np.sqrt(variance[:, None] * spread)
    single = has_one_target(problem.blocks)
    model.coef_, model.intercept_ = as_fitted(fit.coef, fit.intercept, single=single)
    model.rank_ = fit.rank
    model.degrees_of_freedom_ = degrees
    model.residual_variance_ = float(variance[0]) if single else variance
    model.r_squared_ = float(explained[0]) if single else explained
    model.standard_errors_ = errors[0] if single else errors


def store_reference_levels(model: Any, fit: Fit) -> None:
    """Store the reference levels, and the standard errors of differences from them, on a fitted model."""
    if fit.root is not None:
        store_reference_errors(model, fit.mean, fit.root, model.residual_variance_)
    else:
        model.reference_levels_ = ReferenceLevels(()).places
    if fit.root is None or not model.standard_errors_.size:
        model.reference_errors_ = model.standard_errors_


def store_reference_errors(model: Any, mean: Floats, root: Floats, variance: Any) -> None:
    """Store the reference levels, and the standard errors of differences from them, on a model.

    ``variance`` times the products of the rows of ``root``, the intercept's last, are the covariances of the
    coefficients.
    """
    levels = ReferenceLevels.from_means(model, mean)
    spread = (levels.applied(root) ** 2).sum(axis=1)
    model.reference_levels_ = levels.places
    model.reference_errors_ = np.sqrt(np.asarray(variance)[..., None] * spread)


def inference_description(model: Any, title: str, names: NDArray[Any]) -> Description:
    """Describe a model that `keep_fit` has filled, with the tests of its coefficients."""
    facts: dict[str, Any] = {
        "R squared": _listed(model.r_squared_),
        "residual standard deviation": _listed(np.sqrt(model.residual_variance_)),
        "degrees of freedom": model.degrees_of_freedom_,
    }
    facts |= rank_facts(model, model.rank_, len(names))
    if not model.standard_errors_.size:
        facts["tests"] = (
            "none: there are as many coefficients as rows"
            if model.degrees_of_freedom_ == 0
            else "none: coefficients may not be negative"
        )
        return Description(title, facts, [coefficient_table(*coded_coefficients(model, names))])
    if model.coef_.ndim == 1 and model.residual_variance_ > 0:
        facts |= _f_test(model)
    return Description(title, facts, inference_tables(model, names, model.degrees_of_freedom_))


def rank_facts(model: Any, rank: int, n_columns: int) -> dict[str, str]:
    """Facts about redundant columns, and about the coding of categories, which are always redundant."""
    facts = {}
    levels = ReferenceLevels.of(model)
    # Each category has one level more than it can have independent effects.
    apart = n_columns - len(levels.groups)  # as many as can be independent
    if rank < apart:
        facts["rank"] = f"{rank} of {apart}: some columns follow from others"
    if levels.groups:
        facts["categories"] = CODING
    return facts


def _f_test(model: Any) -> dict[str, float]:
    """The F test of all coefficients but the intercept together."""
    if not model.rank_ or model.r_squared_ >= 1:
        return {}
    # The rank and not the number of columns: redundant ones cost no degree of freedom.
    ratio = model.r_squared_ / (1.0 - model.r_squared_) * model.degrees_of_freedom_ / model.rank_
    p = float(fisher.sf(ratio, model.rank_, model.degrees_of_freedom_))
    return {"F": float(ratio), "p of F": p}


def inference_tables(model: Any, names: NDArray[Any], degrees: float | None = None) -> list[Table]:
    """The tests of the coefficients of each target, levels of a category against its reference level."""
    coded, constant, marked = coded_coefficients(model, names)
    coef, intercept = np.atleast_2d(coded), np.atleast_1d(constant)
    compared = bool(ReferenceLevels.of(model).groups)
    errors = np.atleast_2d(model.reference_errors_ if compared else model.standard_errors_)
    targets = target_names(model.coef_)
    tables = []
    for i, target in enumerate(targets):
        terms = [str(name) for name in marked]
        values, own_errors = coef[i], errors[i, :-1]
        if model.fit_intercept:
            terms = ["intercept", *terms]
            values = np.append(intercept[i], values)
            own_errors = np.append(errors[i, -1], own_errors)
        title = "Coefficients" if len(targets) == 1 else f"Coefficients of {target}"
        tables.append(inference_table(terms, values, own_errors, model.confidence, degrees, title))
    return tables


def coded_coefficients(model: Any, names: NDArray[Any]) -> tuple[Floats, Any, NDArray[Any]]:
    """Coefficients and intercept in reference coding, in the shapes of the model's own, and marked names."""
    levels = ReferenceLevels.of(model)
    both = np.column_stack([np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)]).T
    coded = levels.applied(both).T
    coef, intercept = as_fitted(coded[:, :-1], coded[:, -1], single=model.coef_.ndim == 1)
    return coef, intercept, levels.names(names)


def inference_table(
    terms: Sequence[str],
    coef: Floats,
    errors: Floats,
    confidence: float,
    degrees: float | None = None,
    title: str = "Coefficients",
) -> Table:
    """Coefficient, standard error, statistic, p-value and interval of each term.

    The statistic, coefficient over standard error, follows Student's t distribution with these degrees of
    freedom, or the normal distribution if they are None. A term whose standard error is 0 has no statistic.
    """
    # Student's t where the variance is estimated from residuals; the normal distribution is asymptotic.
    law: Any = norm if degrees is None else t(degrees)
    width = float(law.ppf(0.5 + confidence / 2))
    # An error of 0 belongs to a reference level or to a perfect fit, and neither can be tested.
    statistic = np.divide(coef, errors, out=np.full_like(coef, np.nan), where=errors > 0)
    rows: list[list[Cell]] = []
    for name, value, error, ratio in zip(terms, coef, errors, statistic, strict=True):
        tested = [None, None] if np.isnan(ratio) else [float(ratio), float(2 * law.sf(abs(ratio)))]
        ends = float(value - width * error), float(value + width * error)
        rows.append([str(name), float(value), float(error), *tested, *ends])
    share = f"{100 * confidence:g} %"
    letter = "z" if degrees is None else "t"
    head = ["term", "coefficient", "std. error", letter, "p", f"low {share}", f"high {share}"]
    return Table(title, head, rows)


def _listed(numbers: Any) -> Any:
    return float(numbers) if np.ndim(numbers) == 0 else ", ".join(f"{number:.4g}" for number in numbers)
