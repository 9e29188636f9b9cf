"""The same table from every library is the same Frame."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hornbook.frame import Column, Frame

NOON = dt.datetime.fromisoformat("1970-01-02T12:00")
COLUMNS = {
    "size": [1.5, None, 3.0],
    "count": [3, 1, 2],
    "color": ["red", None, "green"],
    "ok": [True, None, False],
    "day": [dt.date(1970, 1, 3), None, dt.date(2020, 1, 1)],
}


def test_the_same_table_from_every_library(any_table):
    frame = Frame(any_table(COLUMNS))
    described = [(c.kind, c.levels, c.source) for c in frame.schema.columns]
    assert described == [
        ("numeric", (), "number"),
        ("numeric", (), "number"),
        ("nominal", ("green", "red"), "text"),
        ("nominal", (False, True), "boolean"),
        ("numeric", (), "date"),
    ]
    nan = np.nan
    np.testing.assert_array_equal(frame.numbers, [[1.5, 3, 2], [nan, 1, nan], [3, 2, 18262]])
    assert frame.numbers.flags.c_contiguous
    assert frame.codes.tolist() == [[1, 1], [-1, -1], [0, 0]]
    assert frame.codes.dtype == np.int32
    assert frame.shape == (3, 5)
    assert len(frame) == 3


def test_names_are_kept(table):
    frame = Frame(table(COLUMNS))
    assert frame.schema.names == ("size", "count", "color", "ok", "day")
    assert frame.schema.named


@pytest.mark.parametrize("data", [np.ones((2, 3)), [[1, 2, 3], [4, 5, 6]], pd.DataFrame(np.ones((2, 3)))])
def test_names_are_made_up_where_there_are_none(data):
    frame = Frame(data)
    assert frame.schema.names == ("x0", "x1", "x2")
    assert not frame.schema.named


def test_names_of_other_types_become_text():
    frame = Frame(pd.DataFrame({2019: [1.0], 2020: [2.0]}))
    assert frame.schema.names == ("2019", "2020")
    assert not frame.schema.named


def test_levels_do_not_depend_on_the_order_of_rows(table):
    forward = Frame(table({"a": ["b", "c", "a"]}))
    backward = Frame(table({"a": ["a", "c", "b"]}))
    assert forward.schema.columns[0].levels == backward.schema.columns[0].levels == ("a", "b", "c")
    assert forward["a"].tolist() == ["b", "c", "a"]


def test_text_is_sorted_by_code_point(table):
    words = ["ä", "z", "a", "Z", "", " ", "é", "ß", "\U0001d518", "\uffff"]
    assert Frame(table({"a": words})).schema.columns[0].levels == tuple(sorted(words))


CATEGORIES = {
    "pandas": pd.Categorical(["low", "high", None], categories=["low", "mid", "high"]),
    "pyarrow": pa.DictionaryArray.from_arrays(pa.array([0, 2, None], pa.int8()), ["low", "mid", "high"]),
}
ORDERED = {
    "pandas": pd.Categorical(["low", "high", None], categories=["low", "mid", "high"], ordered=True),
    "polars": pl.Series(["low", "high", None], dtype=pl.Enum(["low", "mid", "high"])),
    "pyarrow": pa.DictionaryArray.from_arrays(
        pa.array([0, 2, None], pa.int8()), ["low", "mid", "high"], ordered=True
    ),
    "pandas-arrow": pd.Series(
        ["low", "high", None], dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string(), ordered=True))
    ),
}


@pytest.mark.parametrize("values", CATEGORIES.values(), ids=CATEGORIES)
def test_unordered_categories_are_nominal_with_all_levels_of_the_type(values):
    column = Column("a", "nominal", levels=("low", "mid", "high"), source="category")
    whole = pa.table({"a": values}) if isinstance(values, pa.Array) else pd.DataFrame({"a": values})
    for frame in (Frame(whole), Frame({"a": values})):
        assert frame.schema.columns == (column,)
        assert frame.codes.tolist() == [[0], [2], [-1]]


def test_polars_categories_are_those_that_occur():
    pl.Series(["elsewhere"], dtype=pl.Categorical)  # shares the pool of words with every other column
    frame = Frame(pl.DataFrame({"a": pl.Series(["low", "high", None], dtype=pl.Categorical)}))
    assert frame.schema.columns == (Column("a", "nominal", levels=("high", "low"), source="category"),)
    assert frame.codes.tolist() == [[1], [0], [-1]]


@pytest.mark.parametrize("values", ORDERED.values(), ids=ORDERED)
def test_ordered_categories_are_ordinal(values):
    frame = Frame({"a": values})
    column = frame.schema.columns[0]
    assert (column.kind, column.source) == ("ordinal", "category")
    assert frame["a"].tolist() == ["low", "high", None]
    if values is not ORDERED["pandas-arrow"]:  # which keeps only the words that occur
        assert column.levels == ("low", "mid", "high")


def test_chunks_of_pyarrow_with_different_dictionaries():
    one = pa.array(["b", "a"]).dictionary_encode()
    two = pa.array(["c", None, "a"]).dictionary_encode()
    frame = Frame(pa.table({"a": pa.chunked_array([one, two])}))
    assert frame["a"].tolist() == ["b", "a", "c", None, "a"]


def test_an_empty_dictionary_of_pyarrow():
    frame = Frame(pa.table({"a": pa.array([], pa.dictionary(pa.int8(), pa.string()))}))
    assert frame.schema.columns == (Column("a", "nominal", levels=(), source="category"),)
    assert frame.shape == (0, 1)


def test_a_null_inside_a_dictionary_is_missing():
    values = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", None, "b"]))
    frame = Frame(pa.table({"a": values}))
    assert frame.schema.columns[0].levels == ("a", "b")
    assert frame.codes.ravel().tolist() == [0, -1, 1]


def test_levels_are_plain_python_values():
    levels = Frame(pd.DataFrame({"a": pd.Categorical([2, 1, 2])})).schema.columns[0].levels
    assert [type(level) for level in levels] == [int, int]
    cut = Frame(pd.DataFrame({"a": pd.cut([1.0, 2.0, 3.0], [0, 1.5, 3])})).schema.columns[0]
    assert (cut.kind, cut.levels) == ("ordinal", ("(0.0, 1.5]", "(1.5, 3.0]"))


DATES = {
    "pandas": pd.Series(pd.to_datetime(["1970-01-02 12:00", None])),
    "pandas with zone": pd.Series(pd.to_datetime(["1970-01-02 13:00", None])).dt.tz_localize("Etc/GMT-1"),
    "pandas-arrow": pd.Series(pd.to_datetime(["1970-01-02 12:00", None])).astype("timestamp[us][pyarrow]"),
    "polars": pl.Series([NOON, None]),
    "polars nanoseconds": pl.Series([NOON, None], dtype=pl.Datetime("ns")),
    "polars with zone": pl.Series([NOON, None]).dt.replace_time_zone("UTC"),
    "numpy": np.array(["1970-01-02T12", "NaT"], dtype="datetime64[h]"),
    "objects": [NOON, None],
    "objects with zone": [dt.datetime(1970, 1, 2, 12, tzinfo=dt.UTC), None],
    "index": pd.DatetimeIndex(["1970-01-02 12:00", None]),
    "timestamps": np.array([pd.Timestamp("1970-01-02 12:00"), pd.NaT], dtype=object),
    "datetime64 objects": [np.datetime64("1970-01-02T12"), np.datetime64("NaT")],
}


@pytest.mark.parametrize("values", DATES.values(), ids=DATES)
def test_dates_are_days_since_1970(values):
    frame = Frame({"a": values})
    assert frame.schema.columns == (Column("a", "numeric", source="date"),)
    np.testing.assert_array_equal(frame.matrix, [[1.5], [np.nan]])


def test_dates_of_two_time_zones_are_the_same_instant():
    east = dt.timezone(dt.timedelta(hours=1))
    values = [dt.datetime(1970, 1, 2, 12, tzinfo=dt.UTC), dt.datetime(1970, 1, 2, 13, tzinfo=east)]
    assert Frame({"a": values}).matrix.tolist() == [[1.5], [1.5]]


NUMBERS = {
    "big-endian": np.array([1, 2], dtype=">f8"),
    "half": np.array([1, 2], dtype=np.float16),
    "long": np.array([1, 2], dtype=np.longdouble),
    "bytes apart": np.array([(0, 1.0), (0, 2.0)], dtype=[("pad", "u1"), ("x", "f8")])["x"],
    "decimal": pl.Series([Decimal("1.0"), Decimal("2.0")]),
    "int128": pl.Series([1, 2], dtype=pl.Int128),
    "mixed objects": [Decimal(1), 2],
    "true among numbers": [True, 2],
    "sparse": pd.Series([1.0, 2.0]).astype("Sparse[float64]"),
    "nullable": pd.Series([1, 2], dtype="Int8"),
}


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_odd_types(values):
    frame = Frame({"a": values})
    assert frame.schema.kinds == ("numeric",)
    np.testing.assert_array_equal(frame.matrix, [[1.0], [2.0]])


def test_whole_numbers_beyond_64_bits_become_floats():
    np.testing.assert_array_equal(Frame({"a": [10**30, None]}).matrix, [[1e30], [np.nan]])
    np.testing.assert_array_equal(Frame({"a": [10**30, 1]}).matrix, [[1e30], [1.0]])


@pytest.mark.parametrize(
    "values",
    [
        [None, None],
        np.array([None, np.nan], dtype=object),
        pl.Series([None, None]),
        pd.Series([pd.NA, pd.NaT], dtype=object),
        pa.chunked_array([pa.nulls(2)]),
    ],
)
def test_a_column_without_values_is_numeric(values):
    frame = Frame({"a": values})
    assert frame.schema.kinds == ("numeric",)
    assert np.isnan(frame.matrix).all()


@pytest.mark.parametrize("gap", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, Decimal("NaN")])
def test_every_mark_of_a_missing_object(gap):
    assert Frame({"a": np.array(["x", gap], dtype=object)}).codes.tolist() == [[0], [-1]]
    assert Frame({"a": np.array([True, gap], dtype=object)}).codes.tolist() == [[1], [-1]]
    np.testing.assert_array_equal(Frame({"a": np.array([2, gap], dtype=object)}).matrix, [[2.0], [np.nan]])


def test_masked_arrays():
    masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    np.testing.assert_array_equal(Frame(masked).matrix, [[1, np.nan], [3, 4]])
    words = np.ma.masked_array([["a"], ["b"]], mask=[[0], [1]])
    assert Frame(words)["x0"].tolist() == ["a", None]


def test_arrays_of_text_and_booleans():
    assert Frame(np.array([["b", "1"], ["a", "2"]])).schema.kinds == ("nominal", "nominal")
    assert Frame(np.array([["b"], ["a"]], dtype=np.dtypes.StringDType()))["x0"].tolist() == ["b", "a"]
    assert Frame(np.array([[True], [False]])).schema.columns[0].levels == (False, True)


class HasArray:
    def __array__(self, dtype=None, copy=None):
        return np.arange(4.0).reshape(2, 2)


class HasStream:
    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table({"a": ["x", "y"]}).__arrow_c_stream__(requested_schema)


def test_other_makes_of_tables():
    np.testing.assert_array_equal(Frame(HasArray()).matrix, [[0, 1], [2, 3]])
    assert Frame(HasStream())["a"].tolist() == ["x", "y"]
    assert Frame(pa.record_batch({"a": ["x"]}))["a"].tolist() == ["x"]
    assert Frame([{"a": 1}, {"b": "x"}]).to_polars().rows() == [(1.0, None), (None, "x")]


@pytest.mark.parametrize("rows", [[[], []], np.empty((2, 0)), pd.DataFrame(index=[0, 1])])
def test_tables_without_columns_have_rows(rows):
    frame = Frame(rows)
    assert frame.shape == (2, 0)
    assert frame.numbers.shape == frame.codes.shape == (2, 0)
    assert frame[:1].shape == (1, 0)


CELLS = {
    pl.Float64: st.floats(allow_nan=False, allow_infinity=True) | st.none(),
    pl.Int64: st.integers(-(2**62), 2**62),
    pl.String: st.text(max_size=4) | st.none(),
    pl.Boolean: st.booleans() | st.none(),
    pl.Date: st.dates() | st.none(),
}


@st.composite
def polars_tables(draw):
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=5))
    n_rows = draw(st.integers(1, 12))
    columns = [
        pl.Series(f"c{j}", draw(st.lists(CELLS[kind], min_size=n_rows, max_size=n_rows)), dtype=kind)
        for j, kind in enumerate(kinds)
    ]
    return pl.DataFrame(columns)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(polars_tables())
def test_a_table_comes_back_as_it_went_in(table):
    back = Frame(table).to_polars()
    assert back.equals(table, null_equal=True)
    assert back.schema == table.schema


@settings(derandomize=True, max_examples=60, deadline=None)
@given(polars_tables())
def test_every_library_gives_the_same_frame(table):
    assume(all(series.null_count() < len(table) for series in table))  # elsewhere they have no type
    frame = Frame(table)
    others = (table.to_pandas(), table.to_arrow(), table.to_dict(as_series=False), table.to_dicts())
    for other in map(Frame, others):
        np.testing.assert_array_equal(other.codes, frame.codes)
        np.testing.assert_array_equal(other.numbers, frame.numbers)
        assert [c.levels for c in other.schema.columns] == [c.levels for c in frame.schema.columns]


def test_ordered_and_unordered_categories_come_back():
    table = pl.DataFrame(
        {
            "size": pl.Series(["L", "S", None], dtype=pl.Enum(["S", "M", "L"])),
            "fruit": pl.Series(["fig", None, "fig"], dtype=pl.Categorical),
            "when": pl.Series([dt.datetime.fromisoformat("2024-02-29T01:02:03.456789"), None, None]),
        }
    )
    back = Frame(table).to_polars()
    assert back.equals(table)
    assert back.schema == table.schema


def test_a_categorical_in_a_dict_keeps_its_order():
    frame = Frame({"size": pd.Categorical(["low", None, "high"], ["low", "high"], ordered=True)})
    assert (frame.schema.kinds, frame.schema.columns[0].levels) == (("ordinal",), ("low", "high"))
    assert frame.codes[:, 0].tolist() == [0, -1, 1]
    plain = Frame({"size": pd.Categorical(["b", "a"], ["b", "a", "c"])})
    assert (plain.schema.kinds, plain.schema.columns[0].levels) == (("nominal",), ("b", "a", "c"))
