"""The verdict: which learners are best, which cannot be told from it, and which one to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from hornbook.evaluation._bayes_tests import bayesian_comparison
from hornbook.evaluation._chosen import corrected_for_choice
from hornbook.evaluation._intervals import Interval
from hornbook.evaluation._measure import measure_by_name, measures
from hornbook.evaluation._multiple import holm
from hornbook.evaluation._scores import Scores
from hornbook.evaluation._t_tests import corrected_interval, corrected_mean, corrected_t, paired_t
from hornbook.evaluation._test_result import TestResult
from hornbook.show import Cell, Description, Table

__all__ = ["Standing", "Verdict"]

Status = Literal["best", "tied best", "worse", "incomplete"]
POWER = 0.8  # chance to find the smallest detectable difference


@dataclass(frozen=True)
class Standing:
    """How one learner stands.

    Parameters
    ----------
    name : str
        The learner.
    status : {"best", "tied best", "worse", "incomplete"}
        ``"tied best"`` cannot be told from the best; ``"incomplete"`` has failed or missing folds and is not
        ranked.
    mean : Interval, optional
        Mean score over the folds, its interval cut off at the best value of the measure; None when
        incomplete.
    difference : Interval, optional
        Score minus the score of the best, mean over the folds.
    p, adjusted_p : float, optional
        Of the corrected resampled t-test against the best; adjusted by Holm over all learners.
    better, equal, worse : float, optional
        Probability that the learner is better than, practically equal to, or worse than the best.
    detectable : float, optional
        Smallest true difference from the best that these folds find with probability 0.8.
    seconds, stored : float, optional
        Mean time of a fit; mean count of stored numbers.
    note : str, default ""
        Why the learner is incomplete.
    """

    name: str
    status: Status
    mean: Interval | None = None
    difference: Interval | None = None
    p: float | None = None
    adjusted_p: float | None = None
    better: float | None = None
    equal: float | None = None
    worse: float | None = None
    detectable: float | None = None
    seconds: float | None = None
    stored: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Verdict:
    """Comparison of learners on the same folds, told by one object.

    Sentence, table, picture and plain data are made of the same numbers.

    Parameters
    ----------
    scores : Scores
        The scores behind it.
    alpha : float
        Chance of calling equal learners different, over all comparisons with the best.
    equivalence : float
        Differences up to this are of no practical interest.
    standings : sequence of Standing
        Best first, incomplete last.
    recommended : str
        The simplest of the best, the one with the fewest stored numbers, among those whose probability of
        being worse than the best is at most 1/2: few folds tell little apart, and simple is not enough.
    corrected : Interval, optional
        Score of the best corrected for having been chosen, where predictions are at hand.
    """

    scores: Scores
    alpha: float
    equivalence: float
    standings: Sequence[Standing]
    recommended: str
    corrected: Interval | None

    @classmethod
    def of(cls, scores: Scores, *, alpha: float = 0.05, equivalence: float = 0.01) -> Verdict:
        """Judge scores.

        Parameters
        ----------
        scores : Scores
            Of at least one learner with a score in each of at least two folds.
        alpha : float, default 0.05
            Chance of calling equal learners different, over all comparisons with the best.
        equivalence : float, default 0.01
            Differences up to this are of no practical interest.

        Returns
        -------
        Verdict
            The verdict.
        """
        _check(scores, alpha, equivalence)
        complete = np.flatnonzero(scores.complete)
        order = complete[np.argsort(scores.losses[complete].mean(axis=1), kind="stable")]
        standings = _ranked(scores, order, alpha, equivalence)
        standings += [_incomplete(scores, name) for name in np.array(scores.names)[~scores.complete].tolist()]
        winners = [s for s in standings if s.status in ("best", "tied best") and not _likely_worse(s)]
        simplest = min(winners, key=lambda s: np.inf if s.stored is None else s.stored)
        corrected = None if scores.out_of_fold is None else corrected_for_choice(scores, level=1 - alpha)
        return cls(scores, alpha, equivalence, tuple(standings), simplest.name, corrected)

    @property
    def best(self) -> str:
        """The learner with the best mean score."""
        return self.standings[0].name

    @property
    def winners(self) -> tuple[str, ...]:
        """The best and all that cannot be told from it."""
        return tuple(s.name for s in self.standings if s.status in ("best", "tied best"))

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in words, sentence by sentence: the first names the best."""
        first, others = self.standings[0], [name for name in self.winners if name != self.best]
        worse = [s.name for s in self.standings if s.status == "worse"]
        words = [f"{first.name} has the best {self.scores.measure}: {first.mean}."]
        if others:
            words.append(f"{_listed(others)} cannot be told from it.")
        if worse:
            words.append(f"{_listed(worse)} {'is' if len(worse) == 1 else 'are'} worse.")
        if len(self.winners) > 1:
            doubts = any(map(_likely_worse, self.standings))
            why = "the simplest that is probably as good" if doubts else "the simplest of the best"
            words.append(f"Recommended is {self.recommended}, {why}.")
        failed = [s.name for s in self.standings if s.status == "incomplete"]
        if failed:
            words.append(
                f"{_listed(failed)} did not finish and {'is' if len(failed) == 1 else 'are'} not ranked."
            )
        if self.corrected is not None and len(self.standings) - len(failed) > 1:
            words.append(f"On new rows the best, chosen this way, should score {self.corrected}.")
        return tuple(words)

    @property
    def table(self) -> Table:
        """One row for each learner, best first."""
        head = [
            "learner",
            "status",
            self.scores.measure,
            "low",
            "high",
            "difference",
            "p (Holm)",
            "better",
            "equal",
            "worse",
            "detectable",
            "fit s",
            "stored",
        ]
        return Table("Learners, best first", head, [_cells(s) for s in self.standings])

    def _description(self) -> Description:
        facts = {
            "folds": self.scores.values.shape[1],
            "alpha": self.alpha,
            "region of equivalence": self.equivalence,
            "recommended": self.recommended,
        }
        return Description(self.sentence, facts, [self.table])

    def __str__(self) -> str:
        return str(self._description())

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return {
            "sentence": self.sentence,
            "measure": self.scores.measure,
            "greater_is_better": self.scores.greater_is_better,
            "folds": self.scores.values.shape[1],
            "alpha": self.alpha,
            "equivalence": self.equivalence,
            "best": self.best,
            "winners": list(self.winners),
            "recommended": self.recommended,
            "corrected": _plain(self.corrected),
            "standings": [_plain_standing(s) for s in self.standings],
            "scores": {
                name: [None if np.isnan(v) else v for v in row.tolist()]
                for name, row in zip(self.scores.names, self.scores.values, strict=True)
            },
        }


