"""Statistics of randomly permuted samples, draw by draw."""

from __future__ import annotations

from itertools import chain

import numpy as np
from tests.oracles.philox import philox


def integers(seed, index, skip):
    """Endless draws below(bound), from halves of the words after the first `skip`.

    The upper half of draw * bound, unless the lower half is below 2^32 mod bound: those favor some (Lemire).
    """
    words = (int(w) for n in range(skip, skip + 10_000, 100) for w in philox(seed, 0, index, n + 100)[n:])
    halves = chain.from_iterable((word & 0xFFFFFFFF, word >> 32) for word in words)

    def below(bound):
        while (product := next(halves) * bound) & 0xFFFFFFFF < 2**32 % bound:
            pass
        return product >> 32

    return below


def shuffle_sum(values, count, seed, index):
    values, below = list(values), integers(seed, index, 0)
    for i in range(count):  # value i is one of those not drawn yet
        j = i + below(len(values) - i)
        values[i], values[j] = values[j], values[i]
    return sum(values[:count])


def toss_sum(values, count, seed, index):
    n = len(values)
    words = philox(seed, 0, index, 4 * -(-n // 256))  # whole blocks of four words
    heads = np.unpackbits(words.view(np.uint8), bitorder="little")[:n].astype(bool)
    below, wrong = integers(seed, index, len(words)), heads.sum() > count
    while heads.sum() != count:  # random heads (or tails) are turned until their number is right
        i = below(n)
        heads[i] ^= heads[i] == wrong
    return values[heads].sum()


def two_sample_mean(values, n_first, n_permutations, seed):
    n_second = len(values) - n_first
    count = min(n_first, n_second)
    draw = shuffle_sum if 4 * count < len(values) else toss_sum
    drawn = np.array([draw(values, count, seed, i) for i in range(n_permutations)])
    first = drawn if n_first <= n_second else values.sum() - drawn
    return first / n_first - (values.sum() - first) / n_second


def dot(x, y, n_permutations, seed):
    out = []
    for index in range(n_permutations):
        z, below = list(y), integers(seed, index, 0)
        for i in range(len(z) - 1, 0, -1):
            j = below(i + 1)
            z[i], z[j] = z[j], z[i]
        out.append(np.dot(x, z))
    return np.array(out)
