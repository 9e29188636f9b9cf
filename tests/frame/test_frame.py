"""A Frame: rows, columns, roles, kinds, matrices without needless copies."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold, cross_validate, train_test_split

from hornbook.frame import Column, Frame, as_frame

PEOPLE = {
    "age": [31.0, 44.0, None, 25.0],
    "sex": ["f", "m", "f", None],
    "weight": [1, 2, 1, 3],
    "clinic": ["N", "S", "N", "S"],
    "no": [11, 12, 13, 14],
    "ill": [True, False, True, True],
}


def people(**more) -> Frame:
    return Frame(PEOPLE, target="ill", weight="weight", group="clinic", id="no", **more)


def test_a_float_array_is_kept_as_it_is():
    X = np.arange(6.0).reshape(3, 2)
    frame = Frame(X)
    assert frame.matrix is X
    assert frame.numbers is X
    assert frame.features.matrix is X
    assert frame.array is X
    assert as_frame(frame) is frame


def test_a_column_major_array_is_not_copied_until_asked():
    X = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    frame = Frame(X)
    assert frame.array is X
    assert np.shares_memory(frame.column(1), X)
    assert frame.matrix.flags.c_contiguous
    np.testing.assert_array_equal(frame.matrix, X)


def test_rows_in_single_precision_are_known_as_one_array():
    X = np.arange(24, dtype=np.float32).reshape(6, 4)
    assert np.shares_memory(Frame(X).single, X)
    assert Frame(X)[2:5].single.tolist() == X[2:5].tolist()
    assert Frame(X).numbers.tolist() == X.tolist()
    assert Frame(X).numbers.dtype == np.float64
    others = [
        X[:, ::2],
        X[::2],
        X[:, ::-1],
        np.asfortranarray(X),
        X.astype(">f4"),
        X.astype(np.float64),
        X[:, 1:],
    ]
    for other in others:
        assert Frame(other).single is None
        assert Frame(other).numbers.tolist() == other.tolist()
    assert Frame(X).select([1, 0, 2, 3]).single is None
    assert Frame(X)[[3, 1]].single is None
    assert Frame({"a": X[:, 0], "b": X[:, 1]}).single is None


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, np.int16])
def test_other_arrays_become_float64(dtype):
    X = np.arange(6).reshape(3, 2).astype(dtype)
    frame = Frame(X)
    assert frame.array is None
    assert frame.matrix.dtype == np.float64
    np.testing.assert_array_equal(frame.matrix, X)
    assert np.shares_memory(frame.column(0), X)
    assert frame.column(0).dtype == dtype


def test_read_only_memory_maps(tmp_path):
    X = np.memmap(tmp_path / "x", dtype=np.float64, mode="w+", shape=(3, 2))
    X[:] = 1.0
    X.flags.writeable = False
    assert np.shares_memory(Frame(X).matrix, X)


MEASURE = """
import json
from pathlib import Path
import numpy as np, pandas as pd, polars as pl, pyarrow as pa
from hornbook.frame import Frame

def now(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))

def measure(make):
    data = make(columns)
    Frame(make({name: values[:30_000] for name, values in columns.items()})).numbers  # loads all it needs
    before = now("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    frame = Frame(data)
    made = now("VmRSS") - before
    matrix = frame.numbers
    peak = now("VmHWM") - before
    assert matrix.shape == (n_rows, n_columns)
    del matrix
    return made / one_copy, peak / one_copy, (now("VmRSS") - before) / one_copy

n_rows, n_columns = 200_000, 50
one_copy = n_rows * n_columns * 8
columns = {f"c{j}": np.random.default_rng(j).standard_normal(n_rows) for j in range(n_columns)}
print(json.dumps([measure(make) for make in (pl.DataFrame, pd.DataFrame, pa.table, dict)]))
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system does not tell the peak")
def test_numbers_of_a_table_are_copied_once():
    done = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True)
    for made, peak, left in json.loads(done.stdout):
        assert made < 0.1  # columns are views
        assert 0.9 < peak < 1.1  # one matrix and nothing beside it
        assert left < 0.1  # and nothing is kept behind


def test_numbers_of_columns_are_views():
    values = np.arange(5.0)
    for data in (pl.DataFrame({"a": values}), pd.DataFrame({"a": values}), pa.table({"a": values})):
        assert not Frame(data).column("a").flags.owndata
    assert Frame({"a": values}).column("a") is values


