"""Iterations that can be watched: callbacks, history, early stops."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sklearn.callback import CallbackContext

__all__ = ["Model", "Watch"]

# Gives the attributes that a learner still lacks as a usable model; called when one is wanted.
Model: TypeAlias = Callable[[], dict[str, Any]]


@dataclass
class Watch:
    """The callbacks' view of one fit.

    Parameters
    ----------
    learner : Learner
        The learner being fitted.
    X, y : object
        What the user passed to fit; callbacks score on it.
    """

    learner: Any
    X: Any
    y: Any
    history: dict[str, list[float]] = field(default_factory=dict)
    open: list[CallbackContext] = field(default_factory=list)
    live: bool = True  # False once the fit failed: callbacks hear no more of it

    def begin(self, max_subtasks: int | None) -> None:
        """Open the context of the whole fit, unless an iteration did already."""
        if not self.open:
            # The name has an underscore, yet it is scikit-learn's documented way in.
            root = self.learner._init_callback_context(max_subtasks=max_subtasks)  # noqa: SLF001
            self.open.append(root)
            root.call_on_fit_task_begin(estimator=self.learner, X=self.X, y=self.y)

    def end(self) -> None:
        """Close the context of the whole fit."""
        self.begin(max_subtasks=0)
        self._close(dict)

    def _close(self, model: Model) -> bool:
        # What is on the learner at this moment and what `model` adds is a usable model.
        stop: bool = self.open.pop().call_on_fit_task_end(
            estimator=self.learner, X=self.X, y=self.y, reconstruction_attributes=model
        )
        return stop

    def iterate(self, n: int, name: str, inner: int, model: Model, runs: int = 1) -> Iterator[int]:
        """Count to n; each count is a task of the callbacks, and any of them may end it."""
        self.begin(max_subtasks=n * runs)
        outer = self.open[-1]
        for i in range(n):
            self.open.append(outer.subcontext(task_name=name, max_subtasks=inner))
            self.open[-1].call_on_fit_task_begin(estimator=self.learner, X=self.X, y=self.y)
            try:
                yield i
            except GeneratorExit:  # the learner left its loop: it converged, or it failed
                if self.live:
                    self._close(model)
                raise
            stop = self._close(model)
            if getattr(self.learner, "verbose", 0):
                self._say(name, i)
            if stop:
                return

    def record(self, numbers: dict[str, float]) -> None:
        """Add one value to each named series of the history."""
        for key, value in numbers.items():
            self.history.setdefault(key, []).append(float(value))

    def _say(self, name: str, i: int) -> None:
        last = ", ".join(f"{key} {values[-1]:.6g}" for key, values in self.history.items())
        print(f"{type(self.learner).__name__}: {name} {i + 1} {last}".rstrip(), file=sys.stderr)  # noqa: T201
