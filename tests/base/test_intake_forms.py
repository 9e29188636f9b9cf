"""Targets and rows in the forms that other libraries have for them."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import hornbook
from hornbook import DecisionTreeClassifier, Frame, LinearRegression, NaiveBayes
from hornbook.base import Accepts

X = np.arange(12.0).reshape(6, 2)
LABELS = ["a", "b", "a", "b", "b", "a"]
MISSING = "Input y contains NaN: drop the rows whose target is missing."


@pytest.mark.parametrize(
    "y",
    [
        pa.array(LABELS),
        pa.chunked_array([LABELS[:2], LABELS[2:]]),
        pa.array(LABELS).dictionary_encode(),
        pa.array(LABELS, pa.large_string()),
    ],
)
def test_a_target_of_pyarrow_is_that_of_a_list(y):
    expected = NaiveBayes().fit(X, LABELS)
    model = NaiveBayes().fit(X, y)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert np.array_equal(model.predict_proba(X), expected.predict_proba(X))


def test_numbers_and_truth_values_of_pyarrow():
    assert NaiveBayes().fit(X, pa.array([True, False] * 3)).classes_.tolist() == [False, True]
    numbers = [1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    expected = LinearRegression().fit(X, numbers).predict(X)
    for kind in (pa.float32(), pa.decimal128(10, 2), pa.decimal256(50, 2)):
        y = pa.array([Decimal(str(number)) for number in numbers]) if pa.types.is_decimal(kind) else numbers
        assert np.allclose(LinearRegression().fit(X, pa.array(y, kind)).predict(X), expected, atol=1e-6)


@pytest.mark.parametrize(
    "y",
    [
        pa.array(["a", None] * 3),
        ["a", pd.NA] * 3,
        pd.Series(["a", pd.NA] * 3),
        pd.Series(["a", pd.NA] * 3, dtype="string"),
        pd.Series([True, pd.NA] * 3, dtype="boolean"),
        pd.Series([1, pd.NA] * 3, dtype="Int64"),
        [1, pd.NaT] * 3,
        [Decimal(1), Decimal("NaN")] * 3,
        [Decimal(1), Decimal("sNaN")] * 3,
    ],
)
def test_a_target_with_gaps_is_refused_in_one_sentence(y):
    with pytest.raises(ValueError, match=MISSING):
        NaiveBayes().fit(X, y)


def test_weights_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="sample_weight contains .* in row 0: weights are numbers >= 0"):
        NaiveBayes().fit(X, LABELS, sample_weight=["heavy"] * 6)
    weighted = NaiveBayes().fit(X, LABELS, sample_weight=pa.array([1, 2, 1, 2, 1, 2]))
    expected = NaiveBayes().fit(X, LABELS, sample_weight=[1, 2, 1, 2, 1, 2])
    assert np.array_equal(weighted.predict_proba(X), expected.predict_proba(X))


@pytest.fixture(scope="module")
def model():
    return NaiveBayes().fit({"color": ["red", "blue"] * 3, "size": [1.0, 2, 3, 4, 5, 6]}, LABELS)


def test_a_dict_with_one_value_a_column_is_one_row(model):
    table = pd.DataFrame({"color": ["red"], "size": [2.0]})
    expected = model.predict_proba(table)
    assert np.array_equal(model.predict_proba({"color": "red", "size": 2.0}), expected)
    assert np.array_equal(model.predict_proba({"size": 2, "color": "red"}), expected)
    assert model.predict({"size": np.float32(2), "color": "red"}).tolist() == model.predict(table).tolist()


def test_a_dict_says_which_column_is_which(model):
    rows = {"color": ["red", None], "size": [2.0, 5.0]}
    turned = {"size": rows["size"], "color": rows["color"]}
    assert np.array_equal(model.predict_proba(turned), model.predict_proba(rows))
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.predict(pd.DataFrame(turned))  # a DataFrame has an order


def test_a_row_with_gaps(model):
    assert np.array_equal(
        model.predict_proba({"color": pd.NA, "size": None}),
        model.predict_proba([{"color": None, "size": float("nan")}]),
    )


def test_a_row_that_lacks_a_column_or_has_another_is_refused(model):
    with pytest.raises(ValueError, match="yet now missing:\n- size"):
        model.predict({"color": "red"})
    with pytest.raises(ValueError, match="unseen at fit time:\n- weight"):
        model.predict({"color": "red", "size": 1.0, "weight": 2.0})


def test_a_dict_of_one_value_and_a_list_is_refused(model):
    with pytest.raises(TypeError, match="Column 'color' is of type str: pass a list or array"):
        model.predict({"color": "red", "size": [1.0, 2.0]})


@pytest.mark.parametrize("index", [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.int8(), pa.int64()])
def test_dictionaries_of_pyarrow_with_any_index(index):
    cells = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 1], index), pa.array(["x", "y"]))
    for table in (pa.table({"a": cells}), {"a": cells}):
        frame = hornbook.Frame(table)
        assert frame.column("a").tolist() == [0, 1, -1, 1]
        assert frame.schema.columns[0].levels == ("x", "y")


def test_decimals_of_256_bits_are_numbers():
    cells = pa.array([Decimal("1.5"), None], pa.decimal256(40, 2))
    for table in (pa.table({"a": cells}), {"a": cells}):
        assert np.array_equal(hornbook.Frame(table).column("a"), [1.5, np.nan], equal_nan=True)


def test_a_signaling_decimal_is_missing():
    frame = hornbook.Frame({"a": [Decimal("sNaN"), Decimal(1), Decimal("NaN")]})
    assert np.array_equal(frame.column("a"), [np.nan, 1, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    "table",
    [
        {"a": ["fine", "x\ud800"]},
        pd.DataFrame({"a": ["fine", "x\ud800"]}, dtype=object),
        [{"a": "fine"}, {"a": "x\ud800"}],
    ],
)
def test_text_that_is_no_unicode_is_refused_with_its_row(table):
    with pytest.raises(ValueError, match=r"Column 'a' holds 'x\\ud800' in row 1, which is not valid text"):
        hornbook.Frame(table)


@pytest.mark.parametrize(
    "table",
    [
        {"x\ud800": [1.0, 2.0]},
        pd.DataFrame([[1.0], [2.0]], columns=pd.Index(["x\ud800"], dtype=object)),
        [{"x\ud800": 1.0}, {"x\ud800": 2.0}],
    ],
)
def test_a_column_name_that_is_no_unicode_is_refused(table):
    with pytest.raises(ValueError, match=r"A column has the name 'x\\ud800', which is not valid text"):
        hornbook.Frame(table)


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical.from_codes([0, 1], pd.Index(["fine", "x\ud800"], dtype=object)),
        pd.Series(pd.Categorical.from_codes([0, 1], pd.Index(["fine", "x\ud800"], dtype=object))),
        pd.Series(["fine", "x\ud800"], dtype=pd.StringDtype("python")),
    ],
)
def test_a_level_that_is_no_unicode_is_refused(column):
    with pytest.raises(ValueError, match=r"Column 'a' has the level 'x\\ud800', which is not valid text"):
        hornbook.Frame({"a": column})


def test_levels_given_for_a_column_must_be_unicode():
    with pytest.raises(ValueError, match=r"Column 'a' has the level 'x\\ud800', which is not valid text"):
        hornbook.Frame({"a": ["fine"]}, kinds={"a": ["fine", "x\ud800"]})


@pytest.mark.parametrize(
    "y",
    [
        [*LABELS[:5], "x\ud800"],
        np.array([*LABELS[:5], "x\ud800"]),
        np.array([*LABELS[:5], "x\ud800"], dtype=">U3"),
        np.array([LABELS, [*LABELS[:5], "x\ud800"]]).T[:, 1],
        np.array([*LABELS[:5], "x\ud800"], dtype=object),
        pd.Series([*LABELS[:5], "x\ud800"], dtype=pd.StringDtype("python")),
        pd.Categorical.from_codes([0, 1, 0, 1, 1, 2], pd.Index(["a", "b", "x\ud800"], dtype=object)),
    ],
)
def test_a_label_that_is_no_unicode_is_refused(y):
    message = r"The target y holds 'x\\ud800', which is not valid text \(a lone surrogate\): read the file"
    for model in (NaiveBayes(), LinearRegression()):
        with pytest.raises(ValueError, match=message):
            model.fit(X, y)
    with pytest.raises(ValueError, match=message):
        NaiveBayes().partial_fit(X, LABELS, classes=["a", "b", "x\ud800"])


def test_the_name_of_a_target_must_be_unicode():
    with pytest.raises(ValueError, match=r"The target y has the name 'x\\ud800', which is not valid text"):
        NaiveBayes().fit(X, pd.Series(LABELS, name="x\ud800"))


def test_text_beyond_the_first_plane_is_text():
    frame = hornbook.Frame({"\U0001d800": pd.Categorical(["\U0001f600", "b"])})
    assert frame.schema.columns[0].levels == ("b", "\U0001f600")
    assert NaiveBayes().fit(X, ["\U0001f600", "b"] * 3).classes_.tolist() == ["b", "\U0001f600"]


ROWS = np.random.default_rng(0).normal(size=(300, 3)).astype(np.float32)


@pytest.mark.parametrize("learner", [NaiveBayes(), DecisionTreeClassifier(), LinearRegression()])
def test_a_few_rows_of_an_array_are_answered_like_any_others(learner):
    model = learner.fit(ROWS, ROWS.argmax(axis=1))
    loaded = deepcopy(model)
    few = ROWS[:2]
    expected = model.predict(Frame(few))
    for rows in (
        few,
        few.astype(float),
        np.asfortranarray(few),
        few[::-1][::-1],
        few.tolist(),
        few.astype(">f4"),
    ):
        assert np.array_equal(model.predict(rows), expected)
        assert np.array_equal(loaded.predict(rows), expected)


class Strict(NaiveBayes):
    accepts = Accepts(missing=False)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("cell", "message"), [(np.inf, "infinity.*column 'x1', row 0"), (np.nan, "contains NaN: column 'x1'")]
)
def test_a_bad_cell_of_one_row_is_named(kind, cell, message):
    model = Strict().fit(ROWS, ROWS.argmax(axis=1))
    with pytest.raises(ValueError, match=message):
        model.predict(np.array([[0.0, cell, 0.0]], dtype=kind))
    with pytest.raises(ValueError, match="X has 2 features, but .* is expecting 3 features"):
        model.predict(np.zeros((1, 2), dtype=kind))
    with pytest.raises(ValueError, match=r"Found array with 0 sample\(s\)"):
        model.predict(np.zeros((0, 3), dtype=kind))
