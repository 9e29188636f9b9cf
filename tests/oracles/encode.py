"""Encoding of a table, column by column and by the book."""

from __future__ import annotations

import numpy as np


def encode(columns, w, scale, max_categories, missing):
    """Names and rows; columns are (name, kind, levels, cells) with None for missing."""
    names, blocks = [], []
    for name, kind, levels, cells in columns:
        gap = np.array([c is None for c in cells])
        if kind == "nominal":
            mass = {level: w[[c == level for c in cells]].sum() for level in levels}
            kept, other = list(levels), []
            if len(levels) > max_categories:  # the rarest share; ties are kept in the order of the levels
                ranked = sorted(levels, key=lambda level: -mass[level])[: max_categories - 1]
                kept, other = [level for level in levels if level in ranked], ["other"]
            mode = max(levels, key=mass.__getitem__)  # the first of the most frequent
            filled = [mode if c is None else c for c in cells]
            names += [f"{name}={level}" for level in kept + other]
            blocks += [[float(c == level) for c in filled] for level in kept]
            blocks += [[float(c not in kept) for c in filled] for _ in other]
        else:
            place = {level: i / max(len(levels) - 1, 1) for i, level in enumerate(levels)}  # i / (k - 1)
            x = np.array([np.nan if c is None else place.get(c, c) for c in cells], dtype=float)
            counted = ~gap & (w > 0)
            known, mean = x[counted], np.average(x[counted], weights=w[counted])
            low, high = known.min(), known.max()
            x[gap] = mean
            if scale == "standard":  # (x - mean) / sqrt(sum w (x - mean)^2 / sum w)
                sd = np.sqrt(np.average((known - mean) ** 2, weights=w[counted]))
                x = (x - mean) / sd if low < high else x * 0.0
            elif scale == "range":  # (x - min) / (max - min)
                x = (x - low) / (high - low) if low < high else x * 0.0
            names.append(name)
            blocks.append(x.tolist())
        if missing == "indicate" and w[gap].sum() > 0:
            names.append(f"{name}=missing")
            blocks.append(gap.astype(float).tolist())
    return tuple(names), np.array(blocks).T
