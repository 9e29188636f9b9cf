"""Two tables of the UCI Machine Learning Repository."""

from __future__ import annotations

from hornbook.datasets._table import table
from hornbook.frame import Frame

__all__ = ["glass", "spam"]


def spam() -> Frame:
    """Make the table of 4601 emails, 1813 of them spam: Spambase.

    For each email how often 48 words and 6 characters occur, in percent of all, and the average, longest and
    total length of runs of capital letters; "num650" is the word 650, "charDollar" the character $.

    Origin: M. Hopkins, E. Reeber, G. Forman and J. Suermondt (1999), Spambase, UCI Machine Learning
    Repository, https://doi.org/10.24432/C53G6X, license CC BY 4.0. The rows are unchanged; the columns have
    the short names that statistics software gives them, and the classes are spelled out.

    Returns
    -------
    Frame
        57 numbers and the target ``type``: "spam" or "nonspam".

    Examples
    --------
    >>> emails = spam()
    >>> emails.shape, int((emails.y == "spam").sum())
    ((4601, 58), 1813)
    """
    return Frame(table("spam"), target="type")


def glass() -> Frame:
    """Make the table of 214 pieces of glass: Glass Identification.

    The refractive index ``RI`` and the percentage of eight elements as oxides: ``Na``, ``Mg``, ``Al``,
    ``Si``, ``K``, ``Ca``, ``Ba``, ``Fe``.

    Origin: B. German (1987), Glass Identification, UCI Machine Learning Repository,
    https://doi.org/10.24432/C5WW2P, license CC BY 4.0. The rows are unchanged; the column of row numbers is
    left out.

    Returns
    -------
    Frame
        9 numbers and the target ``Type``: "1" and "2" are windows of buildings, float processed and not, "3"
        windows of vehicles (float processed; "4", not float processed, does not occur), "5" containers, "6"
        tableware, "7" headlamps.

    Examples
    --------
    >>> pieces = glass()
    >>> pieces.schema.columns[-1].levels
    ('1', '2', '3', '5', '6', '7')
    """
    return Frame(table("glass", text=("Type",)), target="Type")
