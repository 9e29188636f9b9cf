"""Every table under one name, for the program and for interactive use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hornbook.datasets._boolean import boolean
from hornbook.datasets._generators import double_moon, gaussians, noisy_trend, two_samples
from hornbook.datasets._iris import iris
from hornbook.datasets._play_tennis import play_tennis
from hornbook.datasets._points import boosting_points, butterfly, margin_points
from hornbook.datasets._uci import glass, spam
from hornbook.datasets._watermelon import watermelon
from hornbook.frame import STANDARD_INPUT, Frame
from hornbook.params import suggest

__all__ = ["is_name", "load", "names"]

# Functions, not tables: nothing is read or drawn before a table is asked for.
_TABLES: dict[str, tuple[Callable[[], Frame], str]] = {
    "boolean-and": (partial(boolean, "and"), "4 corners of a square: both numbers are 1"),
    "boolean-or": (partial(boolean, "or"), "4 corners of a square: at least one number is 1"),
    "boolean-xor": (boolean, "4 corners of a square: just one number is 1"),
    "boosting-points": (boosting_points, "10 points that three boosted stumps classify"),
    "butterfly": (butterfly, "15 points in two wings, one between them, without target"),
    "double-moon": (partial(double_moon, random_state=0), "1000 points in two half rings, seed 0"),
    "gaussians-eight": (
        partial(gaussians, "eight", random_state=0),
        "400 points around eight centers of two classes, seed 0",
    ),
    "gaussians-twenty": (
        partial(gaussians, "twenty", random_state=0),
        "200 points of two classes in 20 columns, seed 0",
    ),
    "glass": (glass, "214 pieces of glass: refraction, eight oxides and the type, UCI"),
    "iris": (iris, "150 irises: four lengths and the species, UCI file"),
    "iris-fisher": (
        partial(iris, "fisher"),
        "150 irises as Fisher printed them; two flowers differ from UCI",
    ),
    "iris-plane": (partial(iris, view="plane"), "150 irises: sepal length and width only"),
    "iris-components": (
        partial(iris, view="components"),
        "150 irises on their first two principal components",
    ),
    "iris-discretized": (
        partial(iris, view="discretized"),
        "150 irises: sepal length and width in named bins",
    ),
    "margin-ellipse": (partial(margin_points, "ellipse"), "6 support vectors of an elliptic boundary"),
    "margin-overlapping": (
        partial(margin_points, "overlapping"),
        "18 points of two classes that no line separates",
    ),
    "margin-separable": (margin_points, "14 points of two classes with a wide margin between"),
    "noisy-trend": (partial(noisy_trend, random_state=0), "100 pairs that hardly rise together, seed 0"),
    "play-tennis": (play_tennis, "14 days of weather and whether there was tennis, as in the notes"),
    "play-tennis-mitchell": (
        partial(play_tennis, "mitchell"),
        "14 days as Mitchell printed them: wind of D7, D10",
    ),
    "spam": (spam, "4601 emails: frequencies of words and characters, spam or not, UCI"),
    "two-samples": (
        partial(two_samples, random_state=0),
        "40 values of two samples, means 0.1 apart, seed 0",
    ),
    "watermelon-1.0": (partial(watermelon, "1.0"), "4 watermelons: three nominal features and ripeness"),
    "watermelon-2.0": (partial(watermelon, "2.0"), "17 watermelons: six nominal features and ripeness"),
    "watermelon-2.0a": (partial(watermelon, "2.0a"), "17 watermelons: 2.0 with 13 cells missing"),
    "watermelon-3.0": (partial(watermelon, "3.0"), "17 watermelons: 2.0 with density and sugar"),
    "watermelon-3.0a": (partial(watermelon, "3.0a"), "17 watermelons: density, sugar and ripeness"),
    "watermelon-4.0": (partial(watermelon, "4.0"), "30 watermelons: density and sugar without target"),
}


def load(name: str) -> Frame:
    """Make a table by its name.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Frame
        The table, the same as from the function that makes it.

    Examples
    --------
    >>> load("watermelon-4.0").shape
    (30, 3)
    """
    if name not in _TABLES:
        listed = ", ".join(f"'{known}'" for known in _TABLES)
        raise ValueError(f"There is no table '{name}'; the names are {listed}.{suggest(str(name), _TABLES)}")
    make, _ = _TABLES[name]
    return make()


def is_name(data: str) -> bool:
    """Tell whether a text that stands for data is the name of a table, and neither a file nor a pipe.

    A folder of that name, such as that of an earlier study, holds no table and does not count.

    Parameters
    ----------
    data : str
        As a user writes it; a file wins over a table of that name.

    Examples
    --------
    >>> is_name("iris"), is_name("-")
    (True, False)
    """
    # A file of the same name comes first: the user sees it in the folder.
    return data in _TABLES and data != STANDARD_INPUT and (Path(data).is_dir() or not Path(data).exists())


def names() -> dict[str, str]:
    """List the bundled tables.

    Returns
    -------
    dict of str to str
        For each name that `load` takes, one line about the table.

    Examples
    --------
    >>> names()["watermelon-4.0"]
    '30 watermelons: density and sugar without target'
    """
    return {name: line for name, (_, line) in _TABLES.items()}
