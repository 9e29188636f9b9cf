"""Random numbers that do not depend on threads, blocks or workers.

A learner turns its ``random_state`` into one seed and gives every tree, row or restart its own stream, so the
same seed gives the same result however the work is divided.
"""

from __future__ import annotations

from hornbook.random._rows import mixed_bits, row_bits
from hornbook.random._seed import seed_of
from hornbook.random._stream import Stream

__all__ = ["Stream", "mixed_bits", "row_bits", "seed_of"]
