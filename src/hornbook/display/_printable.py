"""Text that a terminal shows and never obeys."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

__all__ = ["printable"]

# Control characters, lone surrogates, line separators, and format characters such as the marks that turn the
# direction of text around. The joiners are kept: Persian words and many emoji are written with them.
UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
JOINERS = "\u200c\u200d"


def printable(text: str, keep: str = "", escape: Callable[[str], str] | None = None) -> str:
    r"""Write characters that are not printable as escapes, so that a terminal shows them and does nothing.

    Parameters
    ----------
    text : str
        Any text, for instance the name of a column in a file from elsewhere.
    keep : str, default ""
        Characters to leave as they are, for instance newlines in text of several lines.
    escape : function, optional
        Writes one character as an escape; as Python does when left out.

    Examples
    --------
    >>> print(printable("\x1b[2Jage\n"))
    \x1b[2Jage\n
    """
    if text.isprintable():
        return text
    write = _escaped if escape is None else escape
    return "".join(char if char in keep or _is_printable(char) else write(char) for char in text)


def _is_printable(character: str) -> bool:
    if character.isprintable() or character in JOINERS:  # Python counts spaces other than " " as unprintable
        return True
    return unicodedata.category(character) not in UNPRINTABLE


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
