"""The watermelons, and whether they are ripe."""

from __future__ import annotations

from typing import Literal

from hornbook.datasets._table import choose, table
from hornbook.frame import Frame

__all__ = ["watermelon"]

# version: the file it is in, and the columns of that file which it leaves out
_VERSIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "1.0": ("watermelon-1.0", ()),
    "2.0": ("watermelon-3.0", ("density", "sugar")),
    "3.0": ("watermelon-3.0", ()),
    "2.0a": ("watermelon-2.0a", ()),
    "3.0a": ("watermelon-3.0", ("color", "root", "sound", "texture", "umbilicus", "surface")),
    "4.0": ("watermelon-4.0", ()),
}


def watermelon(version: Literal["1.0", "2.0", "3.0", "2.0a", "3.0a", "4.0"] = "3.0") -> Frame:
    """Make a table of watermelons, by looks, sound, density and sugar.

    The target is ``ripe`` (true or false) and ``ID`` is an id, not a feature; version 4.0 has no target. The
    tables are those of the notes, which follow Zhou Zhihua's textbook *Machine Learning* (2016; in English
    2021). They were made up for teaching; no license is attached to them.

    Parameters
    ----------
    version : {"1.0", "2.0", "3.0", "2.0a", "3.0a", "4.0"}, default "3.0"
        - "1.0": four melons with color, root and sound;
        - "2.0": 17 melons (8 ripe) with six nominal features;
        - "3.0": 2.0 with density and sugar;
        - "2.0a": 2.0 with 13 cells missing;
        - "3.0a": 3.0 with density and sugar only;
        - "4.0": density and sugar of 30 melons without target; the first 17 are those of 3.0a.

    Returns
    -------
    Frame
        The table.

    Examples
    --------
    >>> melons = watermelon("3.0a")
    >>> melons.features.schema.names
    ('density', 'sugar')
    >>> int(melons.y.sum()), len(melons)
    (8, 17)
    """
    choose("watermelon", "version", version, _VERSIONS)
    name, left_out = _VERSIONS[version]
    data = table(name).drop(left_out)
    return Frame(data, target="ripe" if "ripe" in data.columns else None, id="ID")
