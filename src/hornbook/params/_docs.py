"""Sentences that docstrings share, so that the same parameter reads the same everywhere."""

from __future__ import annotations

__all__ = ["SHARED_DOCS"]

SHARED_DOCS: dict[str, str] = {
    "n_jobs": "Threads; all available when left out. The result does not depend on it.",
    "random_state": "Seed of the draws; a fresh one each time when left out.",
    "sample_weight": "Weights of the rows; every row counts once when left out.",
}
