"""What a reader would complain about in a drawn picture, found without looking at it."""

from __future__ import annotations

import warnings
from itertools import combinations, pairwise

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

SLACK = 1.5  # dots: antialiasing and rounding


def drawn(ax):
    """Draw the figure of a picture; a warning of matplotlib's is an error."""
    figure = ax.get_figure(root=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FigureCanvasAgg(figure).draw()
    return figure


def complaints(ax):
    """Texts beyond the figure, tick labels that overlap, legends beyond the figure, Axes without size."""
    figure = drawn(ax)
    whole = figure.bbox
    faults = []
    places = [place for outer in figure.axes for place in (outer, *outer.child_axes)]
    for place in places:
        box = place.get_window_extent()
        if box.width < 0.4 * figure.dpi or box.height < 0.25 * figure.dpi:
            faults.append(f"an Axes of {box.width / figure.dpi:.2f} by {box.height / figure.dpi:.2f} inches")
        for axis in (place.xaxis, place.yaxis):
            faults += _overlaps(_labels(axis) if place.axison else [], axis)
        legend = place.get_legend()
        if legend is not None:
            if not _inside(legend.get_window_extent(), whole):
                faults.append("a legend beyond the figure")
            if place.axison and _overlap(legend.get_window_extent(), box) > 1:
                faults.append("a legend on the picture")
    hidden = set().union(*map(_hidden, places))
    for text in figure.findobj(Text):
        if _seen(text) and text not in hidden and not _inside(text.get_window_extent(), whole):
            faults.append(f"{text.get_text()!r} runs out of the figure")
    return faults


def legend_complaints(ax):
    """Texts of a drawn legend beyond the figure, or on top of each other."""
    boxes = [(text.get_window_extent(), text.get_text()) for text in ax.get_legend().get_texts()]
    whole = ax.get_figure(root=True).bbox
    beyond = [f"{name!r} runs out of the figure" for box, name in boxes if not _inside(box, whole)]
    return beyond + [
        f"{name!r} faults {other!r}"
        for (one, name), (two, other) in combinations(boxes, 2)
        if _overlap(one, two) > 1
    ]


def _labels(axis):
    """The tick labels that are drawn: those of ticks in the picture."""
    low, high = sorted(axis.get_view_interval())
    room = 1e-9 * (high - low)
    ticks = [tick for tick in axis.get_major_ticks() if low - room <= tick.get_loc() <= high + room]
    return [label for tick in ticks for label in (tick.label1, tick.label2) if _seen(label)]


def _hidden(place):
    """Tick labels and names of axes that are not drawn."""
    known = [tick for axis in (place.xaxis, place.yaxis) for tick in (*axis.majorTicks, *axis.minorTicks)]
    labels = {label for tick in known for label in (tick.label1, tick.label2)}
    if not place.axison:
        names = {text for axis in (place.xaxis, place.yaxis) for text in (axis.label, axis.offsetText)}
        return labels | names
    return labels - {label for axis in (place.xaxis, place.yaxis) for label in _labels(axis)}


def _seen(text):
    return text.get_visible() and bool(text.get_text().strip())


def _inside(box, whole):
    return (
        box.x0 >= whole.x0 - SLACK
        and box.y0 >= whole.y0 - SLACK
        and box.x1 <= whole.x1 + SLACK
        and box.y1 <= whole.y1 + SLACK
    )


def _overlap(one, other):
    wide = min(one.x1, other.x1) - max(one.x0, other.x0) - SLACK
    high = min(one.y1, other.y1) - max(one.y0, other.y0) - SLACK
    return wide * high if wide > 0 and high > 0 else 0


def _overlaps(texts, axis):
    side = "x0" if axis.axis_name == "x" else "y0"
    boxes = sorted(
        ((text.get_window_extent(), text.get_text()) for text in texts), key=lambda b: getattr(b[0], side)
    )
    return [
        f"{name!r} faults {other!r}"
        for (one, name), (two, other) in pairwise(boxes)
        if _overlap(one, two) > 1
    ]
