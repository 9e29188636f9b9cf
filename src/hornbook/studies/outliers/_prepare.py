"""Preparation of a study of outliers: everything that is decided before fitting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from hornbook.ensembles import OutlierEnsemble
from hornbook.evaluation import Target
from hornbook.frame import Frame, Profile
from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.clusters._checks import refuse_other_settings
from hornbook.studies.clusters._prepare import halves_of
from hornbook.studies.outliers._findings import METHOD_WORDS, listed_words
from hornbook.studies.prepare._check import Check
from hornbook.studies.prepare._checks import (
    left_out,
    of_columns,
    of_findings,
    of_what_is_left,
    overruled,
    sorted_checks,
)
from hornbook.studies.prepare._data import Opened
from hornbook.studies.prepare._portfolio import Candidate, Learners, parameters_of
from hornbook.studies.prepare._prepare import PreparedStudy, identity_of, kept_frame, stop_if_wrong
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["prepare_outliers"]

SHARE = 0.1  # of the rows that one method calls unusual; all of them together call fewer
LEAST_ROWS = 12  # six to learn from, and six to be ranked among
COMPONENTS = 5  # of a mixture, at most


def prepare_outliers(opened: Opened, learners: Learners, say: Callable[[str], None]) -> PreparedStudy:
    """Check the table, choose methods and splits into halves.

    Parameters
    ----------
    opened : Opened
        The table.
    learners : names of methods, or None
        What the user wants to combine.
    say : function
        Takes a sentence about each decision.
    """
    for note in opened.notes:
        say(note)
    settings = opened.settings
    refuse_other_settings(settings)
    rows, frame = kept_frame(opened, say)
    profile = frame.profile()
    results = _checks(frame, profile, settings)
    stop_if_wrong(results)
    out = left_out(results, settings)
    features = frame.select([name for name in frame.schema.features.names if name not in out])
    training = TrainingData(features, Target(np.zeros(len(frame), dtype=np.int64), ()), rows)
    # Of few rows at least one in each half, where ranks are taken.
    share = max(SHARE if settings.unusual is None else settings.unusual, min(0.5, 2.5 / len(frame)))
    taken = [_candidate(name, settings, share) for name in _methods(learners)]
    for check in results:
        if check.level in ("left out", "warning") or check.code == "date":
            say(str(check))
    methods = tuple(candidate.name for candidate in taken)
    say(f"methods: {listed_words(methods)}; learners= chooses among {', '.join(METHOD_WORDS)}")
    why = ", as requested" if settings.unusual == share else "; unusual= asks for another share"
    say(f"unusual: {100 * share:.3g} % of the rows by each method in each resample{why}")
    filled = replace(settings, learners=methods, unusual=share)
    identity = identity_of(filled, opened.fingerprint, taken, features.schema.names)
    folds = halves_of(features, settings)
    return PreparedStudy(filled, profile, results, training, folds, taken, [], (), identity)


def _checks(frame: Frame, profile: Profile, settings: Settings) -> tuple[Check, ...]:
    results = [*_of_rows(frame), *of_findings(profile, settings), *of_columns(profile, settings)]
    results = [overruled(check, settings) for check in results]
    if not any(check.level == "error" for check in results):
        results += of_what_is_left(frame, left_out(results, settings))
    return sorted_checks(results)


def _of_rows(frame: Frame) -> Iterator[Check]:
    if len(frame) < LEAST_ROWS:
        reason = f"There are {len(frame)} rows; to rank halves of them takes at least {LEAST_ROWS}."
        yield Check("too_few_rows", "error", (), reason, "Collect more rows.")


def _methods(learners: Learners) -> list[str]:
    asked = [learners] if isinstance(learners, str) else list(learners or METHOD_WORDS)
    for name in asked:
        if name not in METHOD_WORDS:
            near = suggest(str(name), METHOD_WORDS) if isinstance(name, str) else ""
            raise StudyError(
                f"{name!r} is not a method for task='outliers'; there are {', '.join(METHOD_WORDS)}.{near}"
            )
    if len(set(asked)) < len(asked):
        raise StudyError("learners= names a method twice: name each once.")
    return [str(name) for name in asked]


def _candidate(name: str, settings: Settings, share: float) -> Candidate:
    components = 1 if settings.tune == "off" else COMPONENTS
    # Without folds of its own: the halves of the study take their place.
    learner = OutlierEnsemble(
        methods=(name,), share=share, max_components=components, cv=None, random_state=settings.seed
    )
    return Candidate(name, learner, False, parameters_of(learner))
