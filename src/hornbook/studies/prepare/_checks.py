"""Checks of a table before fitting, each with a code, a reason and a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from hornbook.evaluation import Target
from hornbook.frame import Column, Frame, Profile
from hornbook.studies._settings import Settings
from hornbook.studies.prepare._check import Check, Level
from hornbook.studies.prepare._leaks import leaks
from hornbook.studies.prepare._training_data import missing

__all__ = [
    "checks",
    "left_out",
    "of_columns",
    "of_findings",
    "of_what_is_left",
    "overruled",
    "sorted_checks",
]

LEAST_ROWS = 6  # three training and three test rows in each of two folds
MANY_CLASSES = 100
ROWS_PER_CLASS = 5
LEVELS: dict[str, Level] = {
    "all_missing": "left out",
    "constant": "left out",
    "id_like": "left out",
    "text": "left out",
    "infinite": "error",
    "many_levels": "warning",
    "duplicate_columns": "warning",
    "redundant": "warning",
    "useless": "note",
    "duplicate_rows": "warning",
}


def checks(frame: Frame, profile: Profile, settings: Settings) -> tuple[Check, ...]:
    """Check a table before fitting.

    Parameters
    ----------
    frame : Frame
        The rows that stay, with their roles.
    profile : Profile
        What is in them.
    settings : Settings
        With target and task filled in.

    Returns
    -------
    tuple of Check
        Errors first, notes last.
    """
    results = [*_of_rows(frame, settings), *_of_target(frame, settings)]
    results += of_findings(profile, settings)
    results += of_columns(profile, settings)
    # Leaks are relations of single columns to the target, which has to be free of errors for that.
    if not any(check.level == "error" for check in results):
        results += _of_leaks(frame, settings, left_out(results, settings))
    # After all checks, as any of them may leave out a column that the user wants.
    results = [overruled(check, settings) for check in results]
    if not any(check.level == "error" for check in results):
        results += of_what_is_left(frame, left_out(results, settings))
    return sorted_checks(results)


def sorted_checks(results: list[Check]) -> tuple[Check, ...]:
    """Errors first, notes last."""
    order: list[Level] = ["error", "left out", "warning", "note"]
    return tuple(sorted(results, key=lambda check: order.index(check.level)))


def left_out(results: tuple[Check, ...] | list[Check], settings: Settings) -> set[str]:
    """Feature columns that learners do not use."""
    names = {name for check in results if check.level == "left out" for name in check.columns}
    return names | settings.set_aside


def overruled(check: Check, settings: Settings) -> Check:
    if check.level == "left out" and set(check.columns) & set(settings.keep):
        return replace(check, level="warning", remedy="It is kept, as requested.")
    return check


def _of_rows(frame: Frame, settings: Settings) -> Iterator[Check]:
    n, cv = len(frame), settings.cv
    if n < max(cv, LEAST_ROWS):
        remedy = f"Use fewer folds, cv={n // 2}, or collect more rows."
        if n < LEAST_ROWS:
            remedy = f"Collect more rows: {LEAST_ROWS} are enough for cv={LEAST_ROWS // 2}."
        reason = f"There are {n} rows; a study with {cv} folds needs at least {max(cv, LEAST_ROWS)}."
        yield Check("too_few_rows", "error", (), reason, remedy)
    # With fewer than five test rows a fold's score has a handful of values.
    elif n < 5 * cv:
        reason = f"With {n} rows in {cv} folds, every fold is tested on {n // cv} to {-(-n // cv)} rows."
        remedy = "Expect wide intervals, or use fewer folds with cv=."
        yield Check("small_folds", "warning", (), reason, remedy)
    if settings.weight is not None:
        w = frame.w
        assert w is not None
        if not (np.isfinite(w).all() and (w >= 0).all() and w.sum() > 0):
            reason = f"Weights in {settings.weight!r} must be numbers >= 0, not all of them 0."
            yield Check("bad_weights", "error", (settings.weight,), reason, "Correct them.")
    if settings.group is not None:
        if (lacking := int(missing(frame, settings.group).sum())) > 0:
            reason = f"{lacking} rows have no group in {settings.group!r}."
            yield Check("group_missing", "error", (settings.group,), reason, "Give every row a group.")
        elif (groups := len(np.unique(frame.column(settings.group)))) < cv:
            reason = f"{groups} groups in {settings.group!r} are too few for {cv} folds."
            yield Check("too_few_groups", "error", (settings.group,), reason, f"Use cv={groups} or less.")
    if settings.time is not None:
        yield from _of_time(frame, settings.time, cv)


def _of_time(frame: Frame, name: str, cv: int) -> Iterator[Check]:
    """Whether rows can be ordered in time, and cut into folds."""
    if frame.schema.columns[frame.schema.position(name)].kind == "nominal":
        reason = f"The column {name!r} for time= holds text that has no order."
        remedy = "Write dates as 2026-01-31, or use numbers; kinds= gives words an order."
        yield Check("time_unordered", "error", (name,), reason, remedy)
        return
    times = frame.column(name).astype(np.float64)
    lacking = int((missing(frame, name) | ~np.isfinite(times)).sum())
    distinct = len(np.unique(times))
    if lacking:
        reason = f"{lacking} of {len(frame)} rows have no time in {name!r}."
        yield Check("time_missing", "error", (name,), reason, "Fill them in, or leave these rows out.")
    # Forward folds need one more block of times than folds, as the first has nothing before it to learn from.
    elif distinct <= cv:
        reason = f"{distinct} distinct times in {name!r} are too few for {cv} folds forward in time."
        remedy = f"Use cv={distinct - 1} or less." if distinct > 2 else "Leave time= out."
        yield Check("too_few_times", "error", (name,), reason, remedy)


def _of_target(frame: Frame, settings: Settings) -> Iterator[Check]:
    name = str(settings.target)
    lacking = int(missing(frame, name).sum())
    if lacking:
        reason = f"{lacking} of {len(frame)} rows have no value in the target {name!r}."
        remedy = "Fill them in, or leave these rows out with drop_missing_target=True."
        yield Check("target_missing", "error", (name,), reason, remedy)
        return
    values = frame[name]
    if frame.schema.columns[frame.schema.position(name)].kind == "numeric" and not np.isfinite(values).all():
        reason = f"The target {name!r} has infinite values."
        yield Check("target_infinite", "error", (name,), reason, "Correct these rows or leave them out.")
        return
    target = Target.of_column(frame, name, classes=True)
    if len(target.classes) < 2:
        reason = f"The target {name!r} has the same value in every row, so there is nothing to predict."
        yield Check("target_constant", "error", (name,), reason, "Choose another target with target=.")
    elif settings.task == "classification":
        yield from _of_classes(frame, name, target, settings)


def _of_classes(frame: Frame, name: str, target: Target, settings: Settings) -> Iterator[Check]:
    classes, n_rows = target.classes, len(target)
    counts = np.bincount(target.codes)
    numeric = frame.schema.columns[frame.schema.position(name)].kind == "numeric"
    if numeric and (fractions := [label for label in classes if label % 1]):
        reason = f"The target {name!r} holds numbers such as {fractions[0]:g}, which are not classes."
        remedy = "Use task='regression', or convert them to text."
        yield Check("target_fractions", "error", (name,), reason, remedy)
        return
    other = "use task='regression', or group" if numeric else "group"
    if len(classes) > 20 and n_rows < ROWS_PER_CLASS * len(classes):
        reason = f"The target {name!r} has {len(classes)} classes for {n_rows} rows."
        remedy = (
            f"That is too few rows of each to learn from: {other} the rare ones, or choose another target."
        )
        yield Check("too_many_classes", "error", (name,), reason, remedy)
        return
    if len(classes) > MANY_CLASSES:
        reason = f"The target {name!r} has {len(classes)} classes, which makes fitting slow and scores low."
        yield Check("too_many_classes", "warning", (name,), reason, f"You can {other} the rare ones.")
    tiny = np.flatnonzero(counts < settings.cv)
    if len(tiny):
        shown = ", ".join(f"{classes[k]!r} ({counts[k]})" for k in tiny[:5].tolist())
        reason = f"Classes with fewer rows than the {settings.cv} folds: {shown}{' ...' * (len(tiny) > 5)}."
        least = int(counts.min())
        fewer = f"use cv={least}, " if least >= 2 else ""
        remedy = f"Some folds have no test rows of them: {fewer}group them with others or collect more rows."
        yield Check("tiny_class", "warning", (name,), reason, remedy)


def of_findings(profile: Profile, settings: Settings) -> Iterator[Check]:
    known = [finding for finding in profile.findings if finding.code in LEVELS]
    out = {name for finding in known if LEVELS[finding.code] == "left out" for name in finding.columns}
    # A finding about a column that is left out anyway would only be noise.
    out -= set(settings.keep)
    for finding in known:
        level, remedy = LEVELS[finding.code], finding.remedy
        unseen = {*settings.set_aside, *out} if level in ("warning", "note") else settings.set_aside
        if settings.target in finding.columns or set(finding.columns) & unseen:
            continue
        if finding.code == "duplicate_rows":
            if settings.group is not None or settings.drop_duplicates:
                continue
            parts = "both halves" if settings.task in ("clustering", "outliers") else "training and test rows"
            remedy = f"They may be in {parts} at once: drop_duplicates=True leaves them out."
        elif level == "left out":
            remedy = f"It is left out; keep it with keep=[{finding.columns[0]!r}]."
        elif level == "error":
            remedy = f"{finding.remedy[:-1]}, or leave the column out with ignore=[{finding.columns[0]!r}]."
        yield Check(finding.code, level, finding.columns, finding.sentence, remedy)


def of_columns(profile: Profile, settings: Settings) -> Iterator[Check]:
    features = [
        column
        for column in profile.columns
        if column.role == "feature" and column.name not in settings.set_aside
    ]
    dates = tuple(column.name for column in features if column.source == "date")
    if dates:
        reason = f"Dates are read as days since 1970: {', '.join(map(repr, dates))}."
        remedy = "Later rows may differ; add month or weekday as a column if it matters."
        yield Check("date", "note", dates, reason, remedy)
    gaps = [column for column in features if column.n_missing]
    if gaps:
        shown = ", ".join(f"{column.name!r} ({column.missing_share:.1%})" for column in gaps[:5])
        reason = f"Columns with missing cells: {shown}{' ...' * (len(gaps) > 5)}."
        remedy = (
            "Learners that cannot handle them get the mean or the most frequent level of the training rows."
        )
        yield Check("missing", "note", tuple(column.name for column in gaps), reason, remedy)


def _of_leaks(frame: Frame, settings: Settings, out: set[str]) -> Iterator[Check]:
    features = frame.select([name for name in frame.schema.features.names if name not in out])
    classes = settings.task == "classification"
    target = Target.of_column(frame, str(settings.target), classes=classes)
    leaking = list(leaks(features, target.codes, classes=classes))
    gone = {name for check in leaking if check.level == "left out" for name in check.columns}
    # Warned of instead of left out, because a study without columns could say nothing.
    alone = len(gone) == len(features.schema)  # no features would be left without them
    for check in leaking:
        yield replace(check, level="warning", remedy="It is the only column.") if alone else check


def of_what_is_left(frame: Frame, out: set[str]) -> Iterator[Check]:
    left: list[Column] = [column for column in frame.schema.features.columns if column.name not in out]
    if not left:
        reason = f"No column is left to learn from: {', '.join(map(repr, sorted(out)))} are left out."
        yield Check(
            "no_columns", "error", tuple(sorted(out)), reason, "Keep some with keep=, or add columns."
        )
