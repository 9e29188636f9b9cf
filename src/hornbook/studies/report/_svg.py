"""Figures as small SVG: text stays text, coordinates are short, colors can follow the page."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from textwrap import fill
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np

from hornbook.plots import MOST_COLORS, color

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["drawing", "page_colors", "readable", "svg_of"]

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_HREF = f"{{{XLINK}}}href"
_POINTS_OF_A_REM = 12.0
_COMPACT = 4.9  # inches: with text of 9.5 points legible on a page of 390 pixels
_LEGEND, _LEGEND_LINE = 8.5, 0.19  # points, and inches of a line
_LABEL = 40  # letters of a line under a plot
_LETTERS, _HANDLE = 66, 8  # letters of a line of a legend, and what its handle takes of them
_NARROWEST = 0.72  # of its natural width: a figure that has less room scrolls
_WIDEST = 1.2
_DOTS_PER_INCH = 150.0  # of rasterized parts
HEAVY = 6_000  # points of a figure above which it is rasterized
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text as text: small, searchable, in the reader's own font
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "path.simplify_threshold": 0.3,
    "font.size": 9.5,
    "axes.edgecolor": "#8c8c8c",
    "xtick.color": "#8c8c8c",
    "ytick.color": "#8c8c8c",
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "legend.fontsize": 8.5,
    "axes.titlesize": 10,
}
# Colors of figures, and their names in the style sheet of the page, which has a light and a dark scheme.
_NAMES = {
    "#0072b2": "var(--c0)",
    "#e69f00": "var(--c1)",
    "#009e73": "var(--c2)",
    "#d55e00": "var(--c3)",
    "#cc79a7": "var(--c4)",
    "#56b4e9": "var(--c5)",
    "#000000": "currentColor",
    "#f0e442": "var(--c7)",
    "#8c8c8c": "var(--gray)",
    "#ffffff": "var(--paper)",
    "black": "currentColor",
}
_FIRST = 8  # colors of the palette, which are in the table above
_LINES = "stroke-linejoin: round; stroke-linecap: butt"
_COLOR = re.compile(r"(?:(?<=: )|^)(#[0-9a-f]{6}|black)(?=;|$)")
_FONT = re.compile(r" ?font-family: [^;]*;?")
_LONG = re.compile(r"(\.\d\d)\d+")
_BLANKS = re.compile(r"\s+")
_REFERENCE = re.compile(r"(?<=url\(#)")
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

for _prefix, _space in (("", SVG), ("xlink", XLINK)):
    ET.register_namespace(_prefix, _space)


def readable(text: str) -> str:
    """Replace what neither XML nor HTML may contain, such as control characters in a name."""
    return _UNREADABLE.sub("\ufffd", text)


@contextmanager
def drawing() -> Iterator[None]:
    """Apply the style of reports to the figures that are created inside."""
    from matplotlib import rc_context  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    with rc_context(_STYLE), warnings.catch_warnings():
        # The reader's browser has fonts for scripts that matplotlib's own font lacks.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


def svg_of(ax: Axes, name: str, *, compact: bool = False) -> str:
    """Return the figure as deterministic SVG text; must be called inside `drawing`.

    Parameters
    ----------
    ax : matplotlib Axes
        Where it was drawn.
    name : str
        Its name.
    compact : bool, default False
        Whether the figure is made as narrow as a page, with its legend below: its text stays legible where
        pages are narrow.
    """
    from matplotlib import rc_context  # noqa: PLC0415  as above
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415  as above

    figure = ax.get_figure(root=True)
    assert figure is not None
    if compact:
        _make_compact(figure)
    _rasterize(figure)
    figure.set_dpi(_DOTS_PER_INCH)
    out = io.StringIO()
    # Without a salt, matplotlib draws ids at random, and two reports of one study would differ.
    with rc_context({"svg.hashsalt": name}):
        # savefig would draw everything twice, the first time only for the layout.
        canvas: Any = FigureCanvasSVG(figure)  # the method is untyped
        canvas.print_svg(out, metadata={"Date": None, "Creator": None})
    root = ET.fromstring(readable(out.getvalue()))  # noqa: S314  matplotlib has just written it
    _tidy(root, name)
    return ET.tostring(root, encoding="unicode")


def _make_compact(figure: Figure) -> None:
    """Move legends from the right of the plot to below it, and make the figure narrow."""
    width, height = figure.get_size_inches()
    for axes in figure.axes:
        if axes.get_subplotspec() is not None and len(figure.axes) == 1:
            axes.set_xlabel(fill(axes.get_xlabel(), _LABEL))
        old = axes.get_legend()
        if old is None:
            continue
        texts = [text.get_text().replace("\n", " ") for text in old.get_texts()]
        longest = max(map(len, texts), default=1)
        columns = max(1, min(len(texts), _LETTERS // (longest + _HANDLE)))
        handles = [handle for handle in old.legend_handles if handle is not None]
        old.remove()
        below = figure.legend(
            handles, texts, loc="outside lower left", ncols=columns, frameon=False, fontsize=_LEGEND
        )
        for text in below.get_texts():
            text.set_parse_math(False)
        height += _LEGEND_LINE * -(-len(texts) // columns)
    if len(figure.axes) == 1 and figure.axes[0].get_aspect() == 1.0:
        height = min(height, _COMPACT)  # a square that is as wide as the figure needs no more
    engine: Any = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0.0, 0.0, 1.0, 1.0))  # the room for a legend on the right is not needed any more
    figure.set_size_inches(min(width, _COMPACT), height)


def _rasterize(figure: Figure) -> None:
    """Rasterize the dots and areas of a crowded figure; text, axes and plain lines stay vector graphics."""
    weights = {artist: _points(artist) for artist in figure.findobj()}
    if sum(weights.values()) > HEAVY:
        for artist, weight in weights.items():
            if weight > HEAVY // 20:
                artist.set_rasterized(True)


def _points(artist: Artist) -> int:
    """Return how many points are written one by one; a plain line is simplified instead."""
    from matplotlib.collections import Collection  # noqa: PLC0415  as above
    from matplotlib.lines import Line2D  # noqa: PLC0415

    if isinstance(artist, Line2D):
        return 0 if artist.get_marker() in {"None", "", " ", None} else len(np.asarray(artist.get_xdata()))
    if isinstance(artist, Collection):
        return len(np.asarray(artist.get_offsets())) + sum(
            len(np.asarray(path.vertices)) for path in artist.get_paths()
        )
    return 0


def _tidy(root: ET.Element, name: str) -> None:
    """Drop what is invisible, shorten numbers, and make ids unique within any page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in {f"{{{SVG}}}metadata", f"{{{SVG}}}style"}:
                parent.remove(child)
    root.attrib.pop("version", None)
    root.set("style", f"{_LINES}; font-family: 'DejaVu Sans', Verdana, sans-serif")
    for element in root.iter():
        element.tail = None
        if element.tag not in {f"{{{SVG}}}text", f"{{{SVG}}}tspan"}:
            element.text = None
        if element.tag == f"{{{SVG}}}g":
            element.attrib.pop("id", None)
        _rename(element.attrib, name)
        if element is not root:
            _shorten(element.attrib)


