"""Fourteen days, and whether there was tennis."""

from __future__ import annotations

from typing import Literal

from hornbook.datasets._table import choose, table
from hornbook.frame import Frame

__all__ = ["play_tennis"]


def play_tennis(version: Literal["notes", "mitchell"] = "notes") -> Frame:
    """Make the table of 14 days with outlook, temperature, humidity and wind.

    The target is ``play`` (Yes on 9 days, No on 5) and ``Day`` is an id, not a feature. The table is that of
    Mitchell's textbook *Machine Learning* (1997), after Quinlan (1986). It was made up for teaching; no
    license is attached to it.

    Parameters
    ----------
    version : {"notes", "mitchell"}, default "notes"
        - "notes": as printed in the notes, with weak wind on D7 and strong wind on D10;
        - "mitchell": the original, with strong wind on D7 and weak wind on D10. Only in this one do
          outlook, humidity and wind decide every day.

    Returns
    -------
    Frame
        The table.

    Examples
    --------
    >>> days = play_tennis("mitchell")
    >>> days.features.schema.names
    ('outlook', 'temperature', 'humidity', 'wind')
    >>> str(days["wind"][6]), str(play_tennis("notes")["wind"][6])
    ('Strong', 'Weak')
    """
    choose("play_tennis", "version", version, ("notes", "mitchell"))
    return Frame(table(f"play-tennis-{version}"), target="play", id="Day")
