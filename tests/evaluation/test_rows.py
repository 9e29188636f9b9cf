"""Rows of tables of any make."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from hornbook import Baseline, NaiveBayes, compare, datasets
from hornbook.evaluation.splits._rows import count_rows, stack_rows, take_rows
from hornbook.frame import Frame

ROWS = [2, 0, 2]
COLUMNS = {"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]}


@pytest.mark.parametrize(
    ("table", "cells"),
    [
        (Frame(COLUMNS), lambda t: (t["a"].tolist(), t["b"].tolist())),
        (pd.DataFrame(COLUMNS, index=[7, 8, 9]), lambda t: (t["a"].tolist(), t["b"].tolist())),
        (pl.DataFrame(COLUMNS), lambda t: (t["a"].to_list(), t["b"].to_list())),
        (pa.table(COLUMNS), lambda t: (t["a"].to_pylist(), t["b"].to_pylist())),
    ],
    ids=["Frame", "pandas", "polars", "pyarrow"],
)
def test_a_table_stays_what_it_is(table, cells):
    taken = take_rows(table, ROWS)
    assert type(taken) is type(table)
    assert cells(taken) == ([3.0, 1.0, 3.0], ["z", "x", "z"])
    assert cells(take_rows(table, [False, True, True])) == ([2.0, 3.0], ["y", "z"])
    assert cells(take_rows(table, [])) == ([], [])


@pytest.mark.parametrize(
    "column",
    [
        np.array([1, 2, 3]),
        pd.Series([1, 2, 3], index=[7, 8, 9]),
        pl.Series([1, 2, 3]),
        pa.chunked_array([[1, 2, 3]]),
    ],
    ids=["numpy", "pandas", "polars", "pyarrow"],
)
def test_a_column_stays_what_it_is(column):
    taken = take_rows(column, np.array(ROWS))
    assert type(taken) is type(column)
    assert np.asarray(taken).tolist() == [3, 1, 3]


def test_pandas_keeps_its_labels():
    assert take_rows(pd.DataFrame(COLUMNS, index=[7, 8, 9]), ROWS).index.tolist() == [9, 7, 9]


def test_lists_sparse_matrices_and_nothing():
    assert take_rows(["x", "y", "z"], ROWS) == ["z", "x", "z"]
    assert take_rows(([1, 2], [3, 4]), [1]) == [[3, 4]]
    assert take_rows(sparse.csr_array(np.eye(3)), ROWS).toarray().tolist() == np.eye(3)[ROWS].tolist()
    assert take_rows(None, ROWS) is None
    assert take_rows(np.eye(3), ROWS).tolist() == np.eye(3)[ROWS].tolist()


def test_a_dict_of_columns_is_a_table():
    table = {"length": np.array([4.3, 5.2, 6.0]), "color": ["red", "blue", "green"]}
    assert count_rows(table) == 3
    taken = take_rows(table, [2, 0])
    assert (taken["length"].tolist(), taken["color"]) == ([6.0, 4.3], ["green", "red"])
    stacked = stack_rows([taken, table])
    assert stacked["length"].tolist() == [6.0, 4.3, 4.3, 5.2, 6.0]
    assert stacked["color"] == ["green", "red", "red", "blue", "green"]


def test_a_dict_is_compared_as_its_frame():
    iris = datasets.iris()
    columns = {name: iris[name] for name in iris.features.schema.names}
    learners = {"bayes": NaiveBayes(), "baseline": Baseline()}
    verdicts = [compare(learners, X, iris.y, cv=3) for X in (columns, iris.features)]
    assert verdicts[0].scores.values.tolist() == verdicts[1].scores.values.tolist()


@pytest.mark.parametrize(
    ("table", "sizes"), [({}, "no columns"), ({"a": [1, 2], "b": [1, 2, 3]}, "of 2 to 3 rows")]
)
def test_columns_of_different_lengths(table, sizes):
    with pytest.raises(ValueError, match=f"one value for each row; got {sizes}"):
        count_rows(table)
