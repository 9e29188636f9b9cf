"""The rounds of boosting: fit, measure, reweight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.adaboost._engines import MemberEngine
from hornbook.ensembles.adaboost._formulas import scaled, vote_weight
from hornbook.ensembles.adaboost._scores import BoostScoring, by_class
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["BoostRound", "MemberSampler", "NumberRounds", "RoundRules", "VoteRounds"]

_EPS = float(np.finfo(np.float64).eps)
_SAMPLES = 100  # most that are drawn until one has two classes, without which many learners learn nothing
LARGEST_STEP = 4.0  # of a working response in LogitBoost: Friedman, Hastie and Tibshirani suggest 2 to 4


@dataclass(frozen=True)
class RoundRules:
    """What happens in a round.

    Parameters
    ----------
    learning_rate : float
        Factor of each member's weight.
    on_failure : {"stop", "discard", "redraw"}
        What follows a member no better than chance.
    max_redraws : int
        Most further tries in a round.
    on_perfect : {"keep", "drop"}
        What happens to a member without error, the last one either way.
    """

    learning_rate: float
    on_failure: Literal["stop", "discard", "redraw"] = "stop"
    max_redraws: int = 0
    on_perfect: Literal["keep", "drop"] = "keep"


@dataclass(frozen=True)
class BoostRound:
    """What a round has added.

    Parameters
    ----------
    members : list of learners
        The members; none when the round failed.
    alpha : float
        Their weight.
    error : float
        Their weighted error.
    last : bool
        Whether there is no point in going on.
    """

    members: list[Any]
    alpha: float
    error: float
    last: bool


@dataclass(frozen=True)
class MemberSampler:
    """Fits members with weights, or on rows drawn by them.

    Parameters
    ----------
    engine : MemberEngine
        Fits a member.
    seed : int
        Seed of all draws.
    draws : bool
        Whether rows are drawn, as many as weigh anything; every drawn row then has weight 1. A sample of one
        class is drawn again.
    """

    engine: MemberEngine
    seed: int
    draws: bool

    def fit(self, y: NDArray[Any], w: Floats, t: int, attempt: int = 0) -> tuple[Any, NDArray[Any]]:
        """Fit member t, and return it with its answers to all rows."""
        # Even streams seed members, odd ones draw rows: the two never meet.
        seed = int(Stream(self.seed, 2 * attempt, t).bits(1)[0])
        counts = self._counts(y, w, t, attempt) if self.draws else None
        member, answers = self.engine.fit(y, None if self.draws else w, counts, seed)
        if answers.dtype.kind == "f" and not np.isfinite(answers).all():
            name = type(getattr(member, "estimator", member)).__name__
            raise ValueError(
                f"member {t + 1}, {name}, predicts a number that is not finite: choose another estimator."
            )
        return member, answers

    def _counts(self, y: NDArray[Any], w: Floats, t: int, attempt: int) -> NDArray[np.intp]:
        """How often each row is drawn, with replacement, in proportion to its weight."""
        # Inverse transform: a uniform number falls into a row's slice of the cumulative weights.
        weighs, until = np.flatnonzero(w > 0), np.cumsum(w)
        several = y.dtype.kind != "f" and len(np.unique(y[weighs])) > 1
        stream = Stream(self.seed, 2 * attempt + 1, t)
        for _ in range(_SAMPLES):
            places = np.searchsorted(until, stream.uniform(len(weighs)) * until[-1], side="right")
            # Rounding may put a number beyond the last slice; it belongs to the last row that weighs.
            counts = np.bincount(np.minimum(places, weighs[-1]), minlength=len(w))
            if not several or len(np.unique(y[counts > 0])) > 1:
                break
        return counts


@dataclass
class ClassRounds:
    """What rounds of boosting for classes start from.

    Parameters
    ----------
    sampler : MemberSampler
        Fits the members.
    scoring : BoostScoring
        The variant.
    rules : RoundRules
        What happens in a round.
    y : ndarray of shape (n_rows,)
        Codes of the classes.
    w : ndarray of shape (n_rows,)
        Weights to begin with.
    """

    sampler: MemberSampler
    scoring: BoostScoring
    rules: RoundRules
    y: NDArray[np.int32]
    w: Floats
    # The last member that was no better than chance.
    failed: tuple[Any, float] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.total, self.weighs = float(self.w.sum()), self.w > 0


class VoteRounds(ClassRounds):
    """Rounds of members that classify: SAMME, discrete and real AdaBoost."""

    def step(self, t: int, n_members: int) -> BoostRound:
        """Fit member t after n_members others."""
        tries = 1 + (self.rules.max_redraws if self.rules.on_failure == "redraw" else 0)
        for attempt in range(tries):
            member, output = self.sampler.fit(self.y, self.w, t, attempt)
            votes = output if output.ndim == 1 else output.argmax(axis=1)
            wrong = votes != self.y
            error = float(self.w[wrong].sum() / self.w.sum())
            if not self._fails(error):
                return self._accepted(member, output, wrong, error, n_members)
        self.failed = member, error
        return BoostRound([], 0.0, error, last=self.rules.on_failure != "discard")

    def _fails(self, error: float) -> bool:
        """Whether a member is no better than chance; numbers from a member help even then."""
        if self.scoring.kind != "votes":
            return False
        k = self.scoring.n_classes
        # SAMME asks to beat random guessing among k classes, discrete AdaBoost to be right half of
        # the time.
        return error >= (1.0 - 1.0 / k if self.scoring.variant == "samme" else 0.5)

    def _accepted(
        self, member: Any, output: NDArray[Any], wrong: NDArray[np.bool_], error: float, n_members: int
    ) -> BoostRound:
        if error <= 0.0:
            # A perfect first member is the ensemble; there is nothing to drop to.
            kept = [] if self.rules.on_perfect == "drop" and n_members else [member]
            return BoostRound(kept, 1.0, 0.0, last=True)
        rate = self.rules.learning_rate
        if self.scoring.kind == "votes":
            k = self.scoring.n_classes
            full = rate * vote_weight(error, k if self.scoring.variant == "samme" else 2)
            # Only wrong rows are raised; scaling then lowers the others, which equals exp(+-alpha /
            # 2) on both.
            self._reweight(np.where(wrong, full, 0.0))
            return BoostRound(
                [member], full if self.scoring.variant == "samme" else full / 2, error, last=False
            )
        gain = by_class(self.scoring.contribution(output, rate))[np.arange(len(self.y)), self.y]
        # Real AdaBoost: w exp(-h_y / (k - 1)), with h the symmetric half log-odds of the members.
        self._reweight(-gain / (self.scoring.n_classes - 1))
        return BoostRound([member], rate, error, last=False)

    def _reweight(self, exponent: Floats) -> None:
        """Multiply the weights by the exponentials; their sum stays, and none that was above 0 becomes 0."""
        # The largest exponent becomes 0: exp cannot overflow, and the factor is lost in scaling
        # anyhow.
        w = scaled(self.w * np.exp(exponent - exponent.max()), self.total)
        self.w = np.where(self.weighs, np.maximum(w, _EPS * self.total), 0.0)


class NumberRounds(ClassRounds):
    """Rounds of regressors, none of which fails: gentle AdaBoost and LogitBoost.

    Two classes have one regressor in a round, more have one each: gentle AdaBoost for each class against the
    others with weights of its own, LogitBoost together through the probabilities.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        width = self.scoring.width
        # With two classes one column of scores is enough, +1 meaning the second class.
        second = np.arange(width) if width > 1 else np.ones(1, dtype=np.intp)
        self.signs = np.where(self.y[:, None] == second, 1.0, -1.0)
        self.scores = np.zeros((len(self.y), width))

    def step(self, t: int, n_members: int) -> BoostRound:  # noqa: ARG002 - every round is accepted
        """Fit the members of round t."""
        rate, added = self.rules.learning_rate, np.zeros_like(self.scores)
        members, wrong, mass = [], 0.0, 0.0
        for place, (target, weights) in enumerate(self._problems()):
            member, output = self.sampler.fit(target, weights, t * self.scoring.width + place)
            members.append(member)
            added += self.scoring.contribution(output, rate, place)
            missed = np.where(output > 0, 1.0, -1.0) != self.signs[:, place]
            wrong, mass = wrong + float(weights[missed].sum()), mass + float(weights.sum())
        self.scores += added
        return BoostRound(members, rate, wrong / mass, last=False)

    def _problems(self) -> list[tuple[Floats, Floats]]:
        """The target and weights of each regressor."""
        if self.scoring.variant == "gentle":
            # Gentle AdaBoost regresses the sign itself on exponential weights: a Newton step of the
            # exponential loss that is bounded by 1 (Friedman, Hastie and Tibshirani 2000).
            return [(sign, self._exponential(sign * score)) for sign, score in self._columns()]
        probabilities = self.scoring.probabilities(self.scores)
        if self.scoring.width == 1:
            probabilities = probabilities[:, 1:]
        return [self._newton(sign, p) for sign, p in zip(self.signs.T, probabilities.T, strict=True)]

    def _columns(self) -> zip[tuple[Floats, Floats]]:
        return zip(self.signs.T, self.scores.T, strict=True)

    def _exponential(self, margin: Floats) -> Floats:
        w = scaled(self.w * np.exp(margin.min() - margin), self.total)
        return np.where(self.weighs, np.maximum(w, _EPS * self.total), 0.0)

    def _newton(self, sign: Floats, p: Floats) -> tuple[Floats, Floats]:
        """Working response and weights of a Newton step for the log-likelihood."""
        # p (1 - p) underflows for confident rows; the floor keeps weight and response finite.
        curvature = np.maximum(p * (1.0 - p), 2.0 * _EPS)
        response = ((sign > 0) - p) / curvature
        # z = (y* - p) / (p (1 - p)) explodes as p approaches 0 or 1, hence the clipping.
        return np.clip(response, -LARGEST_STEP, LARGEST_STEP), self.w * curvature
