"""Philox4x64-10, after Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011)."""

from __future__ import annotations

import numpy as np

MULTIPLIERS = np.array([0xD2E7470EE14C6C93, 0xCA5A826395121157], dtype=np.uint64)
WEYL = np.array([0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], dtype=np.uint64)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


def high_word(a, b):
    """Upper 64 bits of the 128-bit product a b, by schoolbook multiplication of 32-bit halves."""
    a1, a0, b1, b0 = a >> HALF, a & LOW, b >> HALF, b & LOW
    middle = a1 * b0 + (a0 * b0 >> HALF)
    return a1 * b1 + (middle >> HALF) + ((a0 * b1 + (middle & LOW)) >> HALF)


def philox(seed, stream, index, n):
    """Return n words of key (seed, stream): four from each counter (block, index, 0, 0), block = 0, 1, ..."""
    blocks = np.arange(-(-n // 4), dtype=np.uint64)
    zero = np.zeros_like(blocks)
    c0, c1, c2, c3 = blocks, zero + np.uint64(index), zero, zero
    key = np.array([seed, stream], dtype=np.uint64)
    for _ in range(10):
        # (c0, c1, c2, c3) <- (high(M1 c2) ^ c1 ^ k0, low(M1 c2), high(M0 c0) ^ c3 ^ k1, low(M0 c0))
        c0, c1, c2, c3 = (
            high_word(MULTIPLIERS[1], c2) ^ c1 ^ key[0],
            MULTIPLIERS[1] * c2,
            high_word(MULTIPLIERS[0], c0) ^ c3 ^ key[1],
            MULTIPLIERS[0] * c0,
        )
        key = key + WEYL  # modulo 2^64
    return np.stack([c0, c1, c2, c3], axis=1).ravel()[:n]
