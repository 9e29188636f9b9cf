"""Text that a terminal displays without interpreting control characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

__all__ = ["printable"]

# Control characters, lone surrogates, line separators, and format characters such as bidirectional overrides.
# The joiners are kept: Persian words and many emoji are written with them.
UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
JOINERS = "\u200c\u200d"


def printable(text: str, keep: str = "", escape: Callable[[str], str] | None = None) -> str:
    r"""Replace unprintable characters by escapes, so that a terminal displays them without acting on them.

    Parameters
    ----------
    text : str
        Any text, for instance a column name from an untrusted file.
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
