"""Points of the plane with lines."""

from __future__ import annotations

import pytest

from hornbook.plots import lines


def test_a_line_is_where_the_product_is_the_threshold():
    ax = lines([[0, 0], [2, 2]], [[1, 1], [0, 0], [2, 0]], [2.0, 1.0, 2.0])
    _, slanted, upright = ax.lines  # one without direction is left out
    assert all(sum(end) == 2 for end in (slanted.get_xy1(), slanted.get_xy2()))
    assert upright.get_xy1()[0] == upright.get_xy2()[0] == 1


def test_all_points_have_room():
    ax = lines([[1, 1], [1, 3]], [[1, 0]], [0.0], names=["A", "B"])
    assert ax.get_xlim()[0] < 1 < ax.get_xlim()[1]
    assert ax.get_ylim()[0] < 1
    assert ax.get_ylim()[1] > 3


@pytest.mark.parametrize(("points", "weights"), [([[1.0]], [[1, 1]]), ([[1, 1]], [[1]]), ([[1, 1]], [])])
def test_refuses_other_shapes(points, weights):
    with pytest.raises(ValueError, match="points and weights must have two columns"):
        lines(points, weights, [1.0])
