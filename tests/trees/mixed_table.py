"""A table with columns of every kind."""

from __future__ import annotations

import numpy as np
import pandas as pd


def mixed(n=160, *, gaps=True):
    """Numbers, ordered and unordered categories; a target that needs several of them."""
    draw = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "size": draw.normal(size=n),
            "weight": draw.normal(size=n).round(1),
            "city": pd.Categorical(draw.choice(list("abcdef"), n), categories=list("abcdefg")),
            "grade": pd.Categorical(
                draw.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True
            ),
        }
    )
    score = table["size"] * (table["city"].isin(["a", "c"])) + table["weight"] + draw.normal(size=n) / 2
    if gaps:
        table.loc[::7, "size"] = np.nan
        table.loc[::11, "city"] = None
        table.loc[::13, "grade"] = None
    return table, score.to_numpy()
