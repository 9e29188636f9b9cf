"""Numbers from columns of any kind."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.encode import encode

from hornbook.frame import Encoding, Frame, Schema, column_statistics
from hornbook.frame import _memory as memory


def test_the_reversed_unit_vectors_of_the_notes():
    fruit = Frame({"fruit": ["watermelon", "pumpkin", "cucumber"]})
    assert Encoding.fit(fruit).apply(fruit).tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]


def test_heights_of_the_notes():
    heights = Frame({"height": ["tall", "medium", "short"]}, kinds={"height": ["short", "medium", "tall"]})
    assert Encoding.fit(heights).apply(heights).tolist() == [[1.0], [0.5], [0.0]]


def test_a_point_is_a_concatenation_of_unit_vectors():
    flowers = Frame({"length": ["Long", "Short"], "width": ["Medium", "Short"]})
    encoding = Encoding.fit(flowers)
    assert encoding.names == ("length=Long", "length=Short", "width=Medium", "width=Short")
    assert encoding.apply(flowers).tolist() == [[1, 0, 1, 0], [0, 1, 0, 1]]


def test_names():
    frame = Frame({"age": [1.0, None, 3.0], "color": ["red", "green", None], "ok": [True, False, True]})
    encoding = Encoding.fit(frame, missing="indicate")
    assert encoding.names == (
        "age",
        "age=missing",
        "color=green",
        "color=red",
        "color=missing",
        "ok=False",
        "ok=True",
    )
    assert encoding.apply(frame).tolist() == [
        [1, 0, 0, 1, 0, 0, 1],
        [2, 1, 1, 0, 0, 1, 0],
        [3, 0, 1, 0, 1, 0, 1],
    ]


def test_a_level_called_missing_does_not_take_the_name_of_the_indicator():
    encoding = Encoding.fit(Frame({"a": ["missing", None, "x"]}), missing="indicate")
    assert encoding.names == ("a=missing", "a=x", "a=missing value")


def test_rare_levels_share_an_indicator():
    frame = Frame({"color": ["a"] * 3 + ["b"] * 2 + ["c", "d"]})
    with pytest.warns(
        UserWarning, match="Column 'color' has 4 levels: the 2 most frequent keep an indicator"
    ):
        encoding = Encoding.fit(frame, max_categories=3)
    assert encoding.names == ("color=a", "color=b", "color=other")
    assert encoding.apply(frame[[0, 3, 5, 6]]).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]
    with pytest.warns(UserWarning, match="keep"):
        weighted = Encoding.fit(frame, np.array([1.0, 1, 1, 1, 1, 1, 9]), max_categories=3)
    assert weighted.names == ("color=a", "color=d", "color=other")


def test_a_level_called_other_goes_with_the_others():
    frame = Frame({"a": ["other"] * 5 + ["x"] * 2 + ["y", "z"]})
    with pytest.warns(UserWarning, match="4 levels"):
        encoding = Encoding.fit(frame, max_categories=2)
    assert encoding.names == ("a=x", "a=other")
    assert encoding.apply(frame[[0, 5, 8]]).tolist() == [[0, 1], [1, 0], [0, 1]]
    assert encoding.fill.tolist() == [1.0]


def test_ten_thousand_categories():
    frame = Frame({"a": [f"level {i}" for i in range(10_000)]})
    with pytest.warns(UserWarning, match="Column 'a' has 10000 levels: the 255 most frequent") as caught:
        encoding = Encoding.fit(frame)
    assert len(caught) == 1
    assert len(encoding.names) == 256
    encoded = encoding.apply(frame)
    assert encoded.shape == (10_000, 256)
    assert encoded.sum() == 10_000
    assert encoded[:, -1].sum() == 10_000 - 255


def test_missing_values_get_the_weighted_mean_or_mode():
    frame = Frame(
        {"n": [1.0, 4.0, None], "o": ["s", "l", None], "t": ["x", "y", None]}, kinds={"o": ["s", "m", "l"]}
    )
    encoding = Encoding.fit(frame, np.array([1.0, 3.0, 1.0]))
    assert encoding.apply(frame)[2].tolist() == [3.25, 0.75, 0.0, 1.0]


def test_means_alone_are_those_among_all_statistics():
    rng = np.random.default_rng(0)
    table, w = rng.normal(size=(50, 3)), rng.random(50)
    for weights in (None, w):
        quick = column_statistics(Frame(table), weights, spread=False)
        whole = column_statistics(Frame(table), weights)
        np.testing.assert_allclose(quick.moments.mean, whole.moments.mean, rtol=1e-13)
        np.testing.assert_allclose(quick.moments.mass, whole.moments.mass, rtol=1e-13)
        assert np.isnan(quick.low).all()
        assert not np.isnan(whole.low).any()
    for cell in (np.nan, 1e308):  # what the mean cannot be had from is looked at in full
        table[:2, 1] = cell
        quick, whole = (column_statistics(Frame(table), spread=spread) for spread in (False, True))
        np.testing.assert_array_equal(quick.missing, whole.missing)
        np.testing.assert_array_equal(quick.moments.mean, whole.moments.mean)


def test_missing_values_can_be_refused():
    full, gaps = Frame({"a": [1.0], "b": ["x"]}), Frame({"a": [1.0], "b": [None]})
    encoding = Encoding.fit(full, missing="error")
    assert encoding.apply(full).tolist() == [[1.0, 1.0]]
    sentence = "Column 'b' has missing values: fill them first, or choose missing='impute' or 'indicate'"
    with pytest.raises(ValueError, match=sentence):
        encoding.apply(gaps)
    with pytest.raises(ValueError, match="Column 'a' has missing values"):
        Encoding.fit(Frame({"a": [None, 1.0]}), missing="error")
    numbers = Encoding.fit(Frame({"a": [1.0]}), missing="error")
    with pytest.raises(ValueError, match="Column 'a' has missing values"):
        numbers.apply(Frame({"a": [np.nan]}))


def test_missing_values_can_be_kept():
    frame = Frame({"age": [1.0, None], "sex": ["f", None], "grade": ["a", "b"]})
    encoding = Encoding.fit(frame, missing="keep")
    assert encoding.names == ("age", "sex=f", "grade=a", "grade=b")
    nan = np.nan
    np.testing.assert_array_equal(encoding.apply(frame), [[1.0, 1.0, 1.0, 0.0], [nan, nan, 0.0, 1.0]])
    unseen = Frame({"age": [2.0], "sex": ["m"], "grade": ["b"]})
    with pytest.warns(UserWarning, match="'m'"):
        np.testing.assert_array_equal(encoding.apply(unseen), [[2.0, nan, 0.0, 1.0]])
    numbers = np.array([[1.0, nan], [nan, 2.0]])
    assert Encoding.fit(Frame(numbers), missing="keep").apply(Frame(numbers)) is numbers


def test_unseen_levels_count_as_missing():
    fitted = Frame({"a": ["x", "y", "y", None]})
    encoding = Encoding.fit(fitted, missing="indicate")
    with pytest.warns(UserWarning, match="not there at fit count as missing: column 'a' has 'z'"):
        assert encoding.apply(Frame({"a": ["z", "x"]})).tolist() == [[0, 1, 1], [1, 0, 0]]


def test_a_column_without_values_is_said():
    frame = Frame({"a": [None, None], "b": [1.0, 2.0], "c": pd.Categorical([None, None], categories=["u"])})
    with pytest.warns(UserWarning, match="Column 'a', 'c' has no values at all"):
        encoding = Encoding.fit(frame, missing="indicate")
    assert encoding.apply(frame).tolist() == [[0, 1, 1, 1, 1], [0, 1, 2, 1, 1]]
    with pytest.warns(UserWarning, match="no values"):
        nothing = Encoding.fit(Frame({"a": pd.Categorical([None], categories=[])}), missing="indicate")
    assert nothing.names == ("a=missing",)
    assert nothing.apply(Frame({"a": pd.Categorical([None], categories=[])})).tolist() == [[1.0]]


@pytest.mark.parametrize("scale", ["standard", "range"])
def test_constant_columns_become_zero(scale):
    # The mean of 0.1 is not exactly 0.1; the rounding error must not be blown up.
    frame = Frame({"a": [0.1] * 7, "b": ["only"] * 7}, kinds={"b": "ordinal"})
    assert Encoding.fit(frame, scale=scale).apply(frame).tolist() == [[0.0, 0.0]] * 7


def test_scaling():
    frame = Frame({"a": [1.0, 2.0, 6.0], "b": ["x", "y", "x"]})
    standard = Encoding.fit(frame, scale="standard").apply(frame)
    np.testing.assert_allclose(standard[:, 0], (np.array([1, 2, 6]) - 3) / np.sqrt(14 / 3))
    np.testing.assert_allclose(standard[:, 0].std(), 1.0)
    assert Encoding.fit(frame, scale="range").apply(frame)[:, 0].tolist() == [0.0, 0.2, 1.0]
    np.testing.assert_array_equal(standard[:, 1:], [[1, 0], [0, 1], [1, 0]])  # indicators stay 0 and 1


def test_a_range_too_wide_to_scale():
    with pytest.raises(ValueError, match="Column 'a' spans too wide a range to be scaled"):
        Encoding.fit(Frame({"a": [-1.7e308, 1.7e308]}), scale="range")


def test_numbers_without_gaps_are_not_copied():
    X = np.arange(6.0).reshape(3, 2)
    encoding = Encoding.fit(Frame(X))
    assert encoding.apply(Frame(X)) is X
    gaps = X.copy()
    gaps[0, 0] = np.nan
    assert encoding.apply(Frame(gaps)).tolist() == [[2.0, 1.0], [2.0, 3.0], [4.0, 5.0]]


def test_a_matrix_that_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    frame = Frame({"a": ["x", "y"] * 500})
    encoding = Encoding.fit(frame)
    monkeypatch.setattr(memory, "_free", lambda: 15_999)
    with pytest.raises(
        MemoryError, match=r"1000 rows and 2 columns needs .* lower max_categories \(now 256\)"
    ):
        encoding.apply(frame)
    monkeypatch.setattr(memory, "_free", lambda: 16_000)
    assert encoding.apply(frame).sum() == 1000


def test_free_memory_is_told():
    assert 2**20 < memory._free() < 2**50


def tables(draw):
    n_rows = draw(st.integers(1, 12))
    columns = []
    for j in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["numeric", "ordinal", "nominal"]))
        levels = draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True))
        levels = sorted(levels) if kind == "nominal" else levels
        cell = st.floats(-100, 100, width=16) if kind == "numeric" else st.sampled_from(levels)
        cells = draw(st.lists(st.none() | cell, min_size=n_rows, max_size=n_rows))
        cells[0] = draw(cell)
        columns.append((f"c{j}", kind, levels if kind != "numeric" else [], cells))
    w = [draw(st.integers(1, 3)), *(draw(st.integers(0, 3)) for _ in range(n_rows - 1))]
    return columns, np.array(w, dtype=np.float64)


def frame_of(columns) -> Frame:
    data = {}
    for name, kind, levels, cells in columns:
        if kind == "numeric":
            data[name] = np.array(cells, dtype=np.float64)
        else:
            data[name] = pd.Series(pd.Categorical(cells, categories=levels, ordered=kind == "ordinal"))
    return Frame(data)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    st.composite(tables)(),
    st.sampled_from([None, "standard", "range"]),
    st.sampled_from(["impute", "indicate"]),
    st.integers(2, 6),
)
def test_agrees_with_the_plain_version(table, scale, missing, most):
    columns, w = table
    frame = frame_of(columns)
    names, expected = encode(columns, w, scale, most, missing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoding = Encoding.fit(frame, w, scale=scale, max_categories=most, missing=missing)
    assert encoding.names == names
    np.testing.assert_allclose(encoding.apply(frame), expected, rtol=1e-9, atol=1e-9)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.composite(tables)(), st.integers(0, 12))
def test_statistics_of_parts_merge_into_those_of_the_whole(table, cut):
    columns, w = table
    frame = frame_of(columns)
    cut = min(cut, len(frame))
    whole = column_statistics(frame, w)
    merged = column_statistics(frame[:cut], w[:cut]).merge(column_statistics(frame[cut:], w[cut:]))
    np.testing.assert_allclose(merged.moments.mean, whole.moments.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(merged.moments.variance(), whole.moments.variance(), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(merged.low, whole.low)
    np.testing.assert_array_equal(merged.high, whole.high)
    np.testing.assert_array_equal(merged.missing, whole.missing)
    for one, two in zip(merged.counts, whole.counts, strict=True):
        np.testing.assert_array_equal(one, two)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.composite(tables)())
def test_weights_are_repeated_rows(table):
    columns, w = table
    frame = frame_of(columns)
    repeated = frame[np.repeat(np.arange(len(frame)), w.astype(int))]
    one, two = column_statistics(frame, w), column_statistics(repeated)
    np.testing.assert_allclose(one.moments.mean, two.moments.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(one.low, two.low)
    np.testing.assert_array_equal(one.high, two.high)
    np.testing.assert_array_equal(one.missing, two.missing)
    for a, b in zip(one.counts, two.counts, strict=True):
        np.testing.assert_array_equal(a, b)


def test_an_encoding_is_plain_data():
    encoding = Encoding.fit(Frame({"a": [1.0, None], "b": ["x", "y"]}), scale="range", missing="indicate")
    assert isinstance(encoding.schema, Schema)
    assert (encoding.kept, encoding.other, encoding.indicator) == (
        ((), ("x", "y")),
        (False, False),
        (True, False),
    )
    assert encoding.fill.dtype == encoding.center.dtype == encoding.spread.dtype == np.float64