def test_roles():
    frame = people()
    assert frame.y.tolist() == [True, False, True, True]
    assert frame.y.dtype == np.bool_
    assert frame.w.tolist() == [1.0, 2.0, 1.0, 3.0]
    assert frame.w.dtype == np.float64
    assert frame.groups.tolist() == ["N", "S", "N", "S"]
    assert frame.features.schema.names == ("age", "sex")
    assert frame.shape == (4, 6)
    bare = Frame(PEOPLE)
    assert bare.y is None
    assert bare.w is None
    assert bare.groups is None
    assert bare.features is bare


def test_roles_by_position_and_anew():
    frame = Frame(np.arange(6.0).reshape(2, 3), target=-1)
    assert frame.y.tolist() == [2.0, 5.0]
    assert frame.features.matrix.tolist() == [[0, 1], [3, 4]]
    other = Frame(frame, target=0)
    assert other.schema.find("target") == 0
    assert other.features.schema.names == ("x1", "x2")
    assert frame.schema.find("target") == 2  # the first frame is what it was


def test_roles_that_cannot_be():
    with pytest.raises(ValueError, match=r"There is no column 'il': did you mean 'ill'\?"):
        Frame(PEOPLE, target="il")
    with pytest.raises(
        ValueError, match="There is no column 'zzz': the columns are 'age', 'sex', .* and 1 more"
    ):
        Frame(PEOPLE, target="zzz")
    with pytest.raises(ValueError, match="There is no column at position 6: the table has 6 columns"):
        Frame(PEOPLE, target=6)
    with pytest.raises(ValueError, match="Column 'age' cannot be both target and weight"):
        Frame(PEOPLE, target="age", weight="age")
    with pytest.raises(ValueError, match="Column 'sex' is nominal, but weights must be numbers"):
        Frame(PEOPLE, weight="sex")
    with pytest.raises(TypeError, match=r"given by its name or its position; got 1\.5"):
        Frame(PEOPLE, target=1.5)


def test_kinds_of_numbers():
    X = np.array([[3.0, 10.0], [1.0, 20.0], [np.nan, 20.0]])
    frame = Frame(X, kinds={0: "nominal", "x1": "ordinal"})
    assert frame.schema.columns == (
        Column("x0", "nominal", levels=(1.0, 3.0)),
        Column("x1", "ordinal", levels=(10.0, 20.0)),
    )
    assert frame.codes.tolist() == [[1, 0], [0, 1], [-1, 1]]
    np.testing.assert_array_equal(frame["x0"], [3.0, 1.0, np.nan])
    assert Frame({"a": [2, 1, 2]}, kinds={"a": "nominal"})["a"].dtype == np.int64


def test_kinds_of_text():
    frame = Frame(
        {"a": ["1.5", " 2 ", None, "-1e3"], "b": [True, False, None, True]},
        kinds={"a": "numeric", "b": "numeric"},
    )
    np.testing.assert_array_equal(frame.matrix, [[1.5, 1], [2, 0], [np.nan, np.nan], [-1000, 1]])
    with pytest.raises(ValueError, match=r"Column 'a' cannot be numeric: it holds 'one' \(row 1\)"):
        Frame({"a": ["1", "one"]}, kinds={"a": "numeric"})
    assert Frame({"a": [1.0]}, kinds={"a": "numeric"}).schema.kinds == ("numeric",)


def test_levels_in_the_order_that_the_user_gives():
    frame = Frame({"height": ["tall", "short", None]}, kinds={"height": ["short", "medium", "tall"]})
    assert frame.schema.columns == (
        Column("height", "ordinal", levels=("short", "medium", "tall"), source="text"),
    )
    assert frame.codes.ravel().tolist() == [2, 0, -1]
    with pytest.raises(
        ValueError, match=r"Column 'height' holds 'tall', which the list of its levels \('short'\)"
    ):
        Frame({"height": ["tall", "short"]}, kinds={"height": ["short"]})
    with pytest.raises(ValueError, match="levels of column 'height' must all differ"):
        Frame({"height": ["tall"]}, kinds={"height": ["tall", "tall"]})
    unused = pd.DataFrame({"a": pd.Categorical(["x"], categories=["x", "y"])})
    assert Frame(unused, kinds={"a": ["z", "x"]}).codes.tolist() == [[1]]


