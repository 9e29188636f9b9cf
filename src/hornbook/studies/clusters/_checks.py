"""Checks of a table before it is clustered."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.frame import Frame, Profile
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._check import Check
from hornbook.studies.prepare._checks import (
    left_out,
    of_columns,
    of_findings,
    of_what_is_left,
    overruled,
    sorted_checks,
)

__all__ = ["cluster_checks", "refuse_other_settings", "sizes_to_try"]

LEAST_ROWS = 8  # two clusters of two rows in each half
ROWS_PER_CLUSTER = 5  # of half the table, unless more clusters are asked for
MOST_CLUSTERS = 8
UNUSED = ("metric", "positive", "costs", "group", "time", "test", "weight", "drop_missing_target")


def refuse_other_settings(settings: Settings) -> None:
    """Refuse settings that mean nothing without a target."""
    others = ("unusual",) if settings.task == "clustering" else ("clusters", "equivalence")
    for name in (*UNUSED, *others):
        if getattr(settings, name) not in (None, False, ()):
            raise StudyError(f"{name}= has no meaning for task={settings.task!r}: leave it out.")


def cluster_checks(frame: Frame, profile: Profile, settings: Settings) -> tuple[Check, ...]:
    """Check a table before it is clustered.

    Parameters
    ----------
    frame : Frame
        The rows that stay.
    profile : Profile
        What is in them.
    settings : Settings
        The settings.

    Returns
    -------
    tuple of Check
        Errors first, notes last.
    """
    results = [*_of_rows(frame, settings), *of_findings(profile, settings), *of_columns(profile, settings)]
    results = [overruled(check, settings) for check in results]
    out = left_out(results, settings)
    if not any(check.level == "error" for check in results):
        results += of_what_is_left(frame, out)
    results += _of_kinds(frame, out)
    return sorted_checks(results)


def _of_rows(frame: Frame, settings: Settings) -> Iterator[Check]:
    n = len(frame)
    if n < LEAST_ROWS:
        reason = f"There are {n} rows; clusterings of two halves need at least {LEAST_ROWS}."
        yield Check("too_few_rows", "error", (), reason, "Collect more rows.")
    elif settings.clusters and settings.clusters[-1] > n // 4:
        reason = (
            f"{settings.clusters[-1]} clusters are too many for {n} rows: each half has {n // 2}, and a "
            "cluster needs two."
        )
        yield Check("too_many_clusters", "error", (), reason, f"Ask for at most {n // 4} with clusters=.")


def _of_kinds(frame: Frame, out: set[str]) -> Iterator[Check]:
    left = [column for column in frame.schema.features.columns if column.name not in out]
    coded = tuple(column.name for column in left if column.kind == "nominal")
    if coded:
        what = "All columns are categories" if len(coded) == len(left) else "There are categories"
        reason = f"{what}: {', '.join(map(repr, coded[:5]))}{' ...' * (len(coded) > 5)}."
        remedy = "Each level is a column of 0 and 1; KMedoids uses Gower's distance."
        yield Check("categories", "note", coded, reason, remedy)


def sizes_to_try(features: Frame, settings: Settings) -> tuple[int, ...]:
    """Return the numbers of clusters: those asked for, or 2 to 8 as far as rows and distinct rows allow.

    Parameters
    ----------
    features : Frame
        The rows.
    settings : Settings
        The settings.
    """
    distinct = features.to_polars().n_unique()
    if settings.clusters:
        if settings.clusters[-1] > distinct:
            raise StudyError(
                f"clusters= asks for {settings.clusters[-1]} clusters, and only {distinct} rows differ: "
                "ask for fewer."
            )
        return settings.clusters
    if distinct < 2:
        raise StudyError("all rows are equal in the columns that are left, so there are no clusters to find.")
    most = max(2, min(MOST_CLUSTERS, len(features) // (2 * ROWS_PER_CLUSTER), distinct // 2))
    return tuple(range(2, most + 1))
