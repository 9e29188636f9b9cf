"""Wrong input gets one sentence that says what to do, or a warning where the learner can go on."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from tests.base.toys import CodeCount, Descent, Sign, SumOfColumns

from hornbook import Baseline, Blocks, Frame, NaiveBayes

X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "color": ["green", "dark", "green", "dark"]})
Y = ["a", "b", "a", "b"]


def refused(sentence, rows=X, y=Y, weight=None, error=ValueError):
    with pytest.raises(error, match=sentence):
        NaiveBayes().fit(rows, y, sample_weight=weight)


def test_lengths_differ():
    refused("inconsistent numbers of samples: X has 4 rows and y has 3; pass one target", y=Y[:3])


def test_empty_tables():
    refused(r"0 sample\(s\) \(shape=\(0, 2\)\) while a minimum of 1 is required", X[:0], [])
    refused(r"0 feature\(s\) \(shape=\(4, 0\)\) while a minimum of 1 is required", X[[]])


def test_one_row_is_enough():
    assert NaiveBayes().fit(X[:1], Y[:1]).predict(X[:1]).tolist() == ["a"]


def test_one_class_is_predicted():
    assert NaiveBayes().fit(X, ["a"] * 4).predict(X).tolist() == ["a"] * 4


def test_all_missing_columns():
    with pytest.warns(UserWarning, match="column 'age' has no values: it is left out"):
        model = NaiveBayes().fit(X.assign(age=np.nan), Y)
    assert model.predict(X.assign(age=5.0)).tolist() == Y


def test_duplicate_names():
    refused("column name 'age' occurs 2 times", pd.DataFrame(np.eye(4)[:, :2], columns=["age", "age"]))


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity(value):
    rows = X.copy()
    rows.loc[2, "age"] = value
    refused("contains infinity.*column 'age', row 2; correct the cell", rows)
    refused("contains infinity.*column 'x1', row 1", np.array([[0.0, 1.0], [2.0, value], [0, 1], [1, 2]]))
    with pytest.raises(ValueError, match="column 'age', row 2"):
        NaiveBayes().fit(X, Y).predict(rows)


def test_huge_numbers():
    refused("variance overflows: rescale it", [[1e308], [-1e308], [1e308], [-1e308]])


def test_ten_thousand_categories():
    names = [f"c{i}" for i in range(10_000)]
    rows = pd.DataFrame({"code": names + names, "age": np.tile([0.0, 1.0], 10_000)})
    model = NaiveBayes().fit(rows, np.tile([0, 1], 10_000))
    assert model.score(rows, np.tile([0, 1], 10_000)) == 1.0


def test_mixed_types_in_a_column():
    refused(
        "Column 'age' mixes numbers and text",
        X.assign(age=pd.Series([1, "x", 3, 4], dtype=object)),
        error=(ValueError, TypeError),
    )


@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        ([1, 1, -1, 1], "sample_weight contains -1.0 in row 2"),
        ([1, np.nan, 1, 1], "sample_weight contains nan in row 1.*NaN"),
        ([0, 0, 0, 0], "sample_weight is zero for every row"),
        ([1, 1], r"sample_weight.shape == \(2,\), expected \(4,\)"),
        ([[1, 1, 1, 1]], "Sample weights must be 1D"),
    ],
)
def test_weights(weight, sentence):
    refused(sentence, weight=weight)


def test_targets():
    refused("requires y to be passed, but the target y is None: pass y, or a Frame with a target", y=None)
    refused("Input y contains NaN: drop the rows", y=["a", None, "a", "b"])
    refused("Input y contains NaN", y=[0.0, np.nan, 1.0, 0.0])
    refused("Input y contains infinity", y=[0.0, np.inf, 1.0, 0.0])
    refused("Unknown label type: continuous.*use a regressor", y=[0.1, 0.2, 0.3, 0.4])
    refused("y mixes labels of type int and str", y=np.array([1, "x", 1, "x"], dtype=object), error=TypeError)
    refused("y should be a 1d array, got an array of shape", y=np.eye(4))
    with pytest.raises(ValueError, match="y must hold numbers for regression"):
        Descent().fit(np.eye(4), Y)


def test_prediction_frame_with_other_columns():
    model = NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match=r"now missing:\n- age\nAdd the missing columns"):
        model.predict(X[["color"]])
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- size\nLeave out the columns"):
        model.predict(X.assign(size=1.0))
    with pytest.raises(
        ValueError,
        match=re.escape("same order as they were in fit.\nSelect the columns in that order: X[list("),
    ):
        model.predict(X[["color", "age"]])
    assert model.predict(X[["color", "age"]][list(model.feature_names_in_)]).tolist() == Y


def test_prediction_frame_with_retyped_columns():
    model = NaiveBayes().fit(X, Y)
    with pytest.raises((TypeError, ValueError), match="'age'"):
        model.predict(X.assign(age=["old", "young", "old", "young"]))
    with pytest.raises((TypeError, ValueError), match="'color'"):
        model.predict(X.assign(color=[1.0, 2.0, 3.0, 4.0]))


def test_unseen_categories_count_as_missing_with_one_warning():
    model = NaiveBayes().fit(X, Y)
    with pytest.warns(UserWarning, match="'color'.*'violet'") as caught:
        shares = model.predict_proba(X.assign(color="violet"))
    assert len(caught) == 1
    np.testing.assert_allclose(shares, model.predict_proba(X.assign(color=None)))


def test_text_and_list_columns():
    notes = [f"note number {i}" for i in range(30)]
    with pytest.warns(
        UserWarning, match="column 'note' has a different text in each of the 30 rows.*leave it out"
    ):
        NaiveBayes().fit({"note": notes, "age": np.arange(30.0)}, np.arange(30) % 2)
    refused("'tags'", pd.DataFrame({"tags": [[1], [2], [3], [4]]}), error=(TypeError, ValueError))


def test_sparse_and_flat_and_complex():
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        Baseline().fit(csr_array(np.eye(4)), Y)
    refused("Reshape your data", np.arange(4.0))
    refused("Complex data not supported", np.eye(4) * 1j)


def test_not_fitted():
    for ask in ("predict", "predict_proba", "working"):
        with pytest.raises(NotFittedError):
            getattr(NaiveBayes(), ask)([[1.0]])
    with pytest.raises(NotFittedError):
        NaiveBayes().describe()


def test_what_a_learner_cannot_take_is_named():
    with pytest.raises(ValueError, match="column 'color' is nominal, but Sign takes numeric columns only"):
        Sign().fit(X, Y)
    with pytest.raises(ValueError, match="Input X contains NaN: column 'x0' has missing values and Sign"):
        Sign().fit([[np.nan], [1.0]], ["a", "b"])
    with pytest.raises(ValueError, match="column 'age' is numeric, but CodeCount takes nominal and ordinal"):
        CodeCount().fit(X, Y)
    with pytest.raises(TypeError, match=r"Descent needs all rows at once.*blocks.to_frame\(\)"):
        Descent().fit(Blocks(Frame({"a": [1.0], "y": [2.0]}, target="y")))
    with pytest.raises(TypeError, match="Blocks carry their own target"):
        SumOfColumns().fit(Blocks(Frame({"a": [1.0], "y": [2.0]}, target="y")), [1.0])


def test_rows_for_working():
    model = NaiveBayes().fit(X, Y)
    for row in (
        {"age": 1.0, "color": "green"},
        {"color": "green", "age": 1.0},
        [1.0, "green"],
        X.iloc[0],
        X.iloc[[0]],
        Frame(X)[:1],
    ):
        assert model.working(row).prediction == "a"
    with pytest.raises(ValueError, match="one row at a time; got 4 rows"):
        model.working(X)
    with pytest.raises(ValueError, match=r"now missing:\n- color"):
        model.working({"age": 1.0})
    with pytest.raises(ValueError, match="X has 1 features, but the learner was fitted on 2"):
        model.working([1.0])
    plain = NaiveBayes().fit([[1.0, 2.0], [5.0, 6.0]], ["a", "b"])
    assert plain.working(np.array([1.0, 2.0])).prediction == "a"
    assert plain.working([5.0, 6.0]).prediction == "b"
