"""Progress events of a running study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Event"]


@dataclass(frozen=True)
class Event:
    """One event of a running study.

    Parameters
    ----------
    kind : {"note", "start", "done", "failed", "phase"}
        A decision; a fold that started, finished or failed; a new phase of the work.
    text : str
        The text to show.
    learner : str, default ""
        The learner concerned.
    repeat, fold : int, default -1
        Which fold.
    done, total : int, default 0
        Finished folds of all learners, and the total.
    running : tuple of str, default ()
        Learners that are being fitted now.
    seconds_left : float, optional
        Estimated time for the remaining folds.
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
