"""Types of command-line values: how they are parsed, and how a shell completes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

import hornbook
from hornbook.registry import LEARNERS

__all__ = [
    "CLUSTERS",
    "COLUMN",
    "DATA",
    "DELIMITER",
    "DURATION",
    "KIND",
    "LEARNER",
    "LEARNERS_LIST",
    "METRIC",
    "MODEL",
    "WORDS",
]

WORDS = "hornbook.words"  # key of the arguments typed so far, for shell completion
NUMBER = r"\d+(?:\.\d*)?"
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class _Kind(click.ParamType):  # type: ignore[type-arg]  # generic in the newest versions of click only
    """A type of values."""

    name = "text"


class _File(_Kind):
    """A path, completed by the shell."""

    name = "file"

    def shell_complete(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leave it to the shell."""
        return [CompletionItem(incomplete, type="file")]


class _Data(_File):
    """A file or the name of a data set."""

    name = "data"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Names of data sets, and files."""
        names = hornbook.datasets.names()
        datasets = [CompletionItem(n, help=line) for n, line in names.items() if n.startswith(incomplete)]
        return [*datasets, *super().shell_complete(ctx, param, incomplete)]


class _Column(_Kind):
    """A column of DATA, which was typed before."""

    name = "column"

    def shell_complete(self, ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names of the columns."""
        words = [word for word in reversed(ctx.meta.get(WORDS, [])) if not word.startswith("-")]
        files = [word for word in words if Path(word).is_file()]
        # Files first, because data sets need libraries that take a second to import.
        for word in [*files, *words]:
            if names := _column_names(word):
                return _starting(names, incomplete)
        return []


class _Learner(_Kind):
    """The name of a learner."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reject an unknown name, and suggest a known one."""
        name = str(value).strip()
        if name not in LEARNERS:
            near = hornbook.params.suggest(name, LEARNERS) or " hornbook learners lists them."
            self.fail(f"There is no learner '{name}'.{near}", param, ctx)
        return name

    def shell_complete(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names of the learners."""
        return _starting(LEARNERS, incomplete)


class _LearnerList(_Learner):
    """Comma-separated names of learners."""

    name = "name,name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reject an unknown name."""
        if isinstance(value, tuple):
            return value
        named = [word for word in str(value).split(",") if word.strip()]
        return tuple(super(_LearnerList, self).convert(word, param, ctx) for word in named)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the last name."""
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{item.value}")
            for item in super().shell_complete(ctx, param, last)
        ]


class _Metric(_Kind):
    """The name of a measure."""

    name = "measure"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reject an unknown name, and suggest a known one."""
        names = hornbook.evaluation.measures()
        if value not in names:
            near = hornbook.evaluation.suggest_measure(str(value), names)
            self.fail(f"There is no measure '{value}'; choose one of {', '.join(names)}.{near}", param, ctx)
        return str(value)

    def shell_complete(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names of the measures."""
        return _starting(hornbook.evaluation.measures(), incomplete)


class _Delimiter(_Kind):
    """The character that separates cells."""

    name = "character"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Accept names for tabs and spaces, which are hard to type."""
        text = {"tab": "\t", "\\t": "\t", "space": " "}.get(str(value), str(value))
        if len(text) != 1 or not text.isascii():
            self.fail(f"'{value}' is not a single character: write one, or tab, or space.", param, ctx)
        return text


class _ColumnKind(_Column):
    """A column of DATA and its kind."""

    name = "column=kind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reject an unknown kind; columns are looked up in DATA."""
        try:
            hornbook.frame.kinds_from_text([str(value)])
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Names of the columns, then the kinds."""
        name, equals, kind = incomplete.rpartition("=")
        if equals:
            return [
                CompletionItem(f"{name}={item.value}")
                for item in _starting(("numeric", "ordinal", "nominal"), kind)
            ]
        columns = super().shell_complete(ctx, param, incomplete)
        return [CompletionItem(f"{item.value}=") for item in columns]


class _Duration(_Kind):
    """A duration: 90, 90s, 10m or 1h30m."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert it to seconds."""
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip().lower()
        # Whole text first: findall alone would skip what it does not understand, and "10x5m" would be 5
        # minutes.
        if not re.fullmatch(rf"{NUMBER}|({NUMBER}[smhd])+", text):
            self.fail(f"'{value}' is not a duration: write 90s, 10m or 1h30m.", param, ctx)
        parts = re.findall(rf"({NUMBER})([smhd]?)", text)
        seconds = sum(float(count) * UNITS[unit or "s"] for count, unit in parts)
        if not seconds:
            self.fail("a duration must be positive.", param, ctx)
        return seconds


class _Sizes(_Kind):
    """Numbers of clusters: 3, 2-8 or 2,4,8."""

    name = "numbers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Convert it to numbers in ascending order."""
        if isinstance(value, tuple):
            return value
        sizes: set[int] = set()
        for part in str(value).split(","):
            # Six digits at most: the range is expanded, and a typing error must not fill the memory.
            span = re.fullmatch(r"\s*(\d{1,6})(?:-(\d{1,6}))?\s*", part)
            if span is None or int(span[1]) < 2 or int(span[2] or span[1]) < int(span[1]):
                self.fail(f"'{value}' are not numbers of clusters: write 3, 2-8 or 2,4,8.", param, ctx)
            sizes |= set(range(int(span[1]), int(span[2] or span[1]) + 1))
        return tuple(sorted(sizes))


def _column_names(data: str) -> tuple[str, ...]:
    """Names of the columns of a file or a data set; none when they cannot be found."""
    try:
        if Path(data).is_file():
            return hornbook.frame.column_names(data)
        return hornbook.datasets.load(data).schema.names
    except Exception:  # noqa: BLE001 - completion must never fail, whatever the file contains
        return ()


def _starting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.lower().startswith(incomplete.lower())]


DATA = _Data()
MODEL = _File()
COLUMN = _Column()
LEARNER = _Learner()
LEARNERS_LIST = _LearnerList()
METRIC = _Metric()
DURATION = _Duration()
DELIMITER = _Delimiter()
KIND = _ColumnKind()
CLUSTERS = _Sizes()
