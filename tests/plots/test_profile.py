"""All columns of a table at a glance."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex

from hornbook.datasets import iris, watermelon
from hornbook.frame import Frame
from hornbook.plots import profile


def heights(place):
    return [bar.get_height() for bar in place.patches]


def names(place):
    return [text.get_text() for text in place.get_xticklabels()]


def test_one_panel_per_column_without_the_id_and_missing_said():
    titles = [place.get_title() for place in profile(watermelon("2.0a")).child_axes]
    assert titles == [
        "color, 18 % missing",
        "root, 12 % missing",
        "sound, 12 % missing",
        "texture, 12 % missing",
        "umbilicus, 12 % missing",
        "surface, 12 % missing",
        "ripe (target)",
    ]


def test_bars_of_levels_are_their_counts():
    places = profile(watermelon("2.0")).child_axes
    color = dict(zip(names(places[0]), heights(places[0]), strict=True))
    assert color == {"dark": 6, "green": 6, "light": 5}
    ripe = dict(zip(names(places[-1]), heights(places[-1]), strict=True))
    assert ripe == {"False": 9, "True": 8}


def test_histograms_hold_every_known_number():
    frame = iris()
    *places, species = profile(frame).child_axes
    for place, name in zip(places, frame.features.schema.names, strict=True):
        assert sum(heights(place)) == 150
        assert place.patches[0].get_x() == frame[name].min()
        last = place.patches[-1]
        assert last.get_x() + last.get_width() == pytest.approx(frame[name].max())
    assert heights(species) == [50, 50, 50]


def test_the_target_has_a_color_of_its_own():
    feature, target = profile(Frame({"x": [1.0, 2.0], "y": ["a", "b"]}, target="y")).child_axes
    assert to_hex(feature.patches[0].get_facecolor()) != to_hex(target.patches[0].get_facecolor())


def test_ordered_levels_keep_their_order():
    frame = Frame({"size": ["L", "L", "L", "S", "M", "M"]}, kinds={"size": ["S", "M", "L"]})
    (place,) = profile(frame).child_axes
    assert names(place) == ["S", "M", "L"]
    assert heights(place) == [1, 2, 3]


def test_rare_levels_share_a_bar():
    cities = [f"c{i}" for i in range(30)] + [f"c{i}" for i in range(10)] * 2 + [None] * 4
    (place,) = profile({"city": cities}).child_axes
    assert names(place)[-1].replace("\n", " ") == "20 others"
    assert heights(place) == [3] * 10 + [20]
    assert place.get_title() == "city, 7 % missing"


def test_a_trace_of_missing_is_not_rounded_away():
    (place,) = profile({"x": np.append(np.arange(999.0), np.nan)}).child_axes
    assert place.get_title() == "x, under 1 % missing"


def test_an_empty_column_has_an_empty_panel():
    _, place = profile({"x": [1.0, 2.0], "nothing": [np.nan, np.nan]}).child_axes
    assert place.get_title() == "nothing, 100 % missing"
    assert sum(heights(place)) == 0


def test_a_constant_column_has_one_bar_that_can_be_seen():
    (place,) = profile({"x": [7.0, 7.0, 7.0]}).child_axes
    (bar,) = place.patches
    assert bar.get_height() == 3
    assert bar.get_x() + bar.get_width() / 2 == 7
    assert bar.get_width() == 1


def test_dates_are_written_as_dates():
    days = np.arange("2015-01-01", "2025-01-01", dtype="datetime64[D]")
    (place,) = profile(pl.DataFrame({"day": days})).child_axes
    place.figure.draw_without_rendering()
    left, right = place.get_xlim()
    labels = zip(place.get_xticks(), place.get_xticklabels(), strict=True)
    shown = {text.get_text(): day for day, text in labels if left <= day <= right}
    assert shown == {"2016": 16801, "2020": 18262, "2024": 19723}  # days from 1970 to the first of January


def test_a_long_name_takes_two_lines():
    (place,) = profile({"average_number_of_visits_per_month": [1.0, None]}).child_axes
    assert place.get_title() == "average_number_of_visits_\nper_month, 50 % missing"


def test_what_does_not_fit_is_said():
    ax = profile(np.arange(60.0).reshape(2, 30))
    assert len(ax.child_axes) == 16
    assert ax.get_title() == "The first 16 of 30 columns"


def test_a_table_without_anything_to_draw_is_refused():
    with pytest.raises(
        ValueError,
        match=r"profile: the table must have rows and a column that is not an id; got 2 rows and 0",
    ):
        profile(Frame({"ID": [1, 2]}, id="ID"))
    with pytest.raises(ValueError, match=r"got 0 rows and 1 such columns"):
        profile(Frame({"x": np.empty(0)}))
