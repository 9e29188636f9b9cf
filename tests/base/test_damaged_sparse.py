"""Sparse matrices whose indices lie: refused in one sentence wherever rows come in, and never followed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import is_regressor

import hornbook
from hornbook.base import NamedMembers
from hornbook.evaluation.splits._rows import take_rows
from hornbook.frame import SparseRows, checked_sparse
from hornbook.registry import LEARNERS, learner_class

N = 40
METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "kneighbors")
DAMAGED = "The sparse matrix X is damaged: "


def table():
    draw = np.random.default_rng(0)
    X = np.where(draw.random((N, 4)) < 0.5, draw.integers(1, 5, (N, 4)), 0).astype(float)
    return X, np.arange(N) % 2


def sparse_learners():
    chosen = [name for name in sorted(LEARNERS) if learner_class(name).accepts.sparse]
    assert len(chosen) >= 16
    return [made(learner_class(name)) for name in chosen]


def made(cls):
    """A learner with its defaults; one that combines others gets one of them, and forests few trees."""
    kind = "Regressor" if cls.__name__.endswith("Regressor") else "Classifier"
    if issubclass(cls, NamedMembers):
        return cls([("tree", learner_class(f"DecisionTree{kind}")())])
    return cls(n_estimators=3) if "n_estimators" in cls().get_params() else cls()


def target(learner, y):
    return y + 1.0 if is_regressor(learner) else y


def far_offset(X):
    X.indptr[3] = 10**6


def offset_below(X):
    X.indptr[3] = -1


def late_start(X):
    X.indptr[0] = 1


def appended_zero(X):
    X.indptr = np.append(X.indptr, 0)


def falls_to_zero(X):
    X.indptr[-1] = 0


def far_index(X):
    X.indices[2] = 10**6


def index_below(X):
    X.indices[2] = -1


def few_values(X):
    X.data = X.data[:2]


def few_indices(X):
    X.indices = X.indices[:2]


def index_of_floats(X):
    X.indices = X.indices.astype(float)


SPOIL = [
    far_offset, offset_below, late_start, appended_zero, falls_to_zero, far_index, index_below, few_values,
    few_indices, index_of_floats,
]  # fmt: skip
every = pytest.mark.parametrize("learner", sparse_learners(), ids=lambda learner: type(learner).__name__)


@every
@pytest.mark.parametrize("spoil", SPOIL, ids=lambda function: function.__name__)
def test_every_learner_refuses_to_fit(learner, spoil):
    X, y = table()
    damaged = sp.csr_array(X)
    spoil(damaged)
    with pytest.raises(ValueError, match=DAMAGED):
        learner.fit(damaged, target(learner, y))


@every
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_learner_refuses_to_answer(learner):
    X, y = table()
    learner.fit(sp.csr_array(X), target(learner, y))
    methods = [name for name in METHODS if hasattr(learner, name)]
    assert methods
    for ask in [getattr(learner, name) for name in methods]:
        for spoil in SPOIL:
            damaged = sp.csr_array(X)
            spoil(damaged)
            with pytest.raises(ValueError, match=DAMAGED):
                ask(damaged)
        with pytest.raises(ValueError, match=r"X has 1000000000 features, but \w+ is expecting 4"):
            ask(sp.csr_array((3, 10**9)))


@every
def test_a_billion_columns_are_refused_with_their_number(learner):
    with pytest.raises(ValueError, match="has 6 rows and 1000000000 columns, and more than 16777216"):
        learner.fit(sp.csr_array((6, 10**9)), target(learner, np.arange(6) % 2))


@pytest.mark.parametrize("spoil", SPOIL, ids=lambda function: function.__name__)
@pytest.mark.parametrize(
    "make", [sp.csc_array, sp.csr_matrix, sp.bsr_array], ids=lambda function: function.__name__
)
def test_every_compressed_format(make, spoil):
    damaged = make(table()[0])
    spoil(damaged)
    with pytest.raises(ValueError, match=DAMAGED):
        checked_sparse(damaged)


def test_pairs_of_rows_and_columns():
    for axis, name in enumerate(("row", "column")):
        for wrong in (-1, 10**6):
            damaged = sp.coo_array(table()[0])
            damaged.coords[axis][3] = wrong
            with pytest.raises(ValueError, match=f"a value in {name} {wrong}"):
                checked_sparse(damaged)
    damaged = sp.coo_array(table()[0])
    damaged.data = damaged.data[:-1]
    with pytest.raises(ValueError, match=r"\d+ rows for \d+ values"):
        checked_sparse(damaged)


def test_lists():
    damaged = sp.lil_array(table()[0])
    damaged.rows[1] = [0, 99, 2]
    damaged.data[1] = [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="a value in column 99"):
        checked_sparse(damaged)
    damaged = sp.lil_array(table()[0])
    damaged.rows[1], damaged.data[1] = [0], []
    with pytest.raises(ValueError, match=r"it has 1 columns for 0 values in row 1"):
        checked_sparse(damaged)


@pytest.mark.parametrize("make", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_good_ones_of_every_format_pass(make):
    X = table()[0]
    rows = checked_sparse(sp.coo_array(X).asformat(make))
    assert rows.format == "csr"
    np.testing.assert_array_equal(rows.toarray(), X)


def test_diagonals_outside_are_left_out_as_scipy_does():
    X = sp.dia_array((np.ones((2, 3)), [0, 7]), shape=(3, 3))
    np.testing.assert_array_equal(checked_sparse(X).toarray(), np.eye(3))


def test_entries_behind_the_last_offset_are_nobodys():
    X = sp.csr_array(table()[0])
    longer = sp.csr_array(X.shape)
    longer.indptr = X.indptr
    longer.indices = np.append(X.indices, 10**6)
    longer.data = np.append(X.data, 1.0)
    np.testing.assert_array_equal(hornbook.KMeans(2, random_state=0).fit(longer).predict(X).shape, (N,))
    np.testing.assert_array_equal(checked_sparse(longer).toarray(), X.toarray())


def test_one_and_three_dimensions_are_refused():
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        hornbook.NaiveBayes().fit(sp.coo_array(np.ones(4)), [0, 1, 0, 1])


def test_rows_are_taken_of_good_matrices_only():
    X = sp.csr_array(table()[0])
    np.testing.assert_array_equal(take_rows(X, [3, 1]).toarray(), X.toarray()[[3, 1]])
    far_offset(X)
    with pytest.raises(ValueError, match=DAMAGED):
        take_rows(X, [3, 1])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"offsets": np.array([0, 1, 3, 0])}, "are damaged: its offsets"),
        ({"offsets": np.array([0, 1, 2])}, "values are left over"),
        ({"offsets": np.array([], dtype=np.int64)}, "an offset to begin with"),
        ({"columns": np.array([1, 0, 2], dtype=np.int32)}, "from 0 to 1"),
        ({"columns": np.array([1, 0], dtype=np.int32)}, "as many columns as values"),
        ({"n_columns": 10**15}, "at most 16777216 columns; got 1000000000000000"),
    ],
)
def test_the_rows_that_models_keep_are_checked_too(change, reason):
    rows = SparseRows.of(sp.csr_array([[0.0, 2.0], [3.0, 4.0]]))
    with pytest.raises(ValueError, match=reason):
        SparseRows(**{**vars(rows), **change})


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, sp.coo_array])
@pytest.mark.parametrize("kind", [object, "U1", "M8[D]"])
def test_values_that_are_no_numbers_are_refused_with_a_remedy(form, kind):
    X, y = table()
    matrix = form(X)
    matrix.data = matrix.data.astype(int).astype(kind)
    with pytest.raises(ValueError, match=r"The sparse matrix X holds values of type .*: convert them"):
        hornbook.LogisticRegression().fit(matrix, y)
