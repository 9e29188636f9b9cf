"""Small panels of densities and bars, one per column."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from hornbook.plots import Panel, class_densities

GRID = np.linspace(-1.0, 1.0, 5)
DENSITY = Panel("height", GRID, {"a": GRID**2, "b": 1 - GRID**2})
LEVELS = Panel(
    "sound", ["crisp", "dull", "muffled"], {"a": [0.2, 0.3, 0.5], "b": [0.6, 0.4, 0.0]}, kind="bars"
)


def test_a_density_panel_has_one_curve_per_class():
    (place,) = class_densities([DENSITY]).child_axes
    assert place.get_title() == "height"
    assert len(place.lines) == 2
    for line, curve in zip(place.lines, DENSITY.curves.values(), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), GRID)
        np.testing.assert_array_equal(line.get_ydata(), curve)


def test_a_bar_panel_has_one_bar_per_class_and_level():
    (place,) = class_densities([LEVELS]).child_axes
    assert [bar.get_height() for bar in place.patches] == [0.2, 0.3, 0.5, 0.6, 0.4, 0.0]
    assert [text.get_text() for text in place.get_xticklabels()] == ["crisp", "dull", "muffled"]


def test_the_bars_of_a_level_are_centered_on_it_and_touch():
    (place,) = class_densities([LEVELS]).child_axes
    first, second = place.patches[:3], place.patches[3:]
    for level, (a, b) in enumerate(zip(first, second, strict=True)):
        assert a.get_x() + a.get_width() == pytest.approx(level)
        assert b.get_x() == pytest.approx(level)


def test_a_class_has_one_color_everywhere_and_one_entry_in_the_legend():
    other = Panel("late", GRID, {"b": GRID**2, "c": GRID**4})
    ax = class_densities([DENSITY, LEVELS, other])
    legend = ax.get_legend()
    colors = {
        text.get_text(): to_hex(patch.get_facecolor())
        for text, patch in zip(legend.get_texts(), legend.get_patches(), strict=True)
    }
    assert list(colors) == ["a", "b", "c"]
    assert len(set(colors.values())) == 3
    density, levels, late = ax.child_axes
    assert [line.get_color().lower() for line in density.lines] == [colors["a"], colors["b"]]
    assert [line.get_color().lower() for line in late.lines] == [colors["b"], colors["c"]]
    assert to_hex(levels.patches[0].get_facecolor()) == colors["a"]
    assert all(place.get_legend() is None for place in ax.child_axes)


@pytest.mark.parametrize("count", [1, 2, 5, 16])
def test_every_panel_has_a_place_of_its_own(count):
    ax = class_densities([DENSITY] * count)
    assert len(ax.child_axes) == count
    assert ax.get_title() == ""
    ax.figure.draw_without_rendering()
    boxes = [place.get_window_extent() for place in ax.child_axes]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_what_does_not_fit_is_said():
    ax = class_densities([DENSITY] * 40)
    assert len(ax.child_axes) == 16
    assert ax.get_title() == "The first 16 of 40 columns"


def test_of_many_levels_the_likeliest_are_drawn_and_classes_beyond_the_palette_share_an_entry():
    wide = Panel(
        "city",
        [f"city {i}" for i in range(50)],
        {f"class {i}": np.full(50, 0.02) for i in range(30)},
        kind="bars",
    )
    ax = class_densities([wide])
    (place,) = ax.child_axes
    assert place.get_xlabel() == "and 38 rarer levels"
    assert [len(dots.get_offsets()) for dots in place.collections] == [12] * 30
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(texts) == 26
    assert texts[-1] == "5 other classes"


def test_rows_are_lines_under_the_curves_and_shares_diamonds_over_the_bars():
    rows = {"a": [0.1, np.nan, 0.4], "b": [0.9]}
    shares = {"a": [0.5, 0.5, 0.0]}
    density = Panel("height", GRID, DENSITY.curves, rows=rows)
    levels = Panel("sound", LEVELS.x, LEVELS.curves, kind="bars", shares=shares)
    ax = class_densities([density, levels])
    one, other = ax.child_axes
    rug = [c for c in one.collections if hasattr(c, "get_segments")]
    assert [[segment[0][0] for segment in c.get_segments()] for c in rug] == [[0.1, 0.4], [0.9]]
    (diamonds,) = other.collections
    np.testing.assert_array_equal(diamonds.get_offsets()[:, 1], shares["a"])
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["a", "b", "rows", "shares among the rows"]


def test_bars_below_zero_are_seen():
    ax = class_densities([Panel("coefficients", ["a", "b"], {"x": [-2.0, 1.0], "y": [0.5, -1.0]}, "bars")])
    (place,) = ax.child_axes
    assert place.get_ylim()[0] < -2
    above = class_densities([DENSITY]).child_axes[0]
    assert above.get_ylim()[0] == 0


def test_classes_may_be_any_labels():
    ax = class_densities([Panel("x", GRID, {True: GRID, False: GRID, 3: GRID, 2.5: GRID})])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["True", "False", "3", "2.5"]


def test_draws_on_the_axes_it_is_given():
    ax = Figure().add_subplot()
    assert class_densities([DENSITY], ax) is ax


def test_wrong_input_is_one_sentence():
    with pytest.raises(ValueError, match=r"'panels' must have at least one panel; got none"):
        class_densities([])
    with pytest.raises(ValueError, match=r"Panel 'x': 'kind' must be 'density' or 'bars'; got 'lines'"):
        Panel("x", GRID, {"a": GRID}, kind="lines")
    with pytest.raises(ValueError, match=r"Panel 'x': 'curves' must have at least one class"):
        Panel("x", GRID, {})
    with pytest.raises(ValueError, match=r"got shape \(5,\) for 'x' and \(4,\) for class 'b'"):
        Panel("x", GRID, {"a": GRID, "b": GRID[:4]})
    with pytest.raises(ValueError, match=r"got shape \(5, 1\) for 'x' and \(5, 1\) for class 'a'"):
        Panel("x", GRID[:, None], {"a": GRID[:, None]})
