"""Random draws that do not depend on threads, blocks or workers.

A learner turns its ``random_state`` into one seed and gives every tree, row or restart a stream of its own,
so the same seed gives the same result whoever computes which part.
"""

from __future__ import annotations

from hornbook.random._rows import mixed_bits, row_bits
from hornbook.random._seed import seed_of
from hornbook.random._stream import Stream

__all__ = ["Stream", "mixed_bits", "row_bits", "seed_of"]
