"""Partial dependence as lines, contours and lines for each level."""

from __future__ import annotations

import numpy as np
import pytest
from tests.plots.layout import complaints

from hornbook.evaluation import PartialDependence
from hornbook.plots import partial_dependence


def effect(*grid, individual=False):
    draw = np.random.default_rng(0)
    shape = tuple(map(len, grid))
    numeric = tuple(not isinstance(values[0], str) for values in grid)
    names = ("size", "city")[: len(grid)]
    single = draw.normal(size=(150, *shape))
    return PartialDependence(
        names,
        tuple(map(np.asarray, grid)),
        single.mean(axis=0),
        single if individual else None,
        numeric,
        "price",
    )


def test_the_mean_is_a_line_over_individual_ones():
    shown = effect([1.0, 2.0, 4.0], individual=True)
    ax = partial_dependence(shown, title="Size matters")
    assert len(ax.lines) == 101  # evenly chosen ones of 150, and the mean
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), shown.individual[0])
    np.testing.assert_array_equal(ax.lines[-1].get_ydata(), shown.average)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("size", "price", "Size matters")
    assert complaints(ax) == []


def test_centered_curves_start_at_0():
    ax = partial_dependence(effect([1.0, 2.0, 4.0], individual=True), centered=True)
    assert {line.get_ydata()[0] for line in ax.lines} == {0.0}
    assert ax.get_ylabel() == "change of the price"
    with pytest.raises(ValueError, match="'centered' is for one column"):
        partial_dependence(effect([1.0, 2.0], [1.0, 2.0]), centered=True)


def test_levels_are_named_under_the_points():
    ax = partial_dependence(effect(["Bonn", "Oslo", "Rome"]))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["Bonn", "Oslo", "Rome"]
    assert ax.lines[0].get_marker() == "o"
    assert ax.get_xlabel() == "size"
    assert complaints(ax) == []


def test_two_numbers_have_contours():
    ax = partial_dependence(effect([1.0, 2.0, 4.0], [0.0, 1.0]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("size", "city")
    assert ax.collections
    assert "price" in [text.get_text() for text in ax.texts]
    flat = effect([1.0, 2.0], [0.0, 1.0])
    flat.average[:] = 3.0
    assert complaints(partial_dependence(flat)) == []


@pytest.mark.parametrize("swapped", [False, True])
def test_a_number_and_a_category_have_a_line_for_each_level(swapped):
    sizes, cities = [1.0, 2.0, 4.0], ["Bonn", "Rome"]
    shown = effect(cities, sizes) if swapped else effect(sizes, cities)
    ax = partial_dependence(shown)
    expected = shown.average if swapped else shown.average.T
    for line, curve in zip(ax.lines, expected, strict=True):
        np.testing.assert_array_equal(line.get_xdata(), sizes)
        np.testing.assert_array_equal(line.get_ydata(), curve)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == cities
    assert complaints(ax) == []


def test_two_categories_have_a_line_for_each_level_of_the_second():
    ax = partial_dependence(effect(["a", "b", "c"], ["x", "y"]))
    assert len(ax.lines) == 2
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a", "b", "c"]
