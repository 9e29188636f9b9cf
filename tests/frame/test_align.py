"""New tables brought into the form of the fitted one."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.frame import Frame, align

FITTED = Frame({"age": [1.0, 2.0, 3.0], "color": ["red", "green", "blue"], "ok": [True, False, True]})


def test_the_same_schema_is_the_same_frame():
    assert align(FITTED, FITTED.schema) is FITTED
    again = Frame({"age": [1.0], "color": ["red"], "ok": [True]})
    aligned = align(again, FITTED.schema)
    assert aligned.schema is FITTED.schema
    assert aligned.codes.tolist() == [[2, 1]]


def test_levels_are_those_of_the_fit(table):
    frame = Frame(table({"age": [5, 6], "color": ["green", "red"], "ok": [True, True]}))
    aligned = align(frame, FITTED.schema)
    assert aligned.codes.tolist() == [[1, 1], [2, 1]]
    assert aligned.schema is FITTED.schema


def test_unseen_categories_are_missing_with_one_warning():
    rows = {"age": [1.0] * 5, "color": ["pink", "red", "gold", "plum", "teal"], "ok": [None] * 5}
    sentence = (
        "Categories that were not there at fit count as missing: column 'color' has 'gold', 'pink', 'plum'"
    )
    with pytest.warns(UserWarning, match=f"{sentence} and 1 more") as caught:
        aligned = align(Frame(rows), FITTED.schema)
    assert len(caught) == 1
    assert aligned.codes.tolist() == [[-1, -1], [2, -1], [-1, -1], [-1, -1], [-1, -1]]


def test_two_columns_with_unseen_categories_make_one_warning():
    fitted = Frame({"a": ["x"], "b": ["y"]})
    with pytest.warns(UserWarning, match="column 'a' has 'p'; column 'b' has 'q'") as caught:
        align(Frame({"a": ["p"], "b": ["q"]}), fitted.schema)
    assert len(caught) == 1


def test_declared_levels_that_do_not_occur_are_no_reason_to_warn():
    frame = Frame({"a": pd.Categorical(["x"], categories=["x", "new"])})
    assert align(frame, Frame({"a": ["x", "y"]}).schema).codes.tolist() == [[0]]


def test_extended_levels():
    grown = align(Frame({"a": ["z", "x", "b"]}), Frame({"a": ["x", "y"]}).schema, extend=True)
    assert grown.schema.columns[0].levels == ("x", "y", "b", "z")
    assert grown.codes.ravel().tolist() == [3, 0, 2]
    assert grown["a"].tolist() == ["z", "x", "b"]
    same = align(Frame({"a": ["x"]}), grown.schema, extend=True)
    assert same.schema is grown.schema


def test_numbers_marked_as_categories_at_fit():
    fitted = Frame(np.array([[1.0, 10.0], [2.0, 30.0]]), kinds={1: "nominal"})
    aligned = align(Frame(np.array([[7.0, 30.0], [8.0, np.nan]])), fitted.schema)
    assert aligned.codes.tolist() == [[1], [-1]]
    assert align(Frame([[7, 10]]), fitted.schema).codes.tolist() == [[0]]
    with pytest.warns(UserWarning, match=r"column 'x1' has 20\.0"):
        assert align(Frame(np.array([[7.0, 20.0]])), fitted.schema).codes.tolist() == [[-1]]
    grown = align(Frame(np.array([[7.0, 20.0]])), fitted.schema, extend=True)
    assert grown.schema.columns[1].levels == (10.0, 30.0, 20.0)


def test_booleans_may_come_as_numbers():
    fitted = Frame({"a": [True, False]})
    assert align(Frame({"a": [0.0, 1.0, np.nan]}), fitted.schema).codes.ravel().tolist() == [0, 1, -1]


def test_a_column_without_values_fits_any_kind():
    frame = Frame({"age": [None], "color": [None], "ok": [None]})
    aligned = align(frame, FITTED.schema)
    assert np.isnan(aligned.numbers).all()
    assert aligned.codes.tolist() == [[-1, -1]]
    words = Frame({"age": pd.Series([None], dtype="str"), "color": ["red"], "ok": [True]})
    assert np.isnan(align(words, FITTED.schema).numbers).all()


@pytest.mark.parametrize(
    ("column", "values", "sentence"),
    [
        (
            "age",
            ["young", None],
            "Column 'age' held numbers at fit, and now row 0 holds 'young': .*astype(float)",
        ),
        ("age", [None, True], "Column 'age' held numbers at fit, and now row 1 holds True"),
        (
            "color",
            [None, 7],
            "Column 'color' held categories such as 'blue', 'green', 'red' .* row 1 holds 7.0: .*(str)",
        ),
        (
            "ok",
            ["yes", "no"],
            "Column 'ok' held categories such as False, True at fit, and now row 0 holds 'yes'",
        ),
    ],
)
def test_columns_that_changed_their_type(column, values, sentence):
    columns = {"age": [1.0, 2.0], "color": ["red", "red"], "ok": [True, True]} | {column: values}
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        align(Frame(columns), FITTED.schema)


def test_another_number_of_columns():
    with pytest.raises(
        ValueError, match="X has 1 features, but 3 features are expected as input: .*'age', 'color'"
    ):
        align(Frame({"age": [1.0]}), FITTED.schema)


def test_roles_are_left_out_or_kept_as_the_schema_says():
    frame = Frame({"a": ["x", "y"], "y": [0, 1]}, target="y")
    assert align(frame, frame.schema.features).schema.names == ("a",)
    other = Frame({"a": ["y", "y"], "y": [0, 1]}, target="y")
    assert align(other, frame.schema).codes.tolist() == [[1], [1]]
    assert align(other, frame.schema).y.tolist() == [0, 1]


def test_an_array_keeps_its_memory():
    X = np.ones((2, 3))
    fitted = Frame({"a": [1.0], "b": [2.0], "c": [3.0]})
    aligned = align(Frame(X), fitted.schema)
    assert aligned.matrix is X
    assert aligned.schema is fitted.schema


words = st.lists(st.sampled_from("abcde") | st.none(), min_size=1, max_size=8)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(words, words)
def test_aligning_twice_changes_nothing(fitted, new):
    schema = Frame({"a": pd.Series(fitted, dtype="str")}).schema
    frame = Frame({"a": pd.Series(new, dtype="str")})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        once = align(frame, schema)
    assert align(once, schema) is once
    known = set(schema.columns[0].levels)
    assert once["a"].tolist() == [word if word in known else None for word in new]
    grown = align(frame, schema, extend=True)
    assert grown["a"].tolist() == new
    assert grown.schema.columns[0].levels[: len(known)] == schema.columns[0].levels
    assert align(grown, grown.schema, extend=True) is grown
