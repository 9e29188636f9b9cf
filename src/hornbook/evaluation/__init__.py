"""How good is a learner, and is it better than another: splits, measures, curves, intervals, tests, the verdict.

Nothing here imports a learner: learners are cloned, fitted and asked by their public methods.
"""

from __future__ import annotations

__all__: list[str] = []
