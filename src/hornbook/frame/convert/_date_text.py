"""Days since 1970 as dates."""

from __future__ import annotations

from math import floor

import numpy as np

__all__ = ["date_text"]

SECONDS = 24 * 60 * 60


def date_text(days: float, *, with_time: bool = False) -> str:
    """Write days since 1970 as a date.

    Parameters
    ----------
    days : float
        Days since the first of January 1970, as dates are held in a Frame.
    with_time : bool, default False
        Whether hours and minutes are written too.

    Examples
    --------
    >>> date_text(19782.0), date_text(19782.4375, with_time=True)
    ('2024-02-29', '2024-02-29 10:30')
    """
    if not with_time:
        return str(np.datetime64(floor(days), "D"))
    seconds = np.datetime64(round(days * SECONDS), "s")  # fractions of a day are rarely exact
    return str(seconds.astype("datetime64[m]")).replace("T", " ")
