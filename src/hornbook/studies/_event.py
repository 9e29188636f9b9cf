"""What a study tells while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Event"]


@dataclass(frozen=True)
class Event:
    """One thing that happened in a running study.

    Parameters
    ----------
    kind : {"note", "start", "done", "failed", "phase"}
        Something decided; a fold that began, is done or failed; a new part of the work.
    text : str
        What to show.
    learner : str, default ""
        The learner in question.
    repeat, fold : int, default -1
        Which fold.
    done, total : int, default 0
        Folds of all learners that are finished, and all there are.
    running : tuple of str, default ()
        Learners that are being fitted now.
    seconds_left : float, optional
        Forecast of the time that the remaining folds take.
    """

    kind: Literal["note", "start", "done", "failed", "phase"]
    text: str
    learner: str = ""
    repeat: int = -1
    fold: int = -1
    done: int = 0
    total: int = 0
    running: tuple[str, ...] = ()
    seconds_left: float | None = None
