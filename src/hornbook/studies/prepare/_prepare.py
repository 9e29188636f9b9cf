"""Preparation of a study: everything that is decided before fitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import __version__
from hornbook.evaluation import can_answer, default_equivalence, measure_by_name, measures_beside
from hornbook.frame import Frame, Profile
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._check import Check
from hornbook.studies.prepare._checks import checks, left_out
from hornbook.studies.prepare._costs import cost_matrix
from hornbook.studies.prepare._data import Opened
from hornbook.studies.prepare._folds import fold_numbers
from hornbook.studies.prepare._held_out_rows import FinalTestRows, held_out_rows
from hornbook.studies.prepare._metric import choose_metric, with_positive
from hornbook.studies.prepare._portfolio import Candidate, Learners, candidates, count_for
from hornbook.studies.prepare._setting_text import listed
from hornbook.studies.prepare._training_data import TrainingData, kept_rows, require_columns, training_data_of
from hornbook.studies.run._predict import COST
from hornbook.studies.run._recipe import Recipe

__all__ = ["PreparedStudy", "identity_of", "kept_frame", "prepare", "stop_if_wrong"]


@dataclass(frozen=True, eq=False)
class PreparedStudy:
    """A study that is ready to begin.

    Parameters
    ----------
    settings : Settings
        With everything filled in that was left open.
    profile : Profile
        What is in the rows that stay.
    checks : tuple of Check
        What was noticed.
    training : TrainingData
        What the learners see.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    candidates : sequence of Candidate
        The learners.
    skipped : list of (str, str)
        Learners that do not take part, and why.
    measures : tuple of str
        The metric, and the measures beside it.
    identity : dict
        What must be the same for an interrupted run to be resumed.
    held_out : FinalTestRows, optional
        Rows that the recommended model is tested on in the end.
    """

    settings: Settings
    profile: Profile
    checks: tuple[Check, ...]
    training: TrainingData
    folds: NDArray[np.int64]
    candidates: Sequence[Candidate]
    skipped: list[tuple[str, str]]
    measures: tuple[str, ...]
    identity: dict[str, Any]
    held_out: FinalTestRows | None = None

    def recipe(self, candidate: Candidate) -> Recipe:
        """Return how a learner is fitted in this study."""
        return candidate.recipe(self.measures[0], self.settings.seed)


def prepare(opened: Opened, learners: Learners, say: Callable[[str], None]) -> PreparedStudy:
    """Check the table, choose learners, metric and folds.

    Parameters
    ----------
    opened : Opened
        The table.
    learners : names, estimators by name, or None
        What the user wants to compare.
    say : function
        Takes a sentence about each decision.
    """
    for note in opened.notes:
        say(note)
    settings = opened.settings
    if settings.clusters:
        raise StudyError("clusters= is for task='clustering', and this study has another: leave it out.")
    if settings.unusual is not None:
        raise StudyError("unusual= is for task='outliers', and this study has another: leave it out.")
    # Rows before checks, and checks before learners: each step sees only what the one before has left.
    rows, frame = kept_frame(opened, say)
    profile = frame.profile()
    results = checks(frame, profile, settings)
    stop_if_wrong(results)
    training = training_data_of(frame, rows, settings, left_out(results, settings))
    training, settings, about_positive = with_positive(training, settings)
    training = replace(training, costs=cost_matrix(settings, training.classes))
    taken, skipped = candidates(
        learners,
        settings,
        weighted=training.weights is not None,
        n_columns=len(training.features.schema),
    )
    results += tuple(_scaled(taken, settings))
    for check in results:
        if check.level in ("left out", "warning") or check.code in ("scaled", "date"):
            say(str(check))
    if not learners:
        count = count_for(settings.task)
        say(
            f"learners: the default set of {len(taken)}; learners= names others of the {count} that there are"
        )
    if training.costs is not None:
        # Without them nothing could be decided by cost, and the comparison would not be fair.
        without = [one.name for one in taken if not can_answer(one.learner, "probabilities")]
        taken = [one for one in taken if one.name not in without]
        skipped = [*skipped, *((name, "It gives no probabilities, which costs= needs.") for name in without)]
    metric, note = choose_metric(settings, taken, training)
    say(note)
    if about_positive:
        say(about_positive)
    # Only now, since which learners can be scored depends on the metric, and the metric on the learners.
    taken, unfit = _able(taken, metric)
    _say_settings(taken, metric, settings, say)
    folds = fold_numbers(training, settings)
    _say_folds(len(folds), settings, say)
    region = settings.equivalence
    filled = replace(
        settings,
        metric=metric,
        equivalence=default_equivalence(measure_by_name(metric), training.y) if region is None else region,
        repeats=len(folds),
        learners=tuple(candidate.name for candidate in taken),
    )
    beside = measures_beside(metric, len(training.classes))
    measures = (metric, *((COST,) if training.costs is not None else ()), *beside)
    if training.costs is not None:
        say(_about_costs(training))
    # Of the settings with all choices filled in: a folder resumes only a study that would be the same.
    identity = identity_of(filled, opened.fingerprint, taken, training.features.schema.names)
    held_out = None if opened.test is None else held_out_rows(opened.test, training, settings, say)
    return PreparedStudy(
        filled, profile, results, training, folds, taken, [*skipped, *unfit], measures, identity, held_out
    )


def _about_costs(training: TrainingData) -> str:
    two = len(training.classes) == 2
    how = "a threshold chosen inside each training fold" if two else "the least expected cost"
    return f"costs: classes are predicted by {how}, and {COST} is the mean cost of a row"


def kept_frame(opened: Opened, say: Callable[[str], None]) -> tuple[NDArray[np.intp], Frame]:
    """Return the rows that stay, by their positions and as a table.

    Parameters
    ----------
    opened : Opened
        The table.
    say : function
        Takes a sentence about rows that are left out.
    """
    frame, settings = opened.frame, opened.settings
    require_columns(frame, settings)
    rows = kept_rows(frame, settings)
    if len(rows) == len(frame):
        return rows, frame
    # Said, because the number of rows in the report differs from that of the file.
    say(f"rows: {len(frame) - len(rows)} of {len(frame)} are left out, as requested")
    return rows, frame[rows]


def _say_folds(repeats: int, settings: Settings, say: Callable[[str], None]) -> None:
    why = "because more would put the groups into the same folds"
    if settings.time is not None:
        say(f"folds: forward in time by {settings.time!r}; each is trained on the rows before its test rows")
        why = "because there is only one order of time"
    if repeats < settings.repeats:
        say(f"repeats: {repeats} instead of {settings.repeats}, {why}")


def stop_if_wrong(results: tuple[Check, ...]) -> None:
    wrong = [check for check in results if check.level == "error"]
    if wrong:
        raise StudyError(" ".join(f"{check.reason} {check.remedy}" for check in wrong))


def _scaled(taken: list[Candidate], settings: Settings) -> list[Check]:
    names = [candidate.name for candidate in taken if candidate.scaled]
    if names:
        reason = f"Columns are standardized inside each fold for {', '.join(names)}."
        return [Check("scaled", "note", (), reason, "scale=False leaves them as they are.")]
    sensitive = [candidate.name for candidate in taken if candidate.learner.scale_sensitive]
    if settings.scale or not sensitive:
        return []
    reason = f"Columns are not standardized, as requested, although scale matters to {', '.join(sensitive)}."
    return [Check("not_scaled", "warning", (), reason, "Columns with large values dominate.")]


def _say_settings(
    taken: list[Candidate], metric: str, settings: Settings, say: Callable[[str], None]
) -> None:
    """Report which learners get settings from the study."""
    learners_by_settings: dict[str, list[str]] = {}
    for candidate in taken:
        words = [f"{name}={value:g}" for name, value in candidate.sensible.fixed.items()]
        if tuned := candidate.sensible.tuned:
            by = candidate.recipe(metric, settings.seed).measure(classes=settings.task == "classification")
            words = [word for word in words if word.partition("=")[0] not in tuned]
            words.append(f"{listed(tuned)} chosen by {by} inside each training fold")
        if words:
            learners_by_settings.setdefault(", ".join(words), []).append(candidate.name)
    if learners_by_settings:
        listing = "; ".join(
            f"{' and '.join(names)}: {words}" for words, names in learners_by_settings.items()
        )
        say(f"settings: {listing}. tune='off' keeps the defaults")


def _able(taken: list[Candidate], metric: str) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """Learners that provide what the metric needs, and those that do not."""
    needs = measure_by_name(metric).needs
    able = [candidate for candidate in taken if can_answer(candidate.learner, needs)]
    unable = [candidate.name for candidate in taken if not can_answer(candidate.learner, needs)]
    return able, [(name, f"It gives no {needs}, which {metric} needs.") for name in unable]


def identity_of(
    settings: Settings, fingerprint: str, taken: Sequence[Candidate], columns: tuple[str, ...]
) -> dict[str, Any]:
    """What identifies a study; where it runs, how fast, and how it is judged do not."""
    # Left out: settings that change neither folds nor fits, so that a study can be resumed with others, and
    # settings whose effect is in the fingerprint, the columns or the learners.
    judged = {"alpha", "equivalence", "time_limit", "budget", "plan", "jobs", "csv_safe", "race", "test"}
    in_the_data = {"data", "learners", "keep", "ignore", "kinds", "delimiter", "missing"}
    asked = {name: value for name, value in settings.to_dict().items() if name not in judged | in_the_data}
    return {
        "data": fingerprint,
        "version": __version__,
        "settings": asked,
        "columns": list(columns),
        "learners": {candidate.name: dict(candidate.parameters) for candidate in taken},
    }
