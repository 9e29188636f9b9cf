"""Columns and schemas."""

from __future__ import annotations

import pickle
from copy import deepcopy

import numpy as np
import pytest

from hornbook.frame import Column, Frame, Schema

SCHEMA = Schema(
    (
        Column("age", "numeric"),
        Column("color", "nominal", levels=("green", "red"), source="text"),
        Column("size", "ordinal", levels=("S", "L"), source="category"),
        Column("y", "numeric", "target"),
    ),
    named=True,
)


def test_views_of_a_schema():
    assert SCHEMA.names == ("age", "color", "size", "y")
    assert SCHEMA.kinds == ("numeric", "nominal", "ordinal", "numeric")
    assert SCHEMA.numeric.tolist() == [0, 3]
    assert SCHEMA.coded.tolist() == [1, 2]
    assert SCHEMA.places.tolist() == [0, -1, -2, 1]
    assert len(SCHEMA) == 4
    assert SCHEMA.features.names == ("age", "color", "size")
    assert SCHEMA.features.features is SCHEMA.features
    assert (SCHEMA.find("target"), SCHEMA.find("weight"), SCHEMA.find("feature")) == (3, None, 0)


def test_positions_are_not_changed_by_accident():
    with pytest.raises(ValueError, match="read-only"):
        SCHEMA.numeric[0] = 9


def test_positions():
    assert [SCHEMA.position(key) for key in ("size", 2, -1, np.int64(1))] == [2, 2, 3, 1]


def test_schemas_compare_by_what_they_say():
    again = pickle.loads(pickle.dumps(SCHEMA))  # noqa: S301
    assert again == SCHEMA
    assert Schema(SCHEMA.columns, named=False) != SCHEMA
    assert Frame(np.ones((2, 3))).schema is Frame(np.ones((5, 3))).schema


def test_ready_columns():
    columns = [np.array([1.0]), np.array([1], dtype=np.int32), np.array([-1], dtype=np.int32), np.array([2])]
    frame = Frame.from_columns(SCHEMA, columns)
    assert frame.to_polars().rows() == [(1.0, "red", None, 2)]
    assert Frame.from_columns(Schema((), named=True), [], 7).shape == (7, 0)


def test_the_schema_of_an_array_is_plain():
    plain = Frame(np.zeros((1, 3))).schema
    assert plain.plain
    assert deepcopy(Schema(plain.columns, named=False)).plain
    named = Schema(plain.columns, named=True)
    other = Schema((*plain.columns[:2], Column("x2", "nominal", levels=(1.0,))), named=False)
    assert not any(schema.plain for schema in (named, other, SCHEMA))
