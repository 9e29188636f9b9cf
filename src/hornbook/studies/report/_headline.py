"""The first screen of a report: which model, how good in numbers that people read, and how sure."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.evaluation import Verdict
from hornbook.studies._study_data import StudyData
from hornbook.studies.report._numbers import number_text
from hornbook.studies.run._predict import COST

__all__ = ["Figure", "Headline", "headline_of"]


@dataclass(frozen=True)
class Figure:
    """A number with its name, and what it is to be compared with."""

    name: str
    value: str
    beside: str


@dataclass(frozen=True)
class Headline:
    """The sentence a report begins with, and the numbers under it."""

    sentence: str
    figures: tuple[Figure, ...]
    sure: str


def headline_of(study: StudyData) -> Headline | None:
    """Return what a report begins with; None without a verdict, and for clusterings.

    Parameters
    ----------
    study : StudyData
        The study.
    """
    verdict = study.verdict
    if verdict is None or study.clusters is not None:
        return None
    return Headline(_sentence(study, verdict), tuple(_figures(study, verdict)), _sure(verdict))


def _sentence(study: StudyData, verdict: Verdict) -> str:
    name, baseline = verdict.recommended, verdict.scores.baseline
    # Said first, since every other number would suggest that there is something to deploy.
    if verdict.beats_baseline is False and len(verdict.standings) > 1:
        return f"Nothing here beats {baseline}, which learns nothing from the columns."
    good = _readable(study, name)
    if good is None:
        return f"{name} is recommended."
    reference = None if baseline in (None, name) else _readable(study, str(baseline))
    if study.task == "classification":
        text = f"{name} is recommended: it gets {good:.1%} of held-out rows right"
        text += "" if reference is None else f", where {baseline} gets {reference:.1%}"
    else:
        text = f"{name} is recommended: it explains {good:.0%} of the variance in held-out rows"
    return f"{text}.".replace(" %", "%").replace("%", "\u00a0%")


def _readable(study: StudyData, name: str) -> float | None:
    """The accuracy, or the share of the variance that is explained, of one learner."""
    measure = "accuracy" if study.task == "classification" else "r2"
    known = study.beside.get(measure, {}).get(name)
    if known is not None or study.verdict is None:
        return known
    mean = next((s.mean for s in study.verdict.standings if s.name == name), None)
    if mean is None:
        return None
    return {measure: mean.estimate, "error_rate": 1 - mean.estimate}.get(study.verdict.scores.measure)


def _figures(study: StudyData, verdict: Verdict) -> list[Figure]:
    name, measure, baseline = verdict.recommended, verdict.scores.measure, verdict.scores.baseline
    figures = []
    label, readable = ("Accuracy", "accuracy") if study.task == "classification" else ("R²", "r2")
    if measure != readable and (value := _readable(study, name)) is not None:
        reference = None if baseline in (None, name) else _readable(study, str(baseline))
        words = "on held-out rows"
        if reference is not None:
            words += f"; {baseline}: {_percent(reference, study)}"
        figures.append(Figure(label, _percent(value, study), words))
    mean = next(s.mean for s in verdict.standings if s.name == name)
    corrected = verdict.corrected if name == verdict.best else None
    interval = corrected or mean
    assert interval is not None  # the recommended learner has finished
    level = f"{100 * interval.level:g}\u00a0%"
    words = f"{number_text(interval.low, 3)} to {number_text(interval.high, 3)} ({level})"
    words += ", corrected for the choice" if corrected else ""
    other = next((s.mean for s in verdict.standings if s.name == baseline and s.name != name), None)
    if other is not None:
        words += f"; {baseline}: {number_text(other.estimate, 3)}"
    if name != verdict.best and (best := verdict.standings[0].mean) is not None:
        words += f"; {verdict.best} had {number_text(best.estimate, 3)}"
    rows = "new" if corrected else "held-out"
    figures.append(Figure(f"{measure} on {rows} rows", number_text(interval.estimate, 3), words))
    figures += _cost(study, name, baseline)
    if study.held_out is not None:
        test = study.held_out.scores[0]
        words = f"{study.held_out.n_rows} rows of {study.held_out.data}"
        if test.low is not None and test.high is not None:
            words = f"{number_text(test.low, 3)} to {number_text(test.high, 3)} ({level}); {words}"
        if test.baseline is not None and name != baseline:
            words += f"; {baseline}: {number_text(test.baseline, 3)}"
        figures.append(Figure(f"{measure} on the test table", number_text(test.value, 3), words))
    return figures


def _cost(study: StudyData, name: str, baseline: str | None) -> list[Figure]:
    """The mean cost of a held-out row, where mistakes have costs."""
    means = study.beside.get(COST, {})
    if name not in means:
        return []
    words = "mean over held-out rows"
    if baseline in means and baseline != name:
        words += f"; {baseline}: {number_text(means[str(baseline)], 3)}"
    if "threshold" in study.model_setting:
        threshold, positive = float(study.model_setting["threshold"]), study.settings.positive
        # It is about the second class, and readers think of the positive one.
        if positive == str(study.classes[0]):
            threshold = 1 - threshold
        words += f"; {positive} is predicted from a probability of {threshold:.3g} on"
    return [Figure("Cost of a row", number_text(means[name], 3), words)]


def _percent(value: float, study: StudyData) -> str:
    return f"{100 * value:.1f}\u00a0%" if study.task == "classification" else number_text(value, 3)


def _sure(verdict: Verdict) -> str:
    """How the others stand, in numbers: their names are in the ranking."""
    counts = {
        "cannot be told apart from the best": len(verdict.winners) - 1,
        "worse": sum(s.status == "worse" for s in verdict.standings),
        "too noisy to rank": sum(s.status == "too noisy to rank" for s in verdict.standings),
        "not finished": sum(s.status == "incomplete" for s in verdict.standings),
    }
    words = [f"{count} {what}" for what, count in counts.items() if count]
    return "; ".join(words) if words else "nothing to compare it with"
