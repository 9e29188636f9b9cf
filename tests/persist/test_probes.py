"""Probe rows: what they are, and that a model which no longer agrees with them is refused."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest
from tests.contract.learners import mixed_table
from tests.persist.forge import array_of, edit, npy, taken_apart

import hornbook
from hornbook import Baseline, Encoder, NaiveBayes
from hornbook.persist import ModelFileError, _probes
from hornbook.persist._probes import make_probes


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.hornbook"
    X, group = mixed_table()
    hornbook.save(NaiveBayes().fit(X, np.array(["a", "b", "c"])[group]), path)
    return path


def change_array(path, place, change):
    """Apply a function to the array at a place of the header."""

    def changed(header, members):
        node = place(header)
        members[f"arrays/{node['index']}.npy"] = npy(change(array_of(node, members)))

    edit(path, changed)


def log_prior(header):
    return header["state"]["factors_"]["fields"]["log_prior"]


def recorded(header):
    return header["probes"]["answers"]["predict_proba"]


def test_there_are_32_rows_made_from_the_schema(path):
    header, members = taken_apart(path)
    numbers, codes = (array_of(header["probes"][name], members) for name in ("numbers", "codes"))
    assert (numbers.shape, numbers.dtype) == ((32, 2), np.float64)
    assert (codes.shape, codes.dtype) == ((32, 2), np.int32)
    assert list(header["probes"]["answers"]) == ["predict_proba", "predict"]
    assert codes.min() == -1
    assert codes.max(axis=0).tolist() == [2, 1]
    assert 5 < np.isnan(numbers).sum() < 40
    assert {0.0, 1.0, -1.0} <= set(numbers[~np.isnan(numbers)])


def test_rows_are_the_same_for_the_same_columns_whatever_the_data():
    X, group = mixed_table(60, seed=0)
    Z, other = mixed_table(60, seed=1)
    one, two = make_probes(NaiveBayes().fit(X, group)), make_probes(NaiveBayes().fit(Z, other))
    np.testing.assert_array_equal(one.numbers, two.numbers)
    np.testing.assert_array_equal(one.codes, two.codes)
    cells = set(X["size"]) | set(X["mass"])
    assert not cells & set(one.numbers[np.abs(one.numbers) > 1].tolist())


def test_rows_are_kept_in_the_file_so_another_generator_changes_nothing(path, monkeypatch):
    monkeypatch.setattr(_probes, "SEED", 33)
    monkeypatch.setattr(_probes, "Stream", None)
    hornbook.load(path)


def test_dates_are_days():
    days = [dt.date(2020, 1, 1 + i) for i in range(12)]
    numbers = make_probes(Encoder().fit(pl.DataFrame({"day": days}))).numbers
    known = numbers[~np.isnan(numbers)]
    assert known.min() >= 0
    assert known.max() <= 25_000
    np.testing.assert_array_equal(known, np.floor(known))


@pytest.mark.filterwarnings("ignore:.*no values")
def test_a_column_without_levels_is_missing():
    column = pl.Series("none", [None, None], dtype=pl.String)
    model = Encoder().fit(pl.DataFrame({"x": [1.0, 2.0]}).with_columns(column))
    assert model.schema_.columns[1].levels == ()
    assert (make_probes(model).codes == -1).all()


def test_a_learner_that_refuses_missing_cells_gets_none():
    X, _ = mixed_table(missing=False)
    probes = make_probes(Encoder(missing="error").fit(X))
    assert not np.isnan(probes.numbers).any()
    assert probes.codes.min() == 0


def test_a_learner_that_refuses_negative_numbers_gets_none(monkeypatch):
    def transform(_, X):
        if (X.numbers < 0).any() or np.isnan(X.numbers).any():
            raise ValueError("only numbers >= 0")
        return np.sqrt(X.numbers)

    model = Encoder().fit([[1.0, 2.0], [4.0, 5.0]])
    monkeypatch.setattr(Encoder, "_transform", transform)
    assert (make_probes(model).numbers >= 0).all()


def test_a_learner_that_refuses_everything_cannot_be_saved(monkeypatch, tmp_path):
    def transform(_, X):
        raise ValueError("no\nrow is good enough.")

    model = Encoder().fit([[1.0, 2.0], [4.0, 5.0]])
    monkeypatch.setattr(Encoder, "_transform", transform)
    with pytest.raises(ModelFileError, match=r"Encoder refuses every probe row.*: no row is good enough\.$"):
        hornbook.save(model, tmp_path / "a")


@pytest.mark.parametrize(("by", "accepted"), [(1e-10, True), (1e-7, False), (0.1, False), (np.nan, False)])
def test_predictions_are_compared_to_a_billionth(by, accepted, path):
    change_array(path, log_prior, lambda prior: prior + by * np.array([1, -1, 0]))
    if accepted:
        hornbook.load(path)
        return
    with pytest.raises(
        ModelFileError,
        match=f"differ from those recorded when it was saved by Hornbook {hornbook.__version__}",
    ):
        hornbook.load(path)


def test_the_largest_difference_is_named(path):
    change_array(path, recorded, lambda answers: answers + 0.25 * (answers == answers.max()))
    with pytest.raises(ModelFileError, match=r"\(predict_proba: by up to 0\.25\): the file was changed, or"):
        hornbook.load(path)


def test_missing_answers_equal_missing_answers_only(monkeypatch, tmp_path):
    def transform(_, X):
        return np.log(X.numbers)  # missing below 0, minus infinity at 0

    monkeypatch.setattr(Encoder, "_transform", transform)
    model, path = Encoder().fit([[1.0, 2.0], [4.0, 5.0]]), tmp_path / "a"
    hornbook.save(model, path)
    header, members = taken_apart(path)
    answers = array_of(header["probes"]["answers"]["transform"], members)
    assert np.isnan(answers).any()
    assert np.isneginf(answers).any()
    hornbook.load(path)
    change_array(path, lambda header: header["probes"]["answers"]["transform"], np.nan_to_num)
    with pytest.raises(ModelFileError, match=r"transform: missing or infinite numbers"):
        hornbook.load(path)


def relabel(path, row, label):
    """Change one recorded label."""

    def change(header, _):
        header["probes"]["answers"]["predict"]["values"][row] = label

    edit(path, change)


def test_labels_are_compared_exactly(path):
    header, _ = taken_apart(path)
    labels = header["probes"]["answers"]["predict"]["values"]
    relabel(path, 0, {"a": "b", "b": "c", "c": "a"}[labels[0]])
    with pytest.raises(ModelFileError, match=r"\(predict: 1 of 32 labels\)"):
        hornbook.load(path)


def test_a_tie_may_be_broken_otherwise(tmp_path):
    """Another kind of processor may round the last bit of a tie the other way."""
    path = tmp_path / "model.hornbook"
    hornbook.save(NaiveBayes().fit([[1.0], [2.0], [4.0], [7.0]], ["a", "a", "b", "b"]), path)
    header, members = taken_apart(path)
    shares = array_of(recorded(header), members)
    tied = np.flatnonzero(shares[:, 0] == shares[:, 1])
    clear = np.flatnonzero(np.abs(shares[:, 0] - shares[:, 1]) > 0.1)
    assert len(tied)
    assert header["probes"]["answers"]["predict"]["values"][tied[0]] == "a"
    relabel(path, tied[0], "b")
    hornbook.load(path)
    relabel(path, clear[0], {"a": "b", "b": "a"}[header["probes"]["answers"]["predict"]["values"][clear[0]]])
    with pytest.raises(ModelFileError, match="1 of 32 labels"):
        hornbook.load(path)


@pytest.mark.parametrize(
    ("labels", "swapped"), [([0, 1], [False, True]), ([1.0, 2.0], [1, 2]), (["1", "2"], [1, 2])]
)
def test_the_type_of_a_label_counts(labels, swapped, tmp_path):
    model = Baseline().fit([[1.0], [2.0]], np.array(labels, dtype=object))
    hornbook.save(model, tmp_path / "a")

    def change(header, _):
        node = header["probes"]["answers"]["predict"]
        node["values"] = [swapped[labels.index(label)] for label in node["values"]]

    edit(tmp_path / "a", change)
    with pytest.raises(ModelFileError, match="predict: 32 of 32 labels"):
        hornbook.load(tmp_path / "a")


def test_float_labels_are_labels_not_measurements(tmp_path):
    model = Baseline().fit([[1.0], [2.0]], np.array([2.0**50, 2.0**50]))
    hornbook.save(model, tmp_path / "a")
    change_array(tmp_path / "a", lambda header: header["state"]["classes_"], lambda classes: classes + 1)
    with pytest.raises(ModelFileError, match="predict: 32 of 32 labels"):
        hornbook.load(tmp_path / "a")


def test_numbers_of_a_regressor_are_measurements(tmp_path):
    hornbook.save(Baseline(strategy="mean").fit([[1.0], [2.0]], [3.0, 4.0]), tmp_path / "a")
    edit(tmp_path / "a", lambda header, _: header["state"].update(value_=3.5 * (1 + 1e-12)))
    assert hornbook.load(tmp_path / "a").predict([[1.0]]) != 3.5
    edit(tmp_path / "a", lambda header, _: header["state"].update(value_=3.75))
    with pytest.raises(ModelFileError, match="predict: by up to 0.25"):
        hornbook.load(tmp_path / "a")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda rows: rows[:, :1], "do not fit its columns"),
        (lambda rows: rows[:0], "do not fit its columns"),
        (lambda rows: rows[:31], "do not fit its columns"),
        (lambda rows: rows[0], "do not fit its columns|damaged"),
        (lambda rows: rows.astype("f4"), "not numbers and codes"),
        (lambda rows: rows + np.inf, "infinity"),
    ],
)
def test_rows_must_fit_the_columns(change, reason, path):
    def changed(header, members):
        node = header["probes"]["numbers"]
        array = np.ascontiguousarray(change(array_of(node, members)))
        node.update(dtype=array.dtype.str, shape=list(array.shape))
        members[f"arrays/{node['index']}.npy"] = npy(array)

    edit(path, changed)
    with pytest.raises(ModelFileError, match=reason):
        hornbook.load(path)


@pytest.mark.parametrize("code", [3, -2, 2**31 - 1, -(2**31)])
def test_codes_must_be_those_of_levels(code, path):
    change_array(path, lambda header: header["probes"]["codes"], lambda codes: np.full_like(codes, code))
    with pytest.raises(ModelFileError, match="do not fit its columns"):
        hornbook.load(path)


def test_all_methods_must_have_been_recorded(path):
    def change(header, members):
        node = header["probes"]["answers"].pop("predict")
        assert node["type"] == "labels"

    edit(path, change)
    with pytest.raises(ModelFileError, match="not those that the learner can make"):
        hornbook.load(path)
