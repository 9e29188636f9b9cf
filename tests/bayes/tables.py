"""Tables on which Bayes classifiers are tested."""

from __future__ import annotations

import numpy as np
import pandas as pd

from hornbook import Frame


def coded(seed, n=40, missing=0.0, n_classes=3):
    """Codes of three columns with all their levels, classes, weights, numbers of levels, and a Frame."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(2, 4, 3)
    y = draw.integers(0, n_classes, n)
    codes = (draw.integers(0, sizes, (n, 3)) + y[:, None] * (draw.random((n, 3)) < 0.5)) % sizes
    codes[:, 2] = np.where(draw.random(n) < 0.6, codes[:, 1] % sizes[2], codes[:, 2])
    codes[draw.random(codes.shape) < missing] = -1
    codes[:4] = np.minimum(np.arange(4)[:, None], sizes - 1)
    y[:n_classes] = np.arange(n_classes)
    w = draw.integers(1, 4, n).astype(float)
    return codes, y, w, sizes, frame_of(codes)


def frame_of(codes):
    cells = np.where(codes < 0, np.nan, codes.astype(float))
    return Frame(cells, kinds=dict.fromkeys(range(codes.shape[1]), "nominal"))


def mixed(n=120, seed=0, gaps=True):
    """Two numbers and two categories, some of them missing."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 3, n)
    X = pd.DataFrame(
        {
            "size": draw.normal(y, 1.0),
            "color": np.array(["dark", "green", "light"])[(y + (draw.random(n) < 0.4)) % 3],
            "mass": draw.normal(-y, 2.0),
            "shape": np.array(["long", "round"])[(draw.random(n) < 0.3 + y / 5).astype(int)],
        }
    )
    X["mass"] += 3 * (X["shape"] == "long")
    if gaps:
        X.loc[draw.choice(n, n // 8, replace=False), "mass"] = np.nan
        X.loc[draw.choice(n, n // 8, replace=False), "color"] = None
    return X, y
