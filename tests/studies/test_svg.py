"""Pictures as SVG: small, the same each time, and at home in any page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from hornbook import plots
from hornbook.studies.report._svg import drawing, page_colors, readable, svg_of


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own picture


def bars(labels, name="bars"):
    with drawing():
        return svg_of(plots.bars([1.25] * len(labels), labels), name)


def test_text_stays_text_and_names_are_not_formulas():
    svg = bars(["plain", "a $x^2$ b$", "#0072b2", "1.23456", 'd="1.23456"'])
    words = [element.text for element in parsed(svg).iter() if element.tag.endswith("text")]
    assert {"plain", "a $x^2$ b$", "#0072b2", "1.23456", 'd="1.23456"'} <= set(words)
    assert "#0072b2" in {element.text for element in parsed(page_colors(svg, "t")).iter()}


def test_the_same_picture_is_the_same_text():
    assert bars(["a", "b"]) == bars(["a", "b"])


def test_ids_of_two_pictures_never_meet():
    ids = [set(re.findall(r' id="([^"]+)"', bars(["a"], name))) for name in ("one", "two")]
    assert all(ids)
    assert not ids[0] & ids[1]
    for name, mine in zip(("one", "two"), ids, strict=True):
        svg = bars(["a"], name)
        assert {*re.findall(r'href="#([^"]+)"', svg), *re.findall(r"url\(#([^)]+)\)", svg)} <= mine


def test_numbers_have_two_decimals_and_nothing_is_left_over():
    svg = bars(["a"])
    for places in re.findall(r' (?:d|x|y)="([^"]*)"', svg):
        assert not re.search(r"\.\d{3}", places)
    assert "metadata" not in svg
    assert "<!--" not in svg
    assert len(svg) < 5000


def test_a_page_gets_names_of_colors_and_a_title():
    svg = page_colors(bars(["a"]), "Two <bars>")
    root = parsed(svg)
    assert (root.get("role"), root.get("aria-label")) == ("img", "Two <bars>")
    assert root[0].text == "Two <bars>"
    assert root.get("width") is None
    assert "var(--c0)" in svg
    assert "#0072b2" not in svg


def test_colors_outside_the_palette_stay():
    with drawing():
        ax = plots.bars([1.0], ["a"])
        ax.plot([0, 1], [0, 1], color="#123456")
        svg = page_colors(svg_of(ax, "x"), "t")
    assert "#123456" in svg


@pytest.mark.parametrize(("n", "pixels"), [(1000, False), (20_000, True)])
def test_a_crowd_of_dots_becomes_pixels(n, pixels):
    with drawing():
        ax = plots.bars([1.0], ["a"])
        ax.scatter(np.linspace(0, 1, n), np.linspace(0, 1, n))
        svg = svg_of(ax, "x")
    assert ("data:image/png;base64," in svg) == pixels
    assert len(svg) < 200_000


def test_a_long_line_stays_a_line_and_is_thinned_out():
    with drawing():
        ax = plots.bars([1.0], ["a"])
        ax.plot(np.linspace(0, 1, 100_000), np.linspace(0, 1, 100_000) ** 2)
        svg = svg_of(ax, "x")
    assert "data:image" not in svg
    assert len(svg) < 20_000


def test_what_no_page_may_hold_is_replaced():
    assert readable("a\x00b\x1f\ud800\ufffe\tc\nd é 日") == "a�b���\tc\nd é 日"
    assert ">a\\x01<" in bars(["a\x01"])  # pictures write what cannot be printed as a code
