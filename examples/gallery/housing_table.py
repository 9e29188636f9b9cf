"""A drawn table of the shape of California housing, which is not bundled."""

from __future__ import annotations

import numpy as np

from hornbook.params import Floats


def housing(n: int, seed: int) -> tuple[Floats, Floats]:
    """Eight numbers about n places and a median value up to 5."""
    draw = np.random.default_rng(seed)
    place = draw.uniform([32.5, -124.3], [42.0, -114.3], (n, 2))
    age, rooms = draw.uniform(1, 52, n), draw.lognormal(1.6, 0.3, n)
    bedrooms, people = rooms * draw.uniform(0.15, 0.3, n), draw.lognormal(7.0, 0.7, n)
    homes, income = people / draw.lognormal(1.1, 0.2, n), draw.lognormal(1.2, 0.45, n)
    coast = np.exp(
        -0.5 * np.abs(place[:, 1] + 119.5 + (place[:, 0] - 36.0))
    )  # the coast runs from north-west
    value = 0.35 * income + 1.6 * coast * np.sqrt(income / 3.3) + 0.004 * age + 0.1 * rooms / 5
    table = np.column_stack([income, age, rooms, bedrooms, people, homes, place])
    return table, np.minimum(value * draw.lognormal(0.0, 0.2, n), 5.0)
