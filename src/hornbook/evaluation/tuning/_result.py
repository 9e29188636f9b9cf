"""What a search for good parameters found, and how good that really is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hornbook.display import Cell, Table, plain
from hornbook.evaluation.metrics._measure import Measure

__all__ = ["Setting", "Trials", "TuningResult", "words"]

Setting: TypeAlias = Mapping[str, Any]

MOST_SHOWN = 10  # settings in print


def words(setting: Setting) -> str:
    """Write a setting as ``name=value, name=value``."""
    return ", ".join(f"{name}={_value(value)}" for name, value in setting.items())


def _value(value: Any) -> str:
    value = plain(value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _plain(setting: Setting) -> dict[str, Any]:
    return {name: plain(value) for name, value in setting.items()}


@dataclass(frozen=True, eq=False)
class Trials:
    """Scores of settings on the same folds.

    Parameters
    ----------
    settings : tuple of mapping
        Parameters by name.
    scores : ndarray of shape (n_settings, n_folds)
        NaN for a setting that failed.
    errors : tuple of str
        For each setting why it failed, or nothing.
    greater_is_better : bool
        Whether larger scores are better.
    """

    settings: tuple[Setting, ...]
    scores: NDArray[np.float64]
    errors: tuple[str, ...]
    greater_is_better: bool

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the settings, best first; equal ones in the order of the search, failed ones last."""
        means = self.scores.mean(axis=1)
        # Stable: of equal means the first one tried wins, in any order of evaluation.
        return np.argsort(-means if self.greater_is_better else means, kind="stable")  # NaN goes last

    @property
    def best(self) -> int:
        """Position of the best setting."""
        return int(self.order[0])


@dataclass(frozen=True, eq=False)
class TuningResult:
    """The best setting of a learner, the search that found it, and the score to expect of it.

    The score of the best setting in the search is too good, because it is the best of many. The honest score
    comes from outer test rows that took no part in the choice.

    Parameters
    ----------
    measure : Measure
        What was measured.
    trials : Trials
        All settings with their scores on the folds of the search.
    best_learner : estimator
        The learner with the best setting, fitted to all rows.
    outer_scores : ndarray of shape (n_outer,) or None
        Honest scores: on each outer test part, of the setting chosen without it.
    outer_settings : tuple of mapping or None
        The setting chosen for each outer test part; they differ where the choice is unstable.
    """

    measure: Measure
    trials: Trials
    best_learner: Any
    outer_scores: NDArray[np.float64] | None
    outer_settings: tuple[Setting, ...] | None

    @property
    def best_params(self) -> dict[str, Any]:
        """The best setting."""
        return dict(self.trials.settings[self.trials.best])

    @property
    def best_score(self) -> float:
        """Mean score of the best setting in the search; optimistic."""
        return float(self.trials.scores[self.trials.best].mean())

    @property
    def honest_score(self) -> float | None:
        """Mean of the outer scores; None without nesting."""
        return None if self.outer_scores is None else float(self.outer_scores.mean())

    @property
    def spread(self) -> float | None:
        """Standard deviation of the outer scores; None without nesting or with a single one."""
        if self.outer_scores is None or len(self.outer_scores) < 2:
            return None
        return float(self.outer_scores.std(ddof=1))

    @property
    def table(self) -> Table:
        """All settings, best first, with mean and standard deviation of their scores or why they failed."""
        names = list(dict.fromkeys(name for setting in self.trials.settings for name in setting))
        spread = self.trials.scores.std(axis=1)
        rows: list[list[Cell]] = []
        for place, i in enumerate(self.trials.order.tolist()):
            setting, error = self.trials.settings[i], self.trials.errors[i]
            cells = [_value(setting[name]) if name in setting else "" for name in names]
            numbers = [None, None] if error else [float(self.trials.scores[i].mean()), float(spread[i])]
            rows.append([place + 1, *cells, *numbers, error])
        return Table(f"{len(rows)} settings", ("rank", *names, self.measure.name, "sd", "failure"), rows)

    @property
    def sentence(self) -> str:
        """The result in words."""
        folds = self.trials.scores.shape[1]
        text = f"Best setting: {words(self.best_params)}, with {self.measure.name} {self.best_score:.4g} "
        text += f"in the search ({folds} folds), which is too good because it was chosen."
        if self.outer_scores is None:
            return f"{text} Search with nested=True for an honest score."
        spread = "" if self.spread is None else f" ± {self.spread:.2g}"
        return f"{text} Honest score: {self.honest_score:.4g}{spread} ({len(self.outer_scores)} outer folds)."

    def __str__(self) -> str:
        table = self.table
        shown = Table(table.title, table.head, table.rows[:MOST_SHOWN])
        more = len(table.rows) - MOST_SHOWN
        return "\n".join([self.sentence, "", str(shown), *([f"  ... and {more} more"] if more > 0 else [])])

    def _repr_html_(self) -> str:
        return f"<section><p>{escape(self.sentence)}</p>{self.table._repr_html_()}</section>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, without the fitted learner."""
        outer, chosen = self.outer_scores, self.outer_settings
        return {
            "measure": self.measure.name,
            "best_params": _plain(self.best_params),
            "best_score": self.best_score,
            "honest_score": self.honest_score,
            "spread": self.spread,
            "outer_scores": None if outer is None else outer.tolist(),
            "outer_settings": None if chosen is None else [_plain(setting) for setting in chosen],
            "table": self.table.to_dict(),
        }
