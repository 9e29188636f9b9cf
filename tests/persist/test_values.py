"""Every kind of value that a model can hold goes to JSON and arrays and back; others are named."""

from __future__ import annotations

import enum
import functools
import json
import math
import sys
import types
from collections import OrderedDict, namedtuple
from dataclasses import dataclass, fields
from typing import Any, Literal, get_type_hints

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from tests.persist.same import same

from hornbook import Baseline, NaiveBayes
from hornbook.frame import Column, Schema
from hornbook.persist import ModelFileError
from hornbook.persist._closed_list import find_record, record_name
from hornbook.persist._decode import Unpacker
from hornbook.persist._encode import Packer, Place
from hornbook.persist._errors import Damaged
from hornbook.persist._fields import fits
from hornbook.registry import RECORDS

PLACE = Place("NaiveBayes", "parameter", "priors")
facts = settings(derandomize=True, max_examples=300, deadline=None)


def packed(value):
    packer = Packer()
    return json.dumps(packer.value(value, PLACE), allow_nan=False), packer.arrays


def unpacked(text, arrays=(), max_bytes=2**20):
    def array(index, dtype, shape):
        assert (arrays[index].dtype.str, arrays[index].shape) == (dtype, shape)
        return arrays[index]

    return Unpacker(array, max_bytes).value(json.loads(text))


def there_and_back(value):
    return unpacked(*packed(value))


text = st.text(st.characters(codec=None), max_size=5)
numbers = st.floats() | st.integers(-(2**70), 2**70)
scalars = st.none() | st.booleans() | numbers | text
numpy_scalars = arrays.from_dtype(np.dtype("f4")) | st.sampled_from(
    [np.bool_(True), np.int8(-3), np.uint64(2**64 - 1), np.float16(0.1), np.float64("nan"), np.str_("é")]
)
shapes = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
number_types = st.sampled_from(["?", "i1", "u1", "<i2", ">i4", "<i8", "<u8", "f2", "<f4", ">f8", "f8"])
number_arrays = arrays.arrays(number_types, shapes)
text_arrays = arrays.arrays("U4", shapes) | arrays.arrays("S3", shapes)
object_arrays = arrays.arrays(object, shapes, elements=scalars | numpy_scalars)
leaves = scalars | numpy_scalars | number_arrays | text_arrays | object_arrays
keys = text | st.integers() | st.booleans() | st.none() | st.tuples(text, st.integers())
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=8,
)


def little(value):
    """The value with arrays in the byte order that files have."""
    if isinstance(value, np.ndarray):
        return value.astype(value.dtype.newbyteorder("<"))
    if isinstance(value, list | tuple):
        return type(value)(map(little, value))
    return {key: little(item) for key, item in value.items()} if isinstance(value, dict) else value


@facts
@given(values)
def test_values_come_back_equal(value):
    assert same(there_and_back(value), little(value))


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 2**64, -1, True, "", None],
    ids=repr,
)
def test_plain_values_come_back_exactly(value):
    assert same(there_and_back(value), value)


def test_a_view_and_a_memory_map_are_stored_as_plain_arrays(tmp_path):
    whole = np.arange(20.0).reshape(4, 5)
    mapped = np.memmap(tmp_path / "map", dtype="f8", mode="w+", shape=(4, 5))
    mapped[:] = whole
    for value in (whole[::2, ::-1], whole.T, np.asfortranarray(whole), mapped):
        _, (stored,) = packed(value)
        assert type(stored) is np.ndarray
        assert stored.flags.c_contiguous
        np.testing.assert_array_equal(stored, value)


def test_records_come_back_and_are_shared():
    column = Column("color", "nominal", levels=("green", 3, 2.5, True), source="category")
    schema = Schema((column, Column("n", "numeric"), column), named=True)
    back = there_and_back([schema, column, schema])
    assert back == [schema, column, schema]
    assert back[0] is back[2]
    assert back[0].columns[0] is back[0].columns[2] is back[1]


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_of_the_registry_has_fields_that_can_be_checked(name):
    cls = find_record(name)
    assert {field.name for field in fields(cls)} == set(get_type_hints(cls))


@dataclass(frozen=True)
class Renamed:
    width: float


def test_files_know_a_record_by_its_name_in_the_table_not_by_its_class(monkeypatch):
    module = types.SimpleNamespace(Renamed=Renamed)
    monkeypatch.setitem(sys.modules, "module_of_today", module)
    monkeypatch.setitem(RECORDS, "Width", "module_of_today:Renamed")
    assert record_name(Renamed(2.5)) == "Width"
    assert find_record("Width") is Renamed
    assert record_name(Shade.DARK) is None


class Shade(enum.IntEnum):
    DARK = 1


class Schemata(Schema):
    pass


Pair = namedtuple("Pair", "a b")  # noqa: PYI024 - the plain form is what the test is about

