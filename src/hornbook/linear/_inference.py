"""How sure coefficients are: standard errors, tests against 0, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import norm, t

from hornbook.base import Floats, Table
from hornbook.show import Cell

__all__ = ["inference_table"]


def inference_table(
    terms: Sequence[str],
    coef: Floats,
    errors: Floats,
    confidence: float,
    degrees: float | None = None,
    title: str = "Coefficients",
) -> Table:
    """Coefficient, standard error, statistic, p-value and interval of each term.

    The statistic, coefficient over standard error, follows Student's t distribution with so many degrees of
    freedom, or the normal distribution when there are none to name. A term whose error is 0 is exact and has
    no statistic.
    """
    law: Any = norm if degrees is None else t(degrees)
    width = float(law.ppf(0.5 + confidence / 2))
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
