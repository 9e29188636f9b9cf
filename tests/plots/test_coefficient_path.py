"""Coefficients against penalties."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.plots import coefficient_path


def test_one_line_for_each_coefficient_and_the_penalty_falls_to_the_right():
    coefs = np.array([[0.0, 0.2], [0.9, 0.3]])
    ax = coefficient_path([1.0, 0.1], coefs, ["size", "mass"], title="lasso")
    for line, values in zip(ax.lines[1:], coefs.T, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), values)
    left, right = ax.get_xlim()
    assert left > right
    assert (ax.get_xscale(), ax.get_title()) == ("log", "lasso")


def test_a_penalty_of_zero_needs_an_even_scale():
    assert coefficient_path([1.0, 0.0], [[0.0], [1.0]], ["size"]).get_xscale() == "linear"


def test_only_the_largest_are_named():
    coefs = np.arange(30.0)[None]
    ax = coefficient_path([1.0], coefs, [f"x{j}" for j in range(30)])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        *(f"x{j}" for j in range(18, 30)),
        "18 others",
    ]
    assert len({line.get_color() for line in ax.lines[19:]}) == 12


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="'coefs' must have 2 rows"):
        coefficient_path([1.0, 0.5], [[1.0]], ["size"])
