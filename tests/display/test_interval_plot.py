"""Means with intervals in characters: where they are drawn, and where the scale ends."""

from __future__ import annotations

import pytest

from hornbook.display import IntervalRow, interval_lines, interval_scale


def drawn(lines, start):
    return [line[start:] for line in lines]


def test_dots_and_ends_are_where_the_numbers_are():
    rows = [IntervalRow("a", 2.0, 0.0, 4.0), IntervalRow("b", 6.0, 2.0, 10.0)]
    lines = interval_lines(rows, width=26)
    assert {len(line) for line in lines[1:]} == {26}
    first, second, scale = drawn(lines, 5)
    assert [first.index(mark) for mark in "├●┤"] == [0, 4, 8]
    assert [second.index(mark) for mark in "├●┤"] == [4, 12, 20]
    assert scale.split() == ["0", "10"]


def test_what_is_far_off_does_not_press_the_others_together():
    rows = [IntervalRow(n, v, v - 1, v + 1) for n, v in (("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 500.0))]
    assert interval_scale(rows) == (0.0, 7.0)
    line = interval_lines(rows)[3]
    assert line.endswith("→")
    assert "●" not in line
    assert line.split()[1] == "500"
    lower = [IntervalRow(n, v, v - 0.1, v + 0.1) for n, v in (("a", 0.9), ("b", 0.8), ("c", -40.0))]
    assert interval_lines(lower)[2].split()[-1] == "←"


@pytest.mark.parametrize("value", [0.0, 5.0, -3.0])
def test_equal_numbers_have_a_scale(value):
    low, high = interval_scale([IntervalRow("a", value, value, value)])
    assert low < value < high
    assert "●" in interval_lines([IntervalRow("a", value, value, value)])[0]


def test_names_are_cut_and_escaped():
    line = interval_lines([IntervalRow("a\x1b[31m" + "n" * 90, 1.0, 0.0, 2.0)])[0]
    assert "\x1b" not in line
    assert "…" in line
    assert len(line) <= 80
    assert interval_lines([]) == []


def test_an_endless_interval_ends_at_the_scale():
    lines = interval_lines([IntervalRow("a", 1.0, 0.0, 2.0), IntervalRow("b", 1.5, 0.0, float("inf"))])
    assert lines[1].endswith("→")
