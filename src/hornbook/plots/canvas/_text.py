"""Names in plots: readable, distinct when shortened, and in a font that has their letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["cut", "inches", "lettered", "name_text", "shortened", "unmarked", "wrapped"]

_WIDE = 1.0  # width of a letter of Chinese, Japanese or Korean in font sizes, and
_NARROW = 0.63  # of others, a little above the mean


def name_text(name: object) -> str:
    """Return a name for display: characters that are unprintable or missing in all fonts become escapes."""
    text = str(name)
    if text.isascii() and text.isprintable():
        return text or "''"
    lost = _without_font(text)
    return "".join(_code(letter) if letter in lost or not letter.isprintable() else letter for letter in text)


def _code(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii") if letter != " " else letter


def cut(name: str, longest: int) -> str:
    """Leave out the middle of a long name, so that names with the same beginning stay distinct."""
    end = (longest - 1) // 2
    return name if len(name) <= longest else f"{name[: longest - 1 - end]}…{name[len(name) - end :]}"


def shortened(names: Sequence[object], longest: int) -> list[str]:
    """Return names cut to this length, or longer where needed to keep different names distinct."""
    texts = [name_text(name) for name in names]
    different = len(set(texts))
    shown = [cut(text, longest) for text in texts]
    while len(set(shown)) < different:
        longest += 4
        shown = [cut(text, longest) for text in texts]
    return shown


def wrapped(name: str, width: int) -> str:
    """Wrap a name into lines of at most this many letters, at spaces and punctuation where possible."""
    lines, rest = [], name
    while len(rest) > width:
        head = rest[: width + 1]
        # After the last character in reach that is no letter or digit.
        place = max((i + 1 for i, letter in enumerate(head[:-1]) if not letter.isalnum()), default=0)
        # A break in the first half would leave a short line and push the rest on.
        place = place if place > width // 2 else width
        lines.append(rest[:place].rstrip())
        rest = rest[place:].lstrip()
    return "\n".join([*lines, rest] if rest else lines)


def inches(text: str, size: float) -> float:
    """Return the width of the longest line of a text in this font size, estimated without drawing it."""
    return max(map(_units, text.split("\n"))) * size / 72


def _units(line: str) -> float:
    # Wide and full-width characters take about twice the room of Latin ones.
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
    return wide * _WIDE + (len(line) - wide) * _NARROW


def lettered(ax: Axes) -> Axes:
    """Give every text of a plot fonts that have its letters, and print dollar signs literally.

    Letters that no installed font has are escaped, so that nothing is drawn as an empty box.

    Parameters
    ----------
    ax : matplotlib Axes
        The finished plot.

    Returns
    -------
    Axes
        The same Axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> _ = ax.set_title("cost in $")
    >>> lettered(ax).title.get_parse_math()
    False
    """
    from matplotlib.text import Text  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it
    from matplotlib.ticker import FixedFormatter  # noqa: PLC0415  as above

    for place in [ax, *ax.child_axes]:
        for axis in (place.xaxis, place.yaxis):
            form = axis.get_major_formatter()
            if isinstance(form, FixedFormatter):
                form.seq = [_spelled(text) for text in form.seq]
    for text in ax.findobj(Text):
        assert isinstance(text, Text)
        _letter(text)
    return ax


def unmarked(texts: Iterable[Text]) -> None:
    """Give texts fonts that have their letters, and print dollar signs literally."""
    for text in texts:
        _letter(text)


def _letter(text: Text) -> None:
    words = text.get_text()
    if "$" in words:
        # A dollar sign would start a formula.
        text.set_parse_math(False)
    if words.isascii() and words.replace("\n", "").isprintable():
        return
    text.set_text(_spelled(words))
    fonts = [name for letter in set(words) if (name := _fallback(letter))]
    if fonts:
        text.set_fontfamily([*_family(), *sorted(set(fonts))])


def _spelled(words: str) -> str:
    return "\n".join(name_text(line) if line else "" for line in words.split("\n"))


def _without_font(text: str) -> set[str]:
    from matplotlib import rcParams  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    if rcParams["svg.fonttype"] == "none":  # the browser has fonts for many scripts
        return set()
    return {letter for letter in set(text) if letter.isprintable() and _fallback(letter) is None}


def _family() -> list[str]:
    from matplotlib import rcParams  # noqa: PLC0415  as above

    return list(rcParams["font.family"])


@lru_cache(maxsize=4096)
def _fallback(letter: str) -> str | None:
    """Return the name of a font that has a letter: "" if the default font has it, None if no font does."""
    from matplotlib import font_manager  # noqa: PLC0415  as above

    if letter.isascii():
        return ""
    usual = font_manager.findfont(font_manager.FontProperties())
    if ord(letter) in _letters(usual):
        return ""
    fonts = font_manager.fontManager.ttflist
    # "Last Resort" claims every character and draws a box for it.
    plain = [font for font in fonts if font.style == "normal" and not font.name.startswith("Last Resort")]
    return next((font.name for font in plain if ord(letter) in _letters(font.fname)), None)


@lru_cache(maxsize=1024)
def _letters(path: str) -> frozenset[int]:
    from matplotlib import font_manager  # noqa: PLC0415  as above

    try:
        return frozenset(font_manager.get_font(path).get_charmap())
    except (OSError, RuntimeError):  # a broken font file has no letters
        return frozenset()