def test_kinds_that_cannot_be():
    with pytest.raises(ValueError, match="There is no column 'colr'"):
        Frame({"color": ["a"]}, kinds={"colr": "nominal"})
    with pytest.raises(ValueError, match="Column 'a' cannot be 'number': a kind is 'numeric'"):
        Frame({"a": [1]}, kinds={"a": "number"})
    with pytest.raises(TypeError, match="The kind of column 'a' must be a word or a list of levels; got 3"):
        Frame({"a": [1]}, kinds={"a": 3})


def test_the_matrix_needs_numbers():
    with pytest.raises(
        ValueError, match=r"Column 'sex' is nominal, but only numbers can be used here: .*Encoder"
    ):
        _ = people().matrix


def test_rows():
    frame = people()
    assert frame[1:3]["sex"].tolist() == ["m", "f"]
    assert np.shares_memory(frame[1:3].column("sex"), frame.column("sex"))
    assert frame[[3, 0, 0]]["no"].tolist() == [14, 11, 11]
    assert frame[np.array([True, False, False, True])]["no"].tolist() == [11, 14]
    assert frame[-1]["no"].tolist() == [14]
    assert frame[np.int64(1), ...]["no"].tolist() == [12]
    assert len(frame[[]]) == 0
    assert frame[::2].schema is frame.schema
    assert frame[..., ["no", "age"]].schema.names == ("no", "age")
    assert frame[:2, "sex"].codes.tolist() == [[0], [1]]
    assert frame[:, [False, True, False, False, False, True]].schema.names == ("sex", "ill")
    assert frame.select(slice(0, 2)).schema.names == ("age", "sex")


def test_slices_of_an_array_are_views():
    X = np.arange(20.0).reshape(10, 2)
    assert np.shares_memory(Frame(X)[2:5].matrix, X)
    assert Frame(X)[2:5].matrix.tolist() == X[2:5].tolist()
    assert Frame(X)[[1, 1]].matrix.tolist() == X[[1, 1]].tolist()


def test_rows_that_are_not_there():
    frame = people()
    with pytest.raises(IndexError, match="There is no row 4: the frame has 4 rows"):
        frame[4]
    with pytest.raises(IndexError, match="The mask has 2 entries, but the frame has 4 rows"):
        frame[[True, False]]
    with pytest.raises(IndexError):
        frame[[0, 9]]
    with pytest.raises(TypeError, match=r"Rows are chosen by a slice, integers or booleans; got \[0\.5\]"):
        frame[[0.5]]


def test_decoded_values():
    frame = Frame({"t": ["x", None], "b": [True, None], "n": pd.Series([1, None], dtype="Int64")})
    assert frame["t"].tolist() == ["x", None]
    assert frame["b"].tolist() == [True, None]
    coded = Frame(frame, kinds={"n": "nominal"})
    np.testing.assert_array_equal(coded["n"], [1.0, np.nan])
    assert Frame({"t": pd.Categorical([None, None], categories=[])})["t"].tolist() == [None, None]


def test_as_an_array():
    assert np.asarray(Frame({"a": [1, 2], "b": [0.5, 1]})).tolist() == [[1.0, 0.5], [2.0, 1.0]]
    mixed = np.asarray(Frame({"a": [1, 2], "b": ["x", None]}))
    assert mixed.tolist() == [[1, "x"], [2, None]]


def test_pickle_and_copy():
    frame = people()
    for other in (pickle.loads(pickle.dumps(frame)), copy.deepcopy(frame), copy.copy(frame)):  # noqa: S301
        assert other.schema == frame.schema
        assert other.to_polars().equals(frame.to_polars())


def test_the_users_data_are_never_changed():
    table = pd.DataFrame(PEOPLE)
    before = table.copy(deep=True)
    frame = Frame(table, target="ill", kinds={"age": "ordinal"})
    frame.profile()
    frame[[0, 1]].binned({"no": 2})
    Frame.concat([frame, frame])
    pd.testing.assert_frame_equal(table, before)


def test_short_and_useful_words():
    assert repr(people()) == (
        "Frame(4 rows, 6 columns: 3 numeric, 3 nominal; weight 'weight'; group 'clinic'; id 'no'; "
        "target 'ill')"
    )
    assert repr(Frame(np.empty((1, 0)))) == "Frame(1 row, 0 columns)"
    html = Frame({"<b>": ["&", "x"]})._repr_html_()
    assert (
        "<td>&lt;b&gt;</td><td>nominal</td><td>feature</td><td>&#x27;&amp;&#x27;, &#x27;x&#x27;</td>" in html
    )
    assert "and 70 more columns" in Frame(np.ones((2, 100)))._repr_html_()


