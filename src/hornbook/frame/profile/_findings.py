"""Problems of a table; each finding has a code, a reason and a remedy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._cells import Cells
from hornbook.frame.encode._bins import bin_codes
from hornbook.frame.profile._relations import (
    correlations,
    dependence,
    repeated_rows,
    same_values,
    spaced_rows,
)
from hornbook.frame.profile._summaries import ColumnProfile

__all__ = ["Compared", "Finding", "findings"]

SAMPLED_CELLS = 5_000_000  # compared at most, to keep large tables quick
MOST_COMPARED = 1_000  # numeric columns compared pair by pair
REDUNDANT = 0.999  # absolute correlation
MANY_LEVELS = 100
ROWS_TO_JUDGE = 20  # with fewer rows, distinct values prove nothing
WORDS_OF_TEXT = 4  # on average, from which a column counts as free text
TARGET_BINS = 5
CHANCE = 0.05  # p-value above which a column counts as unrelated to the target


@dataclass(frozen=True)
class Finding:
    """A problem of a table, and what to do about it.

    Parameters
    ----------
    code : str
        "all_missing", "constant", "infinite", "id_like", "text", "many_levels", "duplicate_columns",
        "redundant", "useless" or "duplicate_rows".
    columns : tuple of str
        The columns in question.
    sentence : str
        What was found.
    remedy : str
        What to do.
    """

    code: str
    columns: tuple[str, ...]
    sentence: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.sentence} {self.remedy}"


@dataclass(frozen=True)
class Compared:
    """Columns and rows that are compared with each other.

    Parameters
    ----------
    sample : Cells
        All rows, or some of them.
    n_rows : int
        All rows.
    same : callable
        Whether two columns are equal in every row.
    n_repeated : int
        Rows that repeat an earlier one.
    exactly : bool, default True
        Whether these have been counted and not estimated.
    """

    sample: Cells
    n_rows: int
    same: Callable[[int, int], bool]
    n_repeated: int
    exactly: bool = True

    @classmethod
    def of(cls, frame: Cells) -> Compared:
        """Of a table in memory."""
        columns = [j for j, column in enumerate(frame.schema.columns) if column.role != "id"]
        return cls(
            frame,
            len(frame),
            lambda one, two: same_values(frame.column(one), frame.column(two)),
            repeated_rows(frame, columns) if columns else 0,
        )


def findings(table: Compared, profiles: Sequence[ColumnProfile]) -> list[Finding]:
    """All problems of the table: of columns, of pairs of columns, then of rows."""
    schema = table.sample.schema
    problems = [
        finding
        for j, profile in enumerate(profiles)
        for finding in _of_column(profile, table.n_rows, schema.columns[j].levels)
    ]
    odd = {
        name
        for finding in problems
        if finding.code in {"all_missing", "constant"}
        for name in finding.columns
    }
    features = [
        j for j, profile in enumerate(profiles) if profile.role == "feature" and profile.name not in odd
    ]
    twins = list(_duplicate_columns(table, profiles, features))
    copies = {name for finding in twins for name in finding.columns[1:]}
    features = [j for j in features if profiles[j].name not in copies]
    problems += twins
    problems += _redundant(table, [j for j in features if profiles[j].kind == "numeric"])
    problems += _useless(table.sample, profiles, features)
    return problems + list(_duplicate_rows(table))


def _of_column(profile: ColumnProfile, n_rows: int, levels: Sequence[Any]) -> Iterator[Finding]:
    name, columns = profile.name, (profile.name,)
    if profile.n_infinite:
        yield Finding(
            "infinite",
            columns,
            f"Column {name!r} has {profile.n_infinite} infinite values.",
            "Correct them or make them missing.",
        )
    if profile.role not in {"feature", "target"}:
        return
    if profile.n_distinct == 0:
        yield Finding("all_missing", columns, f"Column {name!r} has no values at all.", "Leave it out.")
    elif profile.n_distinct == 1:
        where = " where it is not missing" if profile.n_missing else ""
        but = ", unless its gaps mean something" if profile.n_missing else ""
        yield Finding(
            "constant",
            columns,
            f"Column {name!r} has the same value in every row{where}.",
            f"Leave it out{but}.",
        )
    elif profile.role == "feature":
        yield from _of_values(profile, n_rows, levels)


def _of_values(profile: ColumnProfile, n_rows: int, levels: Sequence[Any]) -> Iterator[Finding]:
    name, columns = profile.name, (profile.name,)
    words = np.mean([str(level).count(" ") + 1 for level in levels]) if levels else 0
    if profile.source == "text" and words >= WORDS_OF_TEXT:
        yield Finding(
            "text",
            columns,
            f"Column {name!r} holds text of {words:.0f} words on average.",
            "Turn it into features first (counts of words), or leave it out.",
        )
    elif n_rows >= ROWS_TO_JUDGE and profile.n_distinct == n_rows and _names_things(profile):
        yield Finding(
            "id_like",
            columns,
            f"Column {name!r} has a different value in each of the {n_rows} rows, as an ID has.",
            "Leave it out, or give it the role id.",
        )
    elif profile.kind == "nominal" and profile.n_distinct > MANY_LEVELS:
        yield Finding(
            "many_levels",
            columns,
            f"Column {name!r} has {profile.n_distinct} categories.",
            "Group the rare ones, or leave it out.",
        )


def _names_things(profile: ColumnProfile) -> bool:
    if profile.kind == "nominal":
        return True
    return profile.kind == "numeric" and profile.source == "number" and profile.all_whole


def _duplicate_columns(
    table: Compared, profiles: Sequence[ColumnProfile], features: Sequence[int]
) -> Iterator[Finding]:
    # Cells are compared only among columns with the same summary: few pairs are left, even of 1,000 columns.
    alike: dict[Any, list[int]] = defaultdict(list)
    schema = table.sample.schema
    for j in features:
        profile = profiles[j]
        alike[(profile.spread, profile.frequent, profile.n_missing, schema.columns[j].levels)].append(j)
    for group in alike.values():
        while len(group) > 1:
            same = [j for j in group if j == group[0] or table.same(group[0], j)]
            if len(same) > 1:
                names = tuple(profiles[j].name for j in same)
                yield Finding(
                    "duplicate_columns",
                    names,
                    f"Columns {', '.join(map(repr, names))} are the same in every row.",
                    f"Keep {names[0]!r} only.",
                )
            group = [j for j in group if j not in same]  # noqa: PLW2901 (what is left of the group)


def _redundant(table: Compared, numeric: Sequence[int]) -> Iterator[Finding]:
    frame = table.sample
    compared = list(numeric)[:MOST_COMPARED]
    if len(compared) < 2:
        return
    rows = spaced_rows(len(frame), max(SAMPLED_CELLS // len(compared), 1_000))
    correlation = correlations(frame.select(compared)[rows].numbers)
    # A column is reported once, with the first it repeats: of ten equal ones nine findings, not 45.
    close = np.argwhere(np.triu(np.abs(correlation) > REDUNDANT, k=1))
    reported: set[int] = set()
    for one, two in close.tolist():
        if two in reported:
            continue
        reported.add(two)
        names = (frame.schema.names[compared[one]], frame.schema.names[compared[two]])
        where = "" if len(rows) == table.n_rows else f" in a sample of {len(rows)} rows"
        yield Finding(
            "redundant",
            names,
            f"Columns {names[0]!r} and {names[1]!r} carry the same information: "
            f"correlation {correlation[one, two]:.4f}{where}.",
            f"Keep one of them, for example {names[0]!r}.",
        )


def _useless(frame: Cells, profiles: Sequence[ColumnProfile], features: Sequence[int]) -> Iterator[Finding]:
    """Columns whose mutual information with the target is not above chance."""
    place = frame.schema.find("target")
    if place is None or not features:
        return
    rows = spaced_rows(len(frame), max(SAMPLED_CELLS // len(features), 1_000))
    target = _few_codes(frame.column(place)[rows], profiles[place])
    for j in features:
        # Column by column and not corrected for their number: a hint where to look, not a test of the table.
        relation = dependence(_few_codes(frame.column(j)[rows], profiles[j]), target)
        if relation is not None and relation.p_value > CHANCE:
            name = profiles[j].name
            yield Finding(
                "useless",
                (name,),
                f"Column {name!r} by itself shows no relation with {profiles[place].name!r}: "
                f"mutual information {relation.bits:.4f} bits, p-value "
                f"{relation.p_value:.2f}.",
                "Try without it; it may still matter together with others.",
            )


def _few_codes(values: NDArray[Any], profile: ColumnProfile) -> NDArray[np.int32]:
    """Codes as they are, numbers cut at their quantiles."""
    if profile.kind != "numeric":
        return values
    numbers = values.astype(np.float64)
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return np.full(len(values), -1, dtype=np.int32)
    # Equal frequencies, at edges that are cells themselves, so that rounding cannot move a cell across.
    return bin_codes(
        numbers, np.unique(np.quantile(known, np.linspace(0.0, 1.0, TARGET_BINS + 1), method="lower"))
    )


def _duplicate_rows(table: Compared) -> Iterator[Finding]:
    if table.n_repeated:
        about = "" if table.exactly else "About "
        yield Finding(
            "duplicate_rows",
            (),
            f"{about}{table.n_repeated} of {table.n_rows} rows repeat an earlier row.",
            "Remove them if they are copies, or they will be in training and test rows at once.",
        )
