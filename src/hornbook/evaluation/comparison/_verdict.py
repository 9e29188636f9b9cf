"""The verdict: which learners are best, which cannot be told apart from it, and which one to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.display import Cell, Description, Table
from hornbook.evaluation.comparison._scores import Scores
from hornbook.evaluation.comparison._selection_bias import corrected_for_choice
from hornbook.evaluation.comparison._standing import Standing, standings_of
from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.metrics._defaults import EQUIVALENCE

__all__ = ["Verdict"]


@dataclass(frozen=True)
class Verdict:
    """Comparison of learners on the same folds, told by one object.

    Sentence, table, picture and plain data are made of the same numbers. A learner is *worse* only if the
    test says so that pays for choosing the best on the same scores. It is *tied best* if it is not rejected,
    is not behind Baseline, is worse with a probability of at most 0.95, and if the interval of its difference
    from the best is narrow enough to say something: it must end before the best's lead over Baseline is used
    up or, without Baseline, before the best's own distance from a perfect score is doubled, unless it lies
    within the region of equivalence. What is neither is *too noisy to rank*.

    Parameters
    ----------
    scores : Scores
        The scores behind it.
    alpha : float
        Probability of calling any learner worse that is as good as the best, region of equivalence included.
    equivalence : float
        Differences up to this are of no practical interest.
    standings : sequence of Standing
        Best first, incomplete last.
    recommended : str
        Baseline if it is among the best: then nothing here beats it. Otherwise the simplest of the best, the
        one with the fewest stored numbers, among those whose probability of being worse than the best is at
        most 1/2: few folds tell little apart, and simple is not enough.
    corrected : Interval, optional
        Score of the best corrected for having been chosen, where predictions are at hand.
    why : str, default ""
        Why that learner is recommended, where it was chosen by another rule.
    """

    scores: Scores
    alpha: float
    equivalence: float
    standings: Sequence[Standing]
    recommended: str
    corrected: Interval | None
    why: str = ""

    @classmethod
    def of(cls, scores: Scores, *, alpha: float = 0.05, equivalence: float = EQUIVALENCE) -> Verdict:
        """Judge scores.

        Parameters
        ----------
        scores : Scores
            Of at least one learner with a score in each of at least two folds.
        alpha : float, default 0.05
            Probability of calling any learner worse that is as good as the best, region of equivalence
            included.
        equivalence : float, default 0.01
            Differences up to this are of no practical interest.

        Returns
        -------
        Verdict
            The verdict.
        """
        _check(scores, alpha, equivalence)
        standings = standings_of(scores, alpha=alpha, equivalence=equivalence)
        recommended = _recommended(standings, scores.baseline)
        corrected = None if scores.out_of_fold is None else corrected_for_choice(scores, level=1 - alpha)
        return cls(scores, alpha, equivalence, tuple(standings), recommended, corrected)

    @property
    def best(self) -> str:
        """The learner with the best mean score."""
        return self.standings[0].name

    @property
    def winners(self) -> tuple[str, ...]:
        """The best and all that are tied with it."""
        return _winners(self.standings)

    @property
    def beats_baseline(self) -> bool | None:
        """Whether Baseline is neither best nor tied; None when it did not take part."""
        baseline = self.scores.baseline
        if baseline is None or all(s.name != baseline or s.mean is None for s in self.standings):
            return None
        return baseline not in self.winners

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in words, sentence by sentence: the first has the best and what to expect of it."""
        words = [self._first_sentence()]
        tied = [name for name in self.winners if name not in (self.best, self.scores.baseline)]
        if tied:
            words.append(f"{_listed(tied)} cannot be told apart from {self.best}.")
        worse = [s.name for s in self.standings if s.status == "worse"]
        if worse:
            words.append(f"{_listed(worse)} {'is' if len(worse) == 1 else 'are'} worse.")
        words += self._noisy_sentence()
        if len(self.winners) > 1 or (self.beats_baseline is False and len(self.standings) > 1):
            words.append(f"Recommended: {self.recommended}, {self._why_recommended()}.")
        broken = [s.name for s in self.standings if s.status == "incomplete"]
        if broken:
            verb = "is" if len(broken) == 1 else "are"
            words.append(f"{_listed(broken)} did not finish and {verb} not ranked.")
        return tuple(words)

    @property
    def _parts(self) -> str:
        """What the scores are of: folds, or single rows of one test set."""
        return "folds" if self.scores.n_train.any() else "rows"

    def _first_sentence(self) -> str:
        """The best, and the score that holds: corrected for having been chosen wherever that is known."""
        ranked, measure = [s for s in self.standings if s.mean is not None], self.scores.measure
        if len(ranked) == 1:
            score = f"{ranked[0].mean} over the {self._parts}"
        elif self.corrected is None:
            score = f"{ranked[0].mean} over the {self._parts}, not corrected for having been chosen"
        else:
            score = f"expect {self.corrected} on new rows"
        if len(self.standings) == 1 or self.beats_baseline in (True, None):
            return f"{self.best} has the best {measure}: {score}."
        if self.best == self.scores.baseline:
            return f"Nothing here beats {self.best}, which has the best {measure} itself: {score}."
        tie = f"which cannot be told apart from {self.best} with the best {measure}"
        return f"Nothing here beats {self.scores.baseline}, {tie}: {score}."

    def _noisy_sentence(self) -> list[str]:
        reasons = dict.fromkeys(s.reason for s in self.standings if s.reason)
        groups = [f"{_listed([s.name for s in self.standings if s.reason == r])} ({r})" for r in reasons]
        return [f"Too noisy to rank: {'; '.join(groups)}."] if groups else []

    def _why_recommended(self) -> str:
        if self.why:
            return self.why
        if self.recommended == self.scores.baseline:
            return "which needs no columns"
        if all(s.stored is None for s in self.standings if s.name in self.winners):
            return "the best by its mean"
        doubts = any(_likely_worse(s) for s in self.standings)
        return "the simplest that is probably as good" if doubts else "the simplest of the best"

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
            "adjusted p",
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
            self._parts: self.scores.values.shape[1],
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
            "beats_baseline": self.beats_baseline,
            "recommended": self.recommended,
            "corrected": _plain(self.corrected),
            "standings": [_plain_standing(s) for s in self.standings],
            "scores": {
                name: [v if np.isfinite(v) else None for v in row.tolist()]
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
        failures = "; ".join(f"{name}: {error}" for name, error in scores.errors.items())
        raise ValueError(f"no learner has a score in every fold, so none can be ranked. {failures}".strip())


def _winners(standings: Sequence[Standing]) -> tuple[str, ...]:
    return tuple(s.name for s in standings if s.status in ("best", "tied best"))


def _recommended(standings: Sequence[Standing], baseline: str | None) -> str:
    winners = _winners(standings)
    # Nothing is simpler than Baseline: where it is tied with the best, no column has shown its use.
    if baseline in winners:
        return str(baseline)
    able = [s for s in standings if s.name in winners and not _likely_worse(s)]
    # Occam: of learners that cannot be told apart the one with the fewest stored numbers; the first
    # of equals, which is the better one by its mean.
    return min(able, key=lambda s: np.inf if s.stored is None else s.stored).name


def _likely_worse(standing: Standing) -> bool:
    """Whether a learner that is tied with the best is still more likely worse than not."""
    return standing.status == "tied best" and (standing.worse or 0.0) > 0.5


def _cells(s: Standing) -> list[Cell]:
    if s.mean is None:
        return [s.name, f"incomplete: {s.note}", *[None] * 9, s.seconds, s.stored]
    difference = None if s.difference is None else s.difference.estimate
    scores: list[Cell] = [s.mean.estimate, s.mean.low, s.mean.high, difference, s.adjusted_p]
    return [s.name, s.badge, *scores, s.better, s.equal, s.worse, s.detectable, s.seconds, s.stored]


def _plain(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else dict(vars(interval))


def _plain_standing(s: Standing) -> dict[str, Any]:
    return {**vars(s), "mean": _plain(s.mean), "difference": _plain(s.difference)}


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
