"""What learners did, fold by fold, on the way to their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = [
    "FoldScore",
    "first_errors",
    "mean_seconds",
    "mean_stored",
    "named_learners",
    "progress_bar",
    "score_table",
]


@dataclass
class FoldScore:
    """What one learner did in one fold."""

    score: float = np.nan
    seconds: float = np.nan
    stored: float = np.nan
    predicted: NDArray[Any] | None = None
    error: str = ""


Results = Mapping[str, Sequence[FoldScore]]


def named_learners(function: str, learners: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return learners by the names they were given, or else by those of their classes."""
    if isinstance(learners, Mapping):
        named = {str(name): learner for name, learner in learners.items()}
    else:
        named = {}
        for learner in learners:
            name = base = type(learner).__name__
            number = 1
            # "KMeans", "KMeans 2", ...: the second instance of a class gets a number.
            while name in named:
                number += 1
                name = f"{base} {number}"
            named[name] = learner
    if not named:
        raise ValueError(f"{function} needs at least one learner; got none.")
    return named


def score_table(results: Results) -> Floats:
    """Return the scores, one row for each learner."""
    return np.array([[fold.score for fold in folds] for folds in results.values()])


def first_errors(results: Results) -> dict[str, str]:
    """Return the sentence of the first failure of each learner that had one."""
    first = {name: next((fold.error for fold in folds if fold.error), "") for name, folds in results.items()}
    return {name: error for name, error in first.items() if error}


def mean_seconds(results: Results) -> dict[str, float | None]:
    """Return the mean time of the fits that succeeded."""
    return {name: _mean([f.seconds for f in folds if not f.error]) for name, folds in results.items()}


def mean_stored(results: Results) -> dict[str, float | None]:
    """Return the mean count of stored numbers of the fits that succeeded."""
    return {name: _mean([f.stored for f in folds if not f.error]) for name, folds in results.items()}


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


@contextmanager
def progress_bar(total: int, *, shown: bool) -> Iterator[Callable[[str], None]]:
    """Give a function that moves a progress bar on and shows the name of the learner at work."""
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - only for those who look
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=console.is_terminal) as bar:
        task = bar.add_task("comparing", total=total)
        yield lambda name: bar.update(task, advance=1, description=name)
