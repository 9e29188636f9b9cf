"""Bundled and randomly generated tables, each as a Frame whose target and id columns are set.

A function makes each table in all its versions; `load` makes one by name, and `names` lists them all with one
line each. Nothing is read from disk before a table is requested. Random tables take a seed.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "boolean": "_boolean",
    "boosting_points": "_points",
    "butterfly": "_points",
    "double_moon": "_generators",
    "gaussians": "_generators",
    "glass": "_uci",
    "iris": "_iris",
    "load": "_load",
    "margin_points": "_points",
    "names": "_load",
    "noisy_trend": "_generators",
    "play_tennis": "_play_tennis",
    "spam": "_uci",
    "two_samples": "_generators",
    "watermelon": "_watermelon",
}

# Lent to other packages, not for users.
LENT = {
    "is_name": "_load",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)
