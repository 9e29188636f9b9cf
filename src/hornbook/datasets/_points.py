"""Small sets of points in the plane with which methods are worked through by hand."""

from __future__ import annotations

from typing import Literal

from hornbook.datasets._table import choose
from hornbook.frame import Frame

__all__ = ["boosting_points", "butterfly", "margin_points"]

Points = list[tuple[float, float]]

_MARGIN: dict[str, tuple[Points, Points]] = {
    "separable": (
        [(3.5, 4.25), (4, 3), (4, 4), (4.5, 1.75), (4.9, 4.5), (5, 4), (5.5, 2.5), (5.5, 3.5)],
        [(0.5, 1.5), (1, 2.5), (1.25, 0.5), (1.5, 1.5), (2, 2), (2.5, 0.75)],
    ),
    "overlapping": ([(4, 2), (2, 3)], [(3, 2), (5, 3)]),  # beside the separable ones
    "ellipse": ([(1, 2), (4, 1), (6, 4.5), (7, 2)], [(4, 4), (6, 3)]),
}


def margin_points(version: Literal["separable", "overlapping", "ellipse"] = "separable") -> Frame:
    """Make the points on which support vector machines are worked through.

    Parameters
    ----------
    version : {"separable", "overlapping", "ellipse"}, default "separable"
        - "separable": 14 points; the line with the widest margin is 5/6 x1 + 1/3 x2 = 10/3;
        - "overlapping": these and four more, two of them on the wrong side of that line;
        - "ellipse": the six support vectors of the example with the kernel (1 + xy)^2, whose other points are
          printed only as a picture; the boundary is an ellipse.

    Returns
    -------
    Frame
        ``x1``, ``x2`` and the target ``y``, which is 1 or -1, in the order of the notes.

    Examples
    --------
    >>> points = margin_points("overlapping")
    >>> len(points), points.features.matrix[15].tolist(), int(points.y[15])
    (18, [2.0, 3.0], 1)
    """
    choose("margin_points", "version", version, _MARGIN)
    groups = [_MARGIN["separable"]] * (version == "overlapping") + [_MARGIN[version]]
    points = [point for positive, negative in groups for point in positive + negative]
    labels = [label for positive, negative in groups for label in [1] * len(positive) + [-1] * len(negative)]
    return Frame({**_plane(points), "y": labels}, target="y")


def boosting_points() -> Frame:
    """Make ten points that three stumps of AdaBoost classify without error.

    The notes print the stumps, their errors and the weights, but the points only as a picture; these give
    exactly the printed numbers. The stumps are: x2 <= 1 is red, x1 <= -2 is blue, x1 <= 2 is blue.

    Returns
    -------
    Frame
        ``x1``, ``x2`` and the target ``class``: five blue points, then five red ones.

    Examples
    --------
    >>> points = boosting_points()
    >>> wrong = (points["x2"] <= 1) != (points.y == "red")
    >>> float(wrong.mean())  # the weighted error of the first stump
    0.2
    """
    blue: Points = [(-3, -1), (-4, -4), (1, 4), (1, 2), (0, 3)]
    red: Points = [(0, -2), (-1, -5), (-1, -1), (5, 0), (3, -3)]
    return Frame({**_plane(blue + red), "class": ["blue"] * 5 + ["red"] * 5}, target="class")


def butterfly() -> Frame:
    """Make the butterfly: two wings of seven points and one point between them that belongs to both.

    The coordinates are those of the literature on fuzzy clustering; the notes show only a picture.

    Returns
    -------
    Frame
        ``x1`` and ``x2`` of 15 points from left to right, without a target.

    Examples
    --------
    >>> butterfly().matrix[7].tolist()
    [3.0, 2.0]
    """
    left: Points = [(0, 0), (0, 2), (0, 4), (1, 1), (1, 2), (1, 3), (2, 2)]
    right: Points = [(4, 2), (5, 1), (5, 2), (5, 3), (6, 0), (6, 2), (6, 4)]
    return Frame(_plane([*left, (3, 2), *right]))


def _plane(points: Points) -> dict[str, list[float]]:
    return {"x1": [float(x) for x, _ in points], "x2": [float(y) for _, y in points]}
