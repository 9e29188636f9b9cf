"""Every table under one name, for the program and for people who type names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hornbook.datasets._iris import iris
from hornbook.datasets._play_tennis import play_tennis
from hornbook.datasets._watermelon import watermelon
from hornbook.frame import Frame
from hornbook.params import suggest

__all__ = ["load", "names"]

_TABLES: dict[str, tuple[Callable[[], Frame], str]] = {
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
    "iris-discretised": (
        partial(iris, view="discretised"),
        "150 irises: sepal length and width in named bins",
    ),
    "play-tennis": (play_tennis, "14 days of weather and whether there was tennis, as in the notes"),
    "play-tennis-mitchell": (
        partial(play_tennis, "mitchell"),
        "14 days as Mitchell printed them: wind of D7, D10",
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
        listed = ", ".join(f"'{each}'" for each in _TABLES)
        raise ValueError(f"There is no table '{name}'; the names are {listed}.{suggest(str(name), _TABLES)}")
    make, _ = _TABLES[name]
    return make()


def names() -> dict[str, str]:
    """List the tables that come with the library.

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
