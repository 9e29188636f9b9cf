"""Bundled and randomly generated tables, each as a Frame whose target and id columns are set.

A function makes each table in all its versions; `load` makes one by name, and `names` lists them all with one
line each. Nothing is read from disk before a table is requested. Random tables take a seed.
"""

from __future__ import annotations

from hornbook.datasets._boolean import boolean
from hornbook.datasets._generators import double_moon, gaussians, noisy_trend, two_samples
from hornbook.datasets._iris import iris
from hornbook.datasets._load import is_name as is_name
from hornbook.datasets._load import load, names
from hornbook.datasets._play_tennis import play_tennis
from hornbook.datasets._points import boosting_points, butterfly, margin_points
from hornbook.datasets._uci import glass, spam
from hornbook.datasets._watermelon import watermelon

__all__ = [
    "boolean",
    "boosting_points",
    "butterfly",
    "double_moon",
    "gaussians",
    "glass",
    "iris",
    "load",
    "margin_points",
    "names",
    "noisy_trend",
    "play_tennis",
    "spam",
    "two_samples",
    "watermelon",
]
