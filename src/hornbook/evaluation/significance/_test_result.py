"""The result of every test: numbers, decision and a sentence that cannot contradict each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._number_text import plain, significant
from hornbook.evaluation.intervals._samples import Alternative
from hornbook.evaluation.significance._null_distribution import NullDistribution

__all__ = ["TestResult"]

_SIGNS = {"two-sided": ("=", "≠"), "less": ("≥", "<"), "greater": ("≤", ">")}


@dataclass(frozen=True, kw_only=True)
class TestResult:
    """The result of a test: statistic, p-value, effect, interval, the decision at alpha and a sentence.

    The sentence is made from the numbers: it claims a difference exactly when the null hypothesis is
    rejected, and no number in it is rounded across the one it is compared with.

    Parameters
    ----------
    name : str
        The test.
    statistic : float
        The test statistic.
    p : float
        Probability of a statistic at least as extreme when the null hypothesis holds.
    alpha : float
        Significance level: the accepted probability of rejecting a true null hypothesis.
    effect : float
        Estimate of what is tested, such as the mean difference.
    interval : Interval, optional
        Confidence interval of the effect at level 1 - alpha; one-sided for a one-sided alternative.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of the effect when the null hypothesis is rejected.
    null : float, default 0.0
        The effect under the null hypothesis.
    details : mapping, default {}
        Further numbers of this test.
    quantity : str, default "difference"
        What the effect is.
    symbol : str, default "statistic"
        Symbol of the statistic.
    says : pair of str, default ("the two differ", "the two cannot be told apart")
        What the sentence begins with when the null hypothesis is rejected, and when it is not.
    remark : str, default ""
        What the sentence ends with.
    distribution : NullDistribution, optional
        The distribution of the statistic under the null hypothesis.

    Examples
    --------
    >>> from hornbook.evaluation import paired_t
    >>> result = paired_t([0.10, 0.12, 0.11, 0.14], [0.15, 0.16, 0.18, 0.17])
    >>> result.rejected
    True
    >>> print(result)  # doctest: +NORMALIZE_WHITESPACE
    Paired t-test: the first and the second differ: mean difference -0.0475 [-0.075, -0.020], t = -5.56,
    p = 0.0115 <= alpha = 0.05.
    """

    __test__: ClassVar[bool] = False  # pytest would collect the class for its name

    name: str
    statistic: float
    p: float
    alpha: float
    effect: float
    interval: Interval | None = None
    alternative: Alternative = "two-sided"
    null: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)
    quantity: str = "difference"
    symbol: str = "statistic"
    says: tuple[str, str] = ("the two differ", "the two cannot be told apart")
    remark: str = ""
    # Not compared: two results with equal numbers are equal, whatever draws led to them.
    distribution: NullDistribution | None = field(default=None, compare=False, repr=False)

    @property
    def rejected(self) -> bool:
        """Whether the null hypothesis is rejected: p <= alpha."""
        # At equality, too: with discrete distributions p = alpha is attained, and alpha is the
        # promised size.
        return self.p <= self.alpha

    @property
    def hypotheses(self) -> tuple[str, str]:
        """The null hypothesis and the alternative."""
        null, other = _SIGNS[self.alternative]
        return f"{self.quantity} {null} {self.null:g}", f"{self.quantity} {other} {self.null:g}"

    @property
    def critical(self) -> tuple[float, ...]:
        """The critical values of the statistic, one for each side of the alternative."""
        return () if self.distribution is None else self.distribution.critical(self.alpha, self.alternative)

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        claim = self.says[0] if self.rejected else self.says[1]
        # Enough digits that the printed statistic is on the right side of every finite critical
        # value.
        statistic = f"{self.symbol} = {significant(self.statistic, 3, _finite(self.critical))}"
        compared = f"p = {self.p_text} {'<=' if self.rejected else '>'} alpha = {self.alpha!r}"
        ending = f"; {self.remark}" if self.remark else ""
        return f"{claim}: {self._effect_text()}, {statistic}, {compared}{ending}."

    @property
    def p_text(self) -> str:
        """The p-value with enough digits to show on which side of alpha it lies."""
        return significant(self.p, 3, [self.alpha])

    def _effect_text(self) -> str:
        if self.interval is None:
            return f"{self.quantity} {significant(self.effect, 3, [self.null])}"
        return f"{self.quantity} {self.interval.numbers(self.null)}"

    def __str__(self) -> str:
        return f"{self.name}: {self.sentence}"

    def _repr_html_(self) -> str:
        rows = {
            "effect": self._effect_text(),
            "statistic": f"{self.symbol} = {significant(self.statistic, 3, _finite(self.critical))}",
            "p": self.p_text,
            "alpha": repr(self.alpha),
            "null hypothesis": f"{self.hypotheses[0]}: {'rejected' if self.rejected else 'not rejected'}",
        }
        cells = "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows.items())
        return f"<table><caption>{escape(str(self))}</caption>{cells}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain data."""
        return {
            "name": self.name,
            "statistic": plain(self.statistic),
            "p": self.p,
            "alpha": self.alpha,
            "rejected": self.rejected,
            "effect": plain(self.effect),
            "quantity": self.quantity,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "alternative": self.alternative,
            "null": plain(self.null),
            "critical": plain(list(self.critical)),
            "distribution": None if self.distribution is None else self.distribution.to_dict(),
            "details": plain(dict(self.details)),
            "sentence": self.sentence,
        }


def _finite(critical: tuple[float, ...]) -> list[float]:
    return [value for value in critical if abs(value) != float("inf")]