REFUSED = {
    "generator": (np.random.RandomState(0), "a RandomState", "pass an integer seed"),
    "new generator": (np.random.default_rng(0), "a Generator", "pass an integer seed"),
    "function": (len, "a builtin_function_or_method", "use one of the choices that have a name"),
    "lambda": (lambda x: x, "a function", "use one of the choices that have a name"),
    "partial": (functools.partial(int), "a partial", "use one of the choices that have a name"),
    "class": (Schema, "a type", "use one of the choices that have a name"),
    "foreign": (LogisticRegression(), "a LogisticRegression", "use one of Hornbook's own learners"),
    "series": (pd.Series([1.0]), "a Series", "pass numbers, texts, lists or NumPy arrays"),
    "object": (object(), "an object", "pass numbers, texts, lists or NumPy arrays"),
    "bytes": (b"x", "a bytes", "pass numbers, texts, lists or NumPy arrays"),
    "set": ({1}, "a set", "pass numbers, texts, lists or NumPy arrays"),
    "complex": (1j, "a complex", "pass numbers, texts, lists or NumPy arrays"),
    "subclass of int": (Shade.DARK, "a Shade", "pass numbers, texts, lists or NumPy arrays"),
    "subclass of dict": (OrderedDict(a=1), "an OrderedDict", "pass numbers, texts, lists or NumPy arrays"),
    "subclass of tuple": (Pair(1, 2), "a Pair", "pass numbers, texts, lists or NumPy arrays"),
    "subclass of a record": (Schemata((), named=True), "a Schemata", "pass numbers, texts"),
    "masked": (np.ma.masked_array([1.0]), "a MaskedArray", "pass numbers, texts, lists or NumPy arrays"),
    "complex array": (np.array([1j]), "an array of complex128", "pass numbers, texts, lists or NumPy arrays"),
    "dates": (np.array(["2024-01-01"], "M8[D]"), r"an array of datetime64\[D\]", "pass numbers"),
    "fields": (np.array([(1, 2)], "i4,i4"), "an array of ", "pass numbers, texts, lists or NumPy arrays"),
    "new texts": (np.array(["a"], np.dtypes.StringDType()), "an array of StringDType", "pass numbers"),
    "long double": (np.longdouble(1), "a longdouble", "pass numbers, texts, lists or NumPy arrays"),
    "date": (np.datetime64("2024-01-01"), "a datetime64", "pass numbers, texts, lists or NumPy arrays"),
    "list inside": (np.array([[1], None], dtype=object), "a list", "pass numbers, texts, lists or NumPy"),
}


