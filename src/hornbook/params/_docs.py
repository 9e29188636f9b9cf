"""Sentences that docstrings share, so that the same parameter reads the same everywhere."""

from __future__ import annotations

__all__ = ["SHARED_DOCS"]

SHARED_DOCS: dict[str, str] = {
    "n_jobs": "Threads; all available when left out. The result does not depend on it.",
    "random_state": "Seed of all random draws; the same integer gives the same result, and every fit differs "
    "when left out.",
    "sample_weight": "Weight of each row, where 2 counts a row twice and 0 leaves it out; 1 when left out.",
}