class CountRows(ClassifierMixin, BaseEstimator):
    """Answers the commonest class; takes Frames and nothing else."""

    def fit(self, X, y):
        assert isinstance(X, Frame)
        assert X.schema.kinds == ("numeric", "nominal")
        assert len(X) == len(y)
        values, counts = np.unique(y, return_counts=True)
        self.classes_, self.best_ = values, values[counts.argmax()]
        return self

    def predict(self, X):
        assert isinstance(X, Frame)
        return np.full(len(X), self.best_)


def test_scikit_learn_splits_frames():
    frame = Frame({"n": list(range(12)), "t": ["a", "b", None] * 4})
    y = np.array(["no", "yes", "no"] * 4)
    scores = cross_validate(CountRows(), frame, y, cv=KFold(3))["test_score"]
    np.testing.assert_allclose(scores, [0.75, 0.5, 0.75])
    train, test, y_train, y_test = train_test_split(frame, y, test_size=0.25, random_state=0)
    assert len(train) == len(y_train) == 9
    assert train["n"].tolist() + test["n"].tolist() != list(range(12))
    assert sorted(train["n"].tolist() + test["n"].tolist()) == list(range(12))
    np.testing.assert_array_equal(y[test["n"]], y_test)


def test_concat():
    one = Frame({"a": ["y", None], "b": [1, 2], "c": [True, False]}, target="c")
    two = Frame({"a": ["x", "z"], "b": [0.5, None], "c": [None, None]}, target="c")
    both = Frame.concat([one, two[:0], two])
    assert both["a"].tolist() == ["y", None, "x", "z"]
    assert both.schema.columns[0].levels == ("x", "y", "z")
    np.testing.assert_array_equal(both["b"], [1, 2, 0.5, np.nan])
    assert both.y.tolist() == [True, False, None, None]
    assert Frame.concat([one]).to_polars().equals(one.to_polars())
    X = np.arange(6.0).reshape(3, 2)
    assert Frame.concat([Frame(X), Frame(X)]).array.tolist() == [*X.tolist(), *X.tolist()]


def test_concat_of_a_part_without_values():
    one, two = Frame({"a": [None, None]}), Frame({"a": ["x", "y"]})
    assert Frame.concat([one, two])["a"].tolist() == [None, None, "x", "y"]
    assert Frame.concat([two, one])["a"].tolist() == ["x", "y", None, None]
    empty = Frame({"a": pl.Series([None], dtype=pl.String)})
    np.testing.assert_array_equal(Frame.concat([empty, Frame({"a": [1.5]})])["a"], [np.nan, 1.5])


def test_concat_keeps_the_order_of_categories():
    one = Frame({"a": pd.Categorical(["m"], categories=["s", "m"], ordered=True)})
    two = Frame({"a": pd.Categorical(["l"], categories=["s", "l"], ordered=True)})
    both = Frame.concat([one, two])
    assert both.schema.columns[0].levels == ("s", "m", "l")
    assert both["a"].tolist() == ["m", "l"]


def test_concat_of_what_does_not_fit():
    with pytest.raises(ValueError, match="There is nothing to concatenate"):
        Frame.concat([])
    with pytest.raises(ValueError, match="Frame 1 has the columns b, but frame 0 has a"):
        Frame.concat([Frame({"a": [1]}), Frame({"b": [1]})])
    with pytest.raises(ValueError, match=r"Column 'a' is numeric \(feature\) in one frame and nominal"):
        Frame.concat([Frame({"a": [1]}), Frame({"a": ["x"]})])


def test_concat_equals_the_whole():
    rng = np.random.default_rng(3)
    table = pl.DataFrame({"t": rng.choice(["x", "y", "z"], 50), "n": rng.standard_normal(50)})
    parts = [Frame(table[start : start + 7]) for start in range(0, 50, 7)]
    whole = Frame(table)
    both = Frame.concat(parts)
    assert both.schema == whole.schema
    np.testing.assert_array_equal(both.codes, whole.codes)
    np.testing.assert_array_equal(both.numbers, whole.numbers)
