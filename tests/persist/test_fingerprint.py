"""Rows of the fit are recognized whatever table they come in; other rows are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.contract.learners import mixed_table
from tests.persist.forge import edit, refused

import hornbook
from hornbook import Frame, NaiveBayes
from hornbook.persist import inspect_file
from hornbook.persist._fingerprint import MOST, fingerprint_of

LABELS = np.array(["one", "two", "three"])


def saved(path, X, y):
    model = NaiveBayes().fit(X, y)
    hornbook.save(model, path, trained_on=(X, y))
    return model, inspect_file(path).fingerprint


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.hornbook"


def table(n=60, seed=0):
    X, group = mixed_table(n, seed)
    return X, LABELS[group]


def overlap(mark, model, X, y):
    return mark.overlap([(Frame(X).features, y)], model.schema_)


def test_the_rows_of_the_fit_in_any_order_and_form(path):
    X, y = table()
    model, mark = saved(path, X, y)
    order = np.random.default_rng(1).permutation(len(y))
    forms = [X, pl.from_pandas(X), {name: X[name].tolist() for name in X}, Frame(X)]
    for form in forms:
        assert overlap(mark, model, form, y) == hornbook.persist.Overlap(same=True, share=1.0)
    assert overlap(mark, model, X.iloc[order], y[order]).same
    assert overlap(mark, model, X, y.astype(object)).same
    half = [(Frame(X.iloc[part]), y[part]) for part in (slice(0, 25), slice(25, 60))]
    assert mark.overlap(half, model.schema_).same


def test_one_cell_or_one_label_makes_another_row(path):
    X, y = table()
    model, mark = saved(path, X, y)
    changed = X.copy()
    changed.loc[3, "mass"] += 1e-9
    assert overlap(mark, model, changed, y) == hornbook.persist.Overlap(same=False, share=59 / 60)
    other = y.copy()
    other[3] = next(label for label in LABELS if label != y[3])
    assert overlap(mark, model, X, other) == hornbook.persist.Overlap(same=False, share=59 / 60)
    assert not overlap(mark, model, X.iloc[:-1], y[:-1]).same


def test_a_part_of_the_rows_and_others(path):
    X, y = table()
    model, mark = saved(path, X, y)
    new, labels = table(seed=7)
    assert overlap(mark, model, new, labels) == hornbook.persist.Overlap(same=False, share=0.0)
    mixed = pd.concat([X.iloc[:48], new.iloc[:12]])
    assert overlap(mark, model, mixed, np.append(y[:48], labels[:12])).share == 0.8


def test_of_many_rows_a_sample_tells_the_share():
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(40_000, 3)), draw.integers(0, 2, 40_000)
    schema = Frame(X).schema
    mark = fingerprint_of((X, y), schema)
    assert len(mark.hashes) == 16 * MOST
    new = draw.normal(size=(10_000, 3))
    rows, labels = np.concatenate([X[:30_000], new]), np.append(y[:30_000], np.zeros(10_000, dtype=int))
    share = mark.overlap([(Frame(rows), labels)], schema).share
    # About 1,024 rows are judged: four standard errors of a share of 3/4.
    assert share == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 1024))
    assert mark.overlap([(Frame(new), np.zeros(10_000))], schema).share == 0.0
    # Of few rows of so many, hardly one is judged, and nothing is said.
    assert mark.overlap([(Frame(X[:100]), y[:100])], schema).share is None


def test_numbers_as_targets_and_signs_of_zero():
    X, y = np.array([[0.0, np.nan], [-0.0, 2.0]]), np.array([1, 2])
    mark = fingerprint_of((X, y), Frame(X).schema)
    for labels in (y, y.astype(float), y.astype(object)):
        assert mark.overlap([(Frame(np.abs(X)), labels)], Frame(X).schema).same


def test_hashes_of_two_files_say_nothing_of_each_other(path):
    X, y = table()
    _, mark = saved(path, X, y)
    _, other = saved(path, X.iloc[:-1], y[:-1])
    both = [
        {fingerprint.hashes[at : at + 16] for at in range(0, len(fingerprint.hashes), 16)}
        for fingerprint in (mark, other)
    ]
    assert len(both[0]) == 60
    assert not both[0] & both[1]


def test_nothing_is_kept_unless_rows_are_given(path):
    X, y = table()
    hornbook.save(NaiveBayes().fit(X, y), path)
    assert inspect_file(path).fingerprint is None
    assert inspect_file(path).to_dict()["fingerprint"] is None


def test_blocks_and_frames_are_taken_too(path):
    melons = hornbook.datasets.watermelon("3.0")
    model = NaiveBayes().fit(melons)
    hornbook.save(model, path, trained_on=melons)
    mark = inspect_file(path).fingerprint
    assert mark.n_rows == len(melons)
    assert mark.overlap([(melons.features, melons.y)], model.schema_).same


@pytest.mark.parametrize(
    "change",
    [
        {"n_rows": -1}, {"n_rows": True}, {"digest": "0" * 31}, {"digest": "g" * 32}, {"limit": 5},
        {"hashes": "0" * 15}, {"hashes": "0" * 16 * 1025}, {"hashes": ["0" * 16]}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("read", [hornbook.load, inspect_file])
def test_a_forged_fingerprint_is_refused(read, change, path):
    saved(path, *table())
    edit(path, lambda header, _: header["fingerprint"].update(change))
    refused(read, path, "its fingerprint of the training rows is not valid|should have the entries")


def test_pieces_and_threads_make_no_difference():
    draw = np.random.default_rng(0)
    columns = {"a": draw.normal(size=70_000), "b": draw.integers(0, 9, 70_000).astype(str)}
    frame = Frame({**columns, "y": draw.integers(0, 2, 70_000).astype(str)}, target="y")
    mark = fingerprint_of(frame, frame.schema.features)
    pieces = hornbook.Blocks([frame[:10], frame[10:66_000], frame[66_000:]], n_jobs=2)
    assert fingerprint_of(pieces, frame.schema.features) == mark
    assert mark.overlap(pieces, frame.schema.features).same


def test_an_unknown_category_is_no_missing_cell():
    frame = Frame({"color": ["red", None, "green"], "y": [0, 1, 1]}, target="y")
    mark = fingerprint_of(frame, frame.schema.features)
    other = Frame({"color": ["red", "blue", "green"], "y": [0, 1, 1]}, target="y")
    assert mark.overlap(other, frame.schema.features).share == 2 / 3