def _check(scores: Scores, alpha: float, equivalence: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1; got {alpha}.")
    if not equivalence >= 0:
        raise ValueError(f"equivalence must be a number >= 0; got {equivalence}.")
    if scores.values.shape[1] < 2:
        raise ValueError(f"a comparison needs at least 2 folds; got {scores.values.shape[1]}.")
    if not scores.complete.any():
        told = "; ".join(f"{name}: {error}" for name, error in scores.errors.items())
        raise ValueError(f"no learner has a score in every fold, so none can be ranked. {told}".strip())


def _ranked(scores: Scores, order: NDArray[np.intp], alpha: float, equivalence: float) -> list[Standing]:
    """Standings of the complete learners, in order."""
    best, level = scores.values[order[0]], 1 - alpha
    tests = [_test(scores.values[i], best, scores.test_share, alpha) for i in order[1:]]
    adjusted = holm([test.p for test in tests], alpha=alpha).adjusted
    standings = [_standing(scores, int(order[0]), "best", level)]
    for i, test, p in zip(order[1:].tolist(), tests, adjusted, strict=True):
        differs = p <= alpha and abs(test.effect) > equivalence
        chances = bayesian_comparison(
            scores.values[i],
            best,
            rope=equivalence,
            correlation=scores.test_share,
            greater_is_better=scores.greater_is_better,
        )
        extra = {
            "difference": test.interval,
            "p": float(test.p),
            "adjusted_p": float(p),
            "better": float(chances.better),
            "equal": float(chances.equal),
            "worse": float(chances.worse),
            "detectable": _detectable(scores.values[i] - best, scores.overlap, alpha),
        }
        standings.append(_standing(scores, i, "worse" if differs else "tied best", level, **extra))
    return standings


def _test(
    values: NDArray[np.float64], best: NDArray[np.float64], test_share: float, alpha: float
) -> TestResult:
    if test_share == 0:  # no shared training rows, nothing to correct
        return paired_t(values, best, alpha=alpha)
    return corrected_t(values, best, test_fraction=test_share, alpha=alpha)


def _standing(scores: Scores, i: int, status: Status, level: float, **extra: Any) -> Standing:
    name = scores.names[i]
    return Standing(
        name,
        status,
        _possible(corrected_interval(scores.values[i], scores.overlap, level), scores),
        seconds=scores.seconds.get(name),
        stored=scores.stored.get(name),
        **extra,
    )


def _possible(interval: Interval, scores: Scores) -> Interval:
    """The interval without what the measure cannot be: no error rate is below 0."""
    best = measure_by_name(scores.measure).best if scores.measure in measures() else np.nan
    if scores.greater_is_better:
        return replace(interval, high=float(np.fmin(interval.high, best)))
    return replace(interval, low=float(np.fmax(interval.low, best)))


def _incomplete(scores: Scores, name: str) -> Standing:
    missing = int(np.isnan(scores.values[list(scores.names).index(name)]).sum())
    note = scores.errors.get(name, f"{missing} folds are missing")
    return Standing(name, "incomplete", seconds=scores.seconds.get(name), note=note)


def _likely_worse(standing: Standing) -> bool:
    """Whether a learner that cannot be told from the best is still more likely worse than not."""
    return standing.status == "tied best" and (standing.worse or 0.0) > 0.5


def _detectable(differences: NDArray[np.float64], overlap: float, alpha: float) -> float:
    freedom = len(differences) - 1
    quantiles = student.ppf(1 - alpha / 2, freedom) + student.ppf(POWER, freedom)
    return float(quantiles * corrected_mean(differences, overlap)[1])


def _cells(s: Standing) -> list[Cell]:
    if s.mean is None:
        return [s.name, f"incomplete: {s.note}", *[None] * 9, s.seconds, s.stored]
    difference = None if s.difference is None else s.difference.estimate
    scores: list[Cell] = [s.mean.estimate, s.mean.low, s.mean.high, difference, s.adjusted_p]
    return [s.name, s.status, *scores, s.better, s.equal, s.worse, s.detectable, s.seconds, s.stored]


def _plain(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else dict(vars(interval))


def _plain_standing(s: Standing) -> dict[str, Any]:
    return {**vars(s), "mean": _plain(s.mean), "difference": _plain(s.difference)}


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
