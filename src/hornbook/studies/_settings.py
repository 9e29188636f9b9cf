"""Everything that determines a study, as one object and as one file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from hornbook.params import ParameterError, Range, check, suggest

__all__ = ["Settings", "StudyError"]

TUPLES = ("learners", "ignore", "keep", "kinds", "missing")


class StudyError(ValueError):
    """A study cannot be made as asked; the sentence says what to do."""


@dataclass(frozen=True)
class Settings:
    """Everything that determines a study; ``config.toml`` in its folder is exactly this.

    Parameters
    ----------
    data : str, default ""
        A file or the name of a table of `hornbook.datasets`; empty for a table passed in memory.
    target : str, optional
        The column to predict; the last one when left out.
    task : {"auto", "classification", "regression"}, default "auto"
        What to do with the target; its values decide when left to them.
    learners : tuple of str, default ()
        Names of the learners; all that fit the task when empty. `Baseline` is always there.
    metric : str, optional
        The measure that decides; log loss, error rate or root mean squared error when left out.
    positive : str, optional
        Of two classes the one that precision, recall, the F-measure and their kin are about; 1 or True, else
        the rarer one, when left out.
    cv : int, default 10
        Folds in one repeat.
    repeats : int, default 3
        How often the rows are cut into folds anew.
    seed : int, default 0
        Seed of all draws.
    alpha : float, default 0.05
        Probability of calling any learner worse that is as good as the best, region of equivalence included.
    equivalence : float, optional
        Differences up to this are of no practical interest: 0.01 of the measure when left out, or for
        errors in the unit of the target 0.01 of its standard deviation.
    time_limit : float, default 600.0
        Seconds that one fit may take.
    budget : float, optional
        Seconds that all fits together may take; without end when left out.
    ignore : tuple of str, default ()
        Columns to leave out.
    keep : tuple of str, default ()
        Columns to keep although a check would leave them out.
    kinds : tuple of str, default ()
        Kinds of columns, as ``zip=nominal`` or with levels in their order ``size=small<medium<large``; the
        values decide about all others.
    delimiter : str, optional
        The character between two cells of a text file; found out when left out.
    missing : tuple of str, default ()
        Words for missing cells of a text file, beside the empty cell, NA, NaN and ?.
    weight : str, optional
        The column with the weights of the rows.
    group : str, optional
        The column with groups of rows that folds keep together.
    id : str, optional
        The column with names of rows.
    drop_missing_target : bool, default False
        Whether rows without a target are left out; they are an error otherwise.
    drop_duplicates : bool, default False
        Whether rows that repeat an earlier one are left out.
    scale : bool, default True
        Whether columns are standardized inside each fold for learners that are sensitive to scale.
    fingerprint : bool, default True
        Whether the model file keeps hashes of the rows, by which `hornbook evaluate` recognizes them.
    csv_safe : bool, default False
        Whether text in CSV files that a spreadsheet would run as a formula gets an apostrophe before.
    jobs : int, optional
        Processes that fit at the same time; one for each processor when left out. No result depends on it.
    tune : bool, default True
        Whether learners that are given by name get sensible settings, chosen inside each training fold;
        bare defaults otherwise. Learners that are given as objects stay as they are.

    Examples
    --------
    >>> print(Settings(data="iris", cv=5).to_toml().splitlines()[6])
    cv = 5
    """

    data: str = ""
    target: str | None = None
    task: Literal["auto", "classification", "regression"] = "auto"
    learners: tuple[str, ...] = ()
    metric: str | None = None
    positive: str | None = None
    cv: Annotated[int, Range(low=2)] = 10
    repeats: Annotated[int, Range(low=1)] = 3
    seed: Annotated[int, Range(low=0, high=2**63 - 1)] = 0
    alpha: Annotated[float, Range(0, 1, open_low=True, open_high=True)] = 0.05
    equivalence: Annotated[float, Range(low=0)] | None = None
    time_limit: Annotated[float, Range(low=0, open_low=True)] = 600.0
    budget: Annotated[float, Range(low=0, open_low=True)] | None = None
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    delimiter: str | None = None
    missing: tuple[str, ...] = ()
    weight: str | None = None
    group: str | None = None
    id: str | None = None
    drop_missing_target: bool = False
    drop_duplicates: bool = False
    scale: bool = True
    fingerprint: bool = True
    csv_safe: bool = False
    jobs: Annotated[int, Range(low=1)] | None = None
    tune: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.kinds, Mapping):
            object.__setattr__(self, "kinds", tuple(_kind_text(*pair) for pair in self.kinds.items()))
        for name in TUPLES:
            given = getattr(self, name)
            if isinstance(given, list | tuple) and all(isinstance(each, str) for each in given):
                object.__setattr__(self, name, tuple(given))
            else:
                raise ParameterError(f"study: parameter '{name}' must be a list of names; got {given!r}.")
        check(self, "study")
        if both := sorted(set(self.ignore) & set(self.keep)):
            raise ParameterError(f"study: column {both[0]!r} stands in 'ignore' and in 'keep': choose one.")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Make settings of names and values; an unknown name is an error that suggests one.

        Parameters
        ----------
        given : mapping
            Names of settings and their values.
        """
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                there = ", ".join(known)
                raise ParameterError(
                    f"study: there is no setting {name!r}; there are {there}.{suggest(name, known)}"
                )
        return cls(**given)

    @classmethod
    def from_toml(cls, path: str | Path) -> Self:
        """Read a file such as ``config.toml`` of a study.

        Parameters
        ----------
        path : str or path
            The file.
        """
        try:
            found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise StudyError(f"{path} cannot be read: {error.strerror or error}.") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise StudyError(f"{path} is not a TOML file: {error}.") from error
        try:
            return cls.of(found)
        except ParameterError as error:
            raise ParameterError(f"{path}: {error}") from error

    def to_toml(self) -> str:
        """Write all settings as the text of a TOML file; those that are left out are comments."""
        lines = []
        for field in fields(self):
            value = getattr(self, field.name)
            lines.append(f"# {field.name} =" if value is None else f"{field.name} = {_toml(value)}")
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return all settings as plain data."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def _kind_text(name: Any, kind: Any) -> str:
    levels = isinstance(kind, Sequence) and not isinstance(kind, str)
    return f"{name}={'<'.join(map(str, kind)) if levels else kind}"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):  # JSON escapes what TOML escapes, but for one character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)