@pytest.mark.parametrize(("value", "what", "remedy"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize(
    "wrap", [lambda x: x, lambda x: [1, (x,)], lambda x: {"k": x}], ids=["", "in a list", "in a dict"]
)
def test_what_is_not_data_is_refused_by_name(value, what, remedy, wrap):
    sentence = (
        f"^NaiveBayes: parameter 'priors' holds {what}.*, which a model file cannot hold: {remedy}.*[.]$"
    )
    with pytest.raises(ModelFileError, match=sentence):
        packed(wrap(value))


def test_an_attribute_is_refused_by_its_own_name():
    model = Baseline().fit([[1.0]], [0])
    model.members_ = [NaiveBayes(priors=len).set_params(alpha=2.0)]
    with pytest.raises(ModelFileError, match="^NaiveBayes: parameter 'priors' holds a builtin"):
        Packer().learner(model)
    model.members_ = {"best": object()}
    with pytest.raises(
        ModelFileError, match="^Baseline: attribute 'members_' holds an object, .* delete it, or"
    ):
        Packer().learner(model)


def test_values_that_hold_themselves_are_refused():
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ModelFileError, match="'priors' is nested more than 64 deep, or holds itself"):
        packed(loop)


def test_what_can_be_saved_can_be_loaded_however_deep():
    for wrap in (lambda x: [x], lambda x: (x,), lambda x: {0: x}):
        value: Any = 1
        for _ in range(63):
            value = wrap(value)
        assert same(there_and_back(value), value)
        with pytest.raises(ModelFileError, match="64 deep"):
            packed(wrap(value))


def test_integers_without_end_are_refused():
    assert same(there_and_back(2**1999), 2**1999)
    with pytest.raises(ModelFileError, match="'priors' holds an integer of 2001 bits: pass a smaller one"):
        packed(2**2000)


CANNOT_BE = {
    "no type": {"value": 1},
    "unknown type": {"type": "object"},
    "type of another type": {"type": ["tuple"]},
    "extra entry": {"type": "tuple", "items": [], "more": 1},
    "missing entry": {"type": "tuple"},
    "items of another type": {"type": "tuple", "items": "abc"},
    "pairs of three": {"type": "dict", "items": [[1, 2, 3]]},
    "one key twice": {"type": "dict", "items": [[1, 2], [1, 3]]},
    "number in words": {"type": "float", "value": "1e5"},
    "unknown number": {"type": "scalar", "dtype": "<c16", "value": 1.0},
    "number out of range": {"type": "scalar", "dtype": "|i1", "value": 1.5},
    "number of another kind": {"type": "scalar", "dtype": "<f8", "value": 1},
    "truth as number": {"type": "scalar", "dtype": "<i4", "value": True},
    "number that does not fit": {"type": "scalar", "dtype": "<f4", "value": 0.1},
    "objects as array": {"type": "array", "index": 0, "dtype": "|O", "shape": [1]},
    "negative shape": {"type": "array", "index": 0, "dtype": "<f8", "shape": [-1]},
    "truth as shape": {"type": "array", "index": 0, "dtype": "<f8", "shape": [True]},
    "many dimensions": {"type": "array", "index": 0, "dtype": "<f8", "shape": [1] * 33},
    "truth as index": {"type": "array", "index": True, "dtype": "<f8", "shape": []},
    "too few labels": {"type": "labels", "dtype": "<U3", "shape": [2], "values": ["a"]},
    "too long a label": {"type": "labels", "dtype": "<U1", "shape": [1], "values": ["ab"]},
    "number as text": {"type": "labels", "dtype": "<U1", "shape": [1], "values": [1]},
    "unknown labels": {"type": "labels", "dtype": "<M8[D]", "shape": [1], "values": ["2024-01-01"]},
    "endless width": {"type": "labels", "dtype": "<U99999999999999", "shape": [1], "values": ["a"]},
    "too wide": {"type": "labels", "dtype": "<U999999", "shape": [1], "values": ["a"]},
    "list as label": {"type": "labels", "dtype": "|O", "shape": [1], "values": [[1]]},
    "unknown record": {"type": "record", "class": "Path", "fields": {}},
    "record by path": {"type": "record", "class": "hornbook.frame.Schema", "fields": {}},
    "record of another type": {"type": "record", "class": ["Schema"], "fields": {}},
    "record without a field": {"type": "record", "class": "Schema", "fields": {"named": True}},
    "wrong field": {"type": "record", "class": "Schema", "fields": {"named": True, "columns": [1]}},
    "record not there": {"type": "again", "record": 0},
    "unknown learner": {"type": "learner", "class": "Pipeline", "parameters": {}, "state": {}},
    "learner without its learner": {"type": "learner", "class": "Scaled", "parameters": {}, "state": {}},
}


@pytest.mark.parametrize("node", CANNOT_BE.values(), ids=CANNOT_BE)
def test_what_cannot_be_is_refused(node):
    with pytest.raises(Damaged):
        unpacked(json.dumps(node))


def test_depth_is_limited():
    node: Any = 1
    for _ in range(66):
        node = {"type": "tuple", "items": [node]}
    with pytest.raises(Damaged, match="nested more than 64 deep"):
        unpacked(json.dumps(node))


@dataclass(frozen=True)
class Anything:
    pass


@pytest.mark.parametrize(
    ("value", "hint", "answer"),
    [
        (1, int, True),
        (np.int64(1), int, True),
        (True, int, False),
        (1.0, int, False),
        (1, float, True),
        (np.float32(1), float, True),
        (False, float, False),
        (np.bool_(True), bool, True),
        (1, bool, False),
        ("a", str, True),
        (None, type(None), True),
        (None, int | None, True),
        ("a", int | None, False),
        ("a", Literal["a", "b"], True),
        ("c", Literal["a", "b"], False),
        (1, Literal[True], False),
        ((1, 2), tuple[int, ...], True),
        ([1, 2], tuple[int, ...], False),
        ((1, "a"), tuple[int, ...], False),
        ((1, "a"), tuple[int, str], True),
        ((1,), tuple[int, str], False),
        ([1.0], list[float], True),
        (["a"], list[float], False),
        ({"a": 1}, dict[str, int], True),
        ({1: 1}, dict[str, int], False),
        ({"a": "b"}, dict[str, int], False),
        (np.zeros(1), NDArray[np.float64], True),
        (np.zeros(1, "f4"), NDArray[np.float64], False),
        (np.zeros(1, np.longlong), NDArray[np.int64], True),
        (np.zeros(1, np.dtype("long")), NDArray[np.int64], True),
        (np.zeros(1, "u8"), NDArray[np.int64], False),
        (np.zeros(1, "i4"), NDArray[np.integer[Any]] | None, True),
        (np.zeros(1), NDArray[np.integer[Any]] | None, False),
        (np.zeros(1), NDArray[Any], True),
        ([0.0], NDArray[np.float64], False),
        (Anything(), Anything, True),
        (1, Anything, False),
        (1, Any, True),
    ],
)
def test_fields_are_held_against_their_annotations(value, hint, answer):
    assert fits(value, hint) is answer
