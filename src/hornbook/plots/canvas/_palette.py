"""Colors and markers of classes: as many as people can distinguish, and one for all classes beyond."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["GRAY", "MOST_COLORS", "ClassStyle", "class_styles", "color", "marker"]

# The first eight are Okabe and Ito's palette, which people with any kind of color vision can distinguish. The
# others were added one by one, each as far as possible from all before, from white and from the gray below
# (Glasbey et al. 2007): in CIE L*a*b* any two of the 26 are at least 22 apart, 13 without one kind of cone.
_PALETTE = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442"),
    *("#5A00C3", "#4B005A", "#782D1E", "#A5E178", "#E12DFF", "#004B4B", "#F0B4B4", "#A5874B", "#001EFF"),
    *("#5A4B78", "#0F0078", "#D200B4", "#B40000", "#00E1F0", "#B4C387", "#4B694B", "#4B1E1E", "#780FA5"),
)
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
_FIRST = 8  # colors after which the cycle of markers shifts
GRAY = "#8C8C8C"
MOST_COLORS = len(_PALETTE)


@dataclass(frozen=True)
class ClassStyle:
    """Color and marker of one class, and whether it shares them with others."""

    color: str
    marker: str
    grouped: bool = False


def color(i: int) -> str:
    """Return the color of the i-th item; gray beyond the palette."""
    return _PALETTE[i] if i < MOST_COLORS else GRAY


def marker(i: int) -> str:
    """Return the marker of the i-th class; the cycle shifts so that similar colors differ in shape."""
    # Shifted by one every eight colors: i and i + 8 never share both a similar color and a marker.
    return _MARKERS[(i + i // _FIRST) % len(_MARKERS)]


def class_styles(count: int) -> list[ClassStyle]:
    """Return the style of each of `count` classes: of more than 26, the first 25 have their own."""
    # The last color of a full palette is given up, so that gray can stand for all further classes.
    own = count if count <= MOST_COLORS else MOST_COLORS - 1
    styles = [ClassStyle(_PALETTE[i], marker(i)) for i in range(own)]
    return styles + [ClassStyle(GRAY, ".", grouped=True)] * (count - own)
