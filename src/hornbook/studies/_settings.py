"""Everything that determines a study, as one object and as one file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from hornbook.params import ParameterError, Range, check, suggest
from hornbook.studies._cost_text import cost_entries

__all__ = ["Settings", "StudyError"]

TUPLES = ("learners", "ignore", "keep", "kinds", "missing", "plan")


class StudyError(ValueError):
    """A study cannot be run as requested; the message says what to do."""


@dataclass(frozen=True)
class Settings:
    """Everything that determines a study; ``config.toml`` in its folder is exactly this.

    Parameters
    ----------
    data : str, default ""
        A file or the name of a table of `hornbook.datasets`; empty for a table passed in memory.
    target : str, optional
        The column to predict; the last one when left out.
    task : {"auto", "classification", "regression", "clustering", "outliers"}, default "auto"
        The task; with "auto" the values of the target decide. Clusterings and outliers need no target.
    learners : tuple of str, default ()
        Names of the learners; the default set for the task, at most a dozen, when empty. `Baseline` is always
        included.
    metric : str, optional
        The deciding measure; log loss, error rate or root mean squared error when left out.
    positive : str, optional
        The positive one of two classes, for precision, recall, the F-measure and the like; 1 or True, else
        the rarer one, when left out.
    costs : tuple of str, default ()
        Costs of mistakes: ``ill=10`` for missing a class, ``ill>well=10`` for taking ill for well, other
        mistakes cost 1; or a CSV file with the true classes in its first column and the predicted ones in its
        header. Classes are then predicted by cost, with thresholds chosen inside the training folds.
    cv : int, default 10
        Folds per repeat; without a target, splits into halves per repeat.
    repeats : int, default 3
        How often the rows are split into folds.
    seed : int, default 0
        Seed of all random numbers.
    alpha : float, default 0.05
        Probability of calling any learner worse that is as good as the best, up to the region of equivalence.
    equivalence : float, optional
        Largest difference that does not matter in practice: 0.01 of the measure when left out, or for
        errors in the unit of the target 0.01 of its standard deviation.
    time_limit : float, default 600.0
        Seconds that one fit may take.
    budget : float, optional
        Seconds that all fits together may take; unlimited when left out.
    plan : tuple of str, default ()
        What a budget left room for, as the study wrote it to its ``config.toml``: ``repeats=1``,
        ``without=AODE``, ``without=closer look``. With a plan, no time is measured to decide anything.
    ignore : tuple of str, default ()
        Columns to leave out.
    keep : tuple of str, default ()
        Columns to keep although a check would leave them out.
    kinds : tuple of str, default ()
        Kinds of columns, as ``zip=nominal`` or with ordered levels ``size=small<medium<large``; those of all
        other columns are detected.
    delimiter : str, optional
        The character between two cells of a text file; detected when left out.
    missing : tuple of str, default ()
        Words for missing cells of a text file, besides the empty cell, NA, NaN and ?.
    weight : str, optional
        The column with the weights of the rows.
    group : str, optional
        The column with groups of rows that folds keep together.
    time : str, optional
        The column with dates or numbers in the order of time: learners are then trained on earlier rows and
        tested on later ones, in one repeat. It is not used for predicting, unless it is in ``keep``.
    test : str, optional
        A file, or the name of a data set, with rows that no fit and no choice sees: the recommended model is
        tested on them in the end.
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
        Whether text in CSV files that a spreadsheet would run as a formula is prefixed with an apostrophe.
    jobs : int, optional
        Processes that fit at the same time; one for each processor when left out. No result depends on it.
    tune : {"off", "quick", "thorough"}, default "quick"
        How much learners given by name are tuned inside each training fold: not at all, with plain defaults;
        in the parameters that matter most; or in all ranges that they name. Objects stay as they are.
    race : bool, default True
        Whether learners that cannot become best are stopped after 5, 10 and 20 folds of 30.
    clusters : tuple of int, default ()
        Numbers of clusters that a clustering tries, ascending; 2 to 8, or as many as the rows allow, when
        left out.
    unusual : float, optional
        Share of the rows that each method calls unusual in a study of outliers; 0.1 when left out.

    Examples
    --------
    >>> print(Settings(data="iris", cv=5).to_toml().splitlines()[7])
    cv = 5
    """

    data: str = ""
    target: str | None = None
    task: Literal["auto", "classification", "regression", "clustering", "outliers"] = "auto"
    learners: tuple[str, ...] = ()
    metric: str | None = None
    positive: str | None = None
    costs: tuple[str, ...] = ()
    cv: Annotated[int, Range(low=2)] = 10
    repeats: Annotated[int, Range(low=1)] = 3
    seed: Annotated[int, Range(low=0, high=2**63 - 1)] = 0
    alpha: Annotated[float, Range(0, 1, open_low=True, open_high=True)] = 0.05
    equivalence: Annotated[float, Range(low=0)] | None = None
    time_limit: Annotated[float, Range(low=0, open_low=True)] = 600.0
    budget: Annotated[float, Range(low=0, open_low=True)] | None = None
    plan: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    delimiter: str | None = None
    missing: tuple[str, ...] = ()
    weight: str | None = None
    group: str | None = None
    time: str | None = None
    test: str | None = None
    id: str | None = None
    drop_missing_target: bool = False
    drop_duplicates: bool = False
    scale: bool = True
    fingerprint: bool = True
    csv_safe: bool = False
    jobs: Annotated[int, Range(low=1)] | None = None
    tune: Literal["off", "quick", "thorough"] = "quick"
    race: bool = True
    clusters: tuple[int, ...] = ()
    unusual: Annotated[float, Range(0, 0.5, open_low=True)] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.kinds, Mapping):
            # Text, because settings are written to a TOML file and must come back equal.
            object.__setattr__(self, "kinds", tuple(_kind_text(*pair) for pair in self.kinds.items()))
        for name in TUPLES:
            words = getattr(self, name)
            if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words):
                object.__setattr__(self, name, tuple(words))
            else:
                raise ParameterError(f"study: parameter '{name}' must be a list of names; got {words!r}.")
        object.__setattr__(self, "clusters", _sizes(self.clusters))
        object.__setattr__(self, "costs", cost_entries(self.costs))
        check(self, "study")
        if both := sorted(set(self.ignore) & set(self.keep)):
            raise ParameterError(f"study: column {both[0]!r} is in both 'ignore' and 'keep': choose one.")

    @property
    def set_aside(self) -> frozenset[str]:
        """Columns that nothing is predicted from: those to ignore, and the time."""
        # Test rows always lie beyond the times of training, where a tree, say, could only repeat its last
        # answer.
        times = {self.time} if self.time is not None and self.time not in self.keep else set()
        return frozenset({*self.ignore, *times})

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Make settings from names and values; an unknown name is an error with a suggestion.

        Parameters
        ----------
        values : mapping
            Names of settings and their values.
        """
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                listed = ", ".join(known)
                raise ParameterError(
                    f"study: there is no setting {name!r}; there are {listed}.{suggest(name, known)}"
                )
        return cls(**values)

    @classmethod
    def from_toml(cls, path: str | Path) -> Self:
        """Read a file such as ``config.toml`` of a study.

        Parameters
        ----------
        path : str or path
            The file.
        """
        try:
            values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise StudyError(f"{path} cannot be read: {error.strerror or error}.") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise StudyError(f"{path} is not a TOML file: {error}.") from error
        try:
            return cls.of(values)
        except ParameterError as error:
            raise ParameterError(f"{path}: {error}") from error

    def to_toml(self) -> str:
        """Return all settings as the text of a TOML file; those left out are comments."""
        lines = []
        for field in fields(self):
            value = getattr(self, field.name)
            lines.append(f"# {field.name} =" if value is None else f"{field.name} = {_toml(value)}")
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return all settings as plain data."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _sizes(clusters: Any) -> tuple[int, ...]:
    sizes = (clusters,) if isinstance(clusters, int) else clusters
    if isinstance(sizes, list | tuple | range):
        sizes = tuple(sizes)
        whole = all(isinstance(size, int) and not isinstance(size, bool) and size >= 2 for size in sizes)
        # Ascending without repetition, so that equal requests have equal settings and resume each other.
        if whole and sorted(set(sizes)) == list(sizes):
            return sizes
    raise ParameterError(
        "study: parameter 'clusters' must be ascending whole numbers from 2 on, such as [2, 3, 4]; got "
        f"{clusters!r}."
    )


def _kind_text(name: Any, kind: Any) -> str:
    levels = isinstance(kind, Sequence) and not isinstance(kind, str)
    return f"{name}={'<'.join(map(str, kind)) if levels else kind}"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):  # JSON and TOML escape alike, except for one character
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    # repr has all digits of a number, so that reading the file gives the same number back.
    return str(value).lower() if isinstance(value, bool) else repr(value)