def _rename(attributes: dict[str, str], name: str) -> None:
    """Prefix ids, and references to them, with the name of the figure."""
    if "id" in attributes:
        attributes["id"] = f"{name}-{attributes['id']}"
    if attributes.get(_HREF, "").startswith("#"):
        attributes[_HREF] = f"#{name}-{attributes[_HREF][1:]}"
    if "clip-path" in attributes:
        attributes["clip-path"] = _REFERENCE.sub(f"{name}-", attributes["clip-path"])


def _shorten(attributes: dict[str, str]) -> None:
    for place in ("d", "x", "y", "transform", "width", "height"):
        if place in attributes:
            attributes[place] = _LONG.sub(r"\1", _BLANKS.sub(" ", attributes[place]).strip())
    if attributes.get("transform", "").startswith("rotate(-0 "):
        del attributes["transform"]
    if "style" in attributes:
        attributes["style"] = _FONT.sub("", attributes["style"])


@cache
def _shades() -> dict[str, str]:
    """Return the names of all colors of figures in the style sheet of the page."""
    palette = [color(i).lower() for i in range(MOST_COLORS)]
    return _NAMES | {shade: f"var(--c{i})" for i, shade in enumerate(palette) if i >= _FIRST}


def _page_color(shade: str) -> str:
    return _shades().get(shade, shade)


def page_colors(svg: str, title: str) -> str:
    """Return the figure for a page: with a title, and colors from the style sheet.

    Parameters
    ----------
    svg : str
        The figure.
    title : str
        What it shows, also for screen readers.
    """
    root = ET.fromstring(svg)  # noqa: S314  it is our own figure
    for place in ("width", "height"):
        root.attrib.pop(place, None)
    wide = float(root.get("viewBox", "0 0 480 0").split()[2]) / _POINTS_OF_A_REM
    # Without a font: text in the font of the page, everywhere of the same size.
    root.set("style", f"{_LINES}; max-width: {_WIDEST * wide:.1f}rem; min-width: {_NARROWEST * wide:.1f}rem")
    for element in root.iter():
        for place in ("style", "fill", "stroke"):
            if place in element.attrib:
                value = element.attrib[place]
                element.set(place, _COLOR.sub(lambda match: _page_color(match[0]), value))
    root.set("role", "img")
    root.set("aria-label", title)
    head = ET.Element(f"{{{SVG}}}title")
    head.text = title
    root.insert(0, head)
    return ET.tostring(root, encoding="unicode")
