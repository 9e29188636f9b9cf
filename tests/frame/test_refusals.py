"""What a Frame refuses, and the sentence that says so."""

from __future__ import annotations

import datetime as dt
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from hornbook.frame import Frame, as_frame, require_rows_and_columns


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.table([[1], [2], [3]], names=["a", "b", "a"]),
        {"a": [1], "b": [2], ("a",)[0] + "": [3], 1: [4], "1": [5]},
    ],
)
def test_names_that_occur_twice(data):
    with pytest.raises(ValueError, match=r"The column name '(a|1)' occurs 2 times: give every column a name"):
        Frame(data)


def test_numbers_and_text_in_one_column():
    expected = re.escape(
        "Column 'a' mixes numbers and text (row 3 holds 'x'): make it one type, for example with astype(str)."
    )
    with pytest.raises(ValueError, match=expected):
        Frame({"a": [1, None, 2.5, "x", 3]})
    with pytest.raises(ValueError, match=r"Column 'a' mixes numbers and text \(row 2 holds 7\)"):
        Frame(pd.DataFrame({"a": ["x", "y", 7]}))
    with pytest.raises(ValueError, match=r"Column 'x1' mixes booleans and text \(row 1 holds True\)"):
        Frame([[1, "yes"], [2, True]])
    with pytest.raises(ValueError, match=r"Column 'a' mixes text and dates \(row 1 holds datetime"):
        Frame({"a": ["today", dt.date(2024, 1, 1)]})
    with pytest.raises(ValueError, match="Column 'a' mixes dates with and without a time zone"):
        Frame({"a": [dt.datetime.fromisoformat("2024-01-01"), dt.datetime(2024, 1, 1, tzinfo=dt.UTC)]})


REFUSED = {
    "list": ([[1], [2]], "lists"),
    "array": ([np.ones(2), np.ones(2)], "lists"),
    "polars list": (pl.Series([[1], [2]]), "lists"),
    "polars array": (pl.Series([[1], [2]], dtype=pl.Array(pl.Int64, 1)), "lists"),
    "polars struct": (pl.Series([{"b": 1}]), "structs"),
    "pyarrow struct": (pa.chunked_array([[{"b": 1}]]), "structs"),
    "polars binary": (pl.Series([b"x"]), "binary data"),
    "bytes": ([b"x", None], "binary data"),
    "numpy bytes": (np.array([b"x"]), "binary data"),
    "polars duration": (pl.Series([dt.timedelta(1)]), "durations"),
    "numpy duration": (np.array([1], dtype="timedelta64[s]"), "durations"),
    "polars time": (pl.Series([dt.time(1)]), "times of day"),
    "pandas arrow list": (pd.Series([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int64()))), "lists"),
}


@pytest.mark.parametrize(("values", "what"), REFUSED.values(), ids=REFUSED)
def test_types_that_no_learner_can_use(values, what):
    with pytest.raises(TypeError, match=f"Column 'a' holds {what}, which no learner can use: "):
        Frame({"a": values})


@pytest.mark.parametrize(
    "cell", [{"foo": "bar"}, object(), pd.Period("2024"), np.timedelta64(1, "s"), dt.timedelta(1)]
)
def test_objects_that_are_no_cells(cell):
    with pytest.raises(TypeError, match="argument must be .* string.* number") as caught:
        Frame({"a": np.array([1.0, cell], dtype=object)})
    assert f"Column 'a' holds a {type(cell).__name__} in row 1" in str(caught.value)


@pytest.mark.parametrize("shape", [(3,), (0,)])
@pytest.mark.parametrize("make", [np.asarray, pd.Series, pl.Series, list])
def test_one_dimension(make, shape):
    with pytest.raises(ValueError, match=r"Expected 2D array, got 1D array instead.*Reshape your data"):
        as_frame(make(np.ones(shape)))


def test_other_dimensions():
    with pytest.raises(ValueError, match="Found array with dim 3"):
        as_frame(np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="Expected 2D array, got scalar array instead"):
        as_frame(np.float64(3.0))


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csr_array, sp.coo_array])
def test_sparse_data(make):
    with pytest.raises(TypeError) as caught:
        as_frame(make(np.eye(3)))
    assert str(caught.value) == (
        "Sparse data was passed for X, but dense data is required. "
        "Use '.toarray()' to convert to a dense numpy array."
    )


@pytest.mark.parametrize("data", [np.ones((2, 2)) * 1j, {"a": [1j]}, pd.DataFrame({"a": [1j]}), [[1j]]])
def test_complex_data(data):
    with pytest.raises(ValueError, match="Complex data not supported"):
        as_frame(data)


def test_uneven_rows_and_columns():
    with pytest.raises(ValueError, match="Row 1 has 1 values and row 0 has 2"):
        Frame([[1, 2], [3]])
    with pytest.raises(ValueError, match="Column 'b' has 1 rows and column 'a' has 2"):
        Frame({"a": [1, 2], "b": [1]})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("table.csv", "A table is needed; got 'table.csv': read a file first"),
        (3.0, "A table is needed; got float"),
        (pl.LazyFrame({"a": [1]}), r"A LazyFrame has no rows yet: call its collect\(\)"),
        ([[1], {"a": 1}], "A list must hold rows, either all lists or all dicts; got dict and list"),
        ({"a": 1}, "Column 'a' is of type int: pass a list"),
        ({"a": "text"}, "Column 'a' is of type str: pass a list"),
    ],
)
def test_what_is_no_table(data, sentence):
    with pytest.raises(TypeError, match=sentence):
        Frame(data)


def test_a_column_of_two_dimensions():
    with pytest.raises(ValueError, match="Column 'a' has 2 dimensions: a column must have one"):
        Frame({"a": np.ones((2, 2))})


def test_a_number_that_no_float_can_hold():
    with pytest.raises(ValueError, match="Column 'a' holds a number too large for a float"):
        Frame({"a": [10**400, 1]})


def test_tables_without_rows_or_columns():
    with pytest.raises(
        ValueError, match=r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\."
    ):
        require_rows_and_columns(as_frame(np.empty((12, 0))))
    with pytest.raises(
        ValueError, match=r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."
    ):
        require_rows_and_columns(as_frame(np.empty((0, 3))))
    with pytest.raises(ValueError, match=r"0 feature\(s\) \(shape=\(1, 0\)\)"):
        require_rows_and_columns(Frame({"y": [1]}, target="y"))
    require_rows_and_columns(as_frame([[1.0]]))
