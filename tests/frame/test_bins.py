"""Numbers cut into bins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from hornbook.frame import Column, Frame, bin_codes, bin_edges

LENGTHS = ["Very Short", "Short", "Long", "Very Long"]
WIDTHS = ["Short", "Medium", "Long"]


def test_the_edges_of_the_notes():
    assert bin_edges([4.3, 7.9], 4).tolist() == [4.3, 5.2, 6.1, 7.0, 7.9]
    assert bin_edges([2.0, 4.4], 3).tolist() == [2.0, 2.8, 3.6, 4.4]


def test_values_on_an_edge_go_to_the_lower_bin():
    edges = bin_edges([4.3, 7.9], 4)
    values = [4.3, 5.2, 5.3, 6.1, 6.2, 7.0, 7.1, 7.9]
    assert bin_codes(values, edges).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert bin_codes([2.0, 2.8, 2.9, 3.6, 3.7, 4.4], bin_edges([2.0, 4.4], 3)).tolist() == [0, 0, 1, 1, 2, 2]


def test_the_counts_of_the_notes_for_iris():
    iris = load_iris()
    frame = Frame(
        {"sepal length": iris.data[:, 0], "sepal width": iris.data[:, 1], "setosa": iris.target == 0},
        target="setosa",
    ).binned({"sepal length": LENGTHS, "sepal width": WIDTHS})
    assert frame.schema.columns[:2] == (
        Column("sepal length", "ordinal", levels=tuple(LENGTHS)),
        Column("sepal width", "ordinal", levels=tuple(WIDTHS)),
    )
    counts = np.zeros((2, 4, 3), dtype=int)
    np.add.at(counts, (frame.y.astype(int), *frame.features.codes.T), 1)
    assert counts[1].tolist() == [[1, 33, 5], [0, 3, 8], [0, 0, 0], [0, 0, 0]]
    assert counts[0].tolist() == [[6, 0, 0], [24, 15, 0], [13, 30, 0], [3, 7, 2]]
    assert counts[1].sum(axis=1).tolist() == [39, 11, 0, 0]


def test_a_number_of_bins_gets_names():
    frame = Frame({"a": [4.3, 5.2, 6.0, 7.9, None]}).binned({"a": 4})
    assert frame.schema.columns[0].levels == ("[4.3, 5.2]", "(5.2, 6.1]", "(6.1, 7]", "(7, 7.9]")
    assert frame.codes.ravel().tolist() == [0, 0, 1, 3, -1]
    close = Frame({"a": [1.00001, 1.00002]}).binned({0: 2}).schema.columns[0].levels
    assert close == ("[1.00001, 1.000015]", "(1.000015, 1.00002]")


def test_other_columns_stay():
    frame = Frame({"a": [1.0, 2.0], "b": ["x", "y"]}, target="b")
    binned = frame.binned({"a": 2})
    assert binned.y.tolist() == ["x", "y"]
    assert frame.schema.kinds == ("numeric", "nominal")
    assert Frame(np.eye(2)).binned({1: 2}).schema.kinds == ("numeric", "ordinal")


def test_a_constant_column_has_one_bin():
    assert bin_codes([3.0, 3.0], bin_edges([3.0, 3.0], 4)).tolist() == [0, 0]
    frame = Frame({"a": [3.0, 3.0]}).binned({"a": 4})
    assert frame.schema.columns[0].levels == ("[3, 3]",)
    assert frame.codes.tolist() == [[0], [0]]
    assert Frame({"a": [3.0]}).binned({"a": ["low", "high"]})["a"].tolist() == ["low"]


def test_values_outside_go_to_the_end_bins():
    assert bin_codes([-9.0, 99.0, np.inf, -np.inf, np.nan], [0.0, 1.0, 2.0]).tolist() == [0, 1, 1, 0, -1]


def test_what_cannot_be_cut():
    frame = Frame({"a": [1.0], "t": ["x"], "n": [None]})
    with pytest.raises(ValueError, match="Column 't' is nominal: only numeric columns can be cut"):
        frame.binned({"t": 2})
    with pytest.raises(ValueError, match="Column 'n' has no values"):
        frame.binned({"n": 2})
    with pytest.raises(ValueError, match="There is no column 'b'"):
        frame.binned({"b": 2})
    with pytest.raises(ValueError, match="names of the bins of column 'a' must all differ"):
        frame.binned({"a": ["low", "low"]})
    with pytest.raises(TypeError, match="bins of column 'a' must be a number or a list of names; got 'low'"):
        frame.binned({"a": "low"})
    with pytest.raises(ValueError, match="at least 1 bin; got n_bins=0"):
        frame.binned({"a": 0})
    with pytest.raises(ValueError, match="no value to take the range of"):
        bin_edges([np.nan, np.inf], 3)


numbers = st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=30)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(numbers, st.integers(1, 9))
def test_every_value_lies_in_its_bin(values, n_bins):
    edges = bin_edges(values, n_bins)
    codes = bin_codes(values, edges)
    assert len(edges) == n_bins + 1
    assert (np.diff(edges) >= 0).all()
    assert (edges[0], edges[-1]) == (min(values), max(values))
    assert codes.min() >= 0
    assert codes.max() < n_bins
    assert (edges[codes] <= values).all()
    assert (values <= edges[codes + 1]).all()
    width = (max(values) - min(values)) / n_bins
    np.testing.assert_allclose(np.diff(edges), width, rtol=1e-6, atol=1e-3)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-9, 1e9, 1e300])
def test_bins_of_very_small_and_very_large_numbers(scale):
    edges = bin_edges([0.0, scale], 4)
    np.testing.assert_allclose(edges, np.linspace(0.0, scale, 5), rtol=1e-8)
    assert np.isfinite(bin_edges([-1.7e308, 1.7e308], 3)).all()
