"""Model files with sparse rows whose indices somebody forged: refused before anything follows them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy.sparse import csr_array
from tests.persist.forge import edit, refused

import hornbook


def forged(path, kind, change):
    """Save neighbors of sparse rows, then change one of the arrays of the rows."""
    table = csr_array(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 5.0], [0.0, 3.0, 4.0]]))
    hornbook.save(hornbook.KNeighborsClassifier(n_neighbors=1).fit(table, list("aabb")), path)

    def spoil(header, members):
        rows = header["state"]["memory_"]["fields"]["rows"]["fields"]
        name = next(
            member for member in members if member.split("/")[-1].split(".")[0] == str(rows[kind]["index"])
        )
        array = change(np.load(io.BytesIO(members[name])))
        file = io.BytesIO()
        np.save(file, array)
        members[name] = file.getvalue()
        rows[kind]["shape"] = list(array.shape)

    edit(path, spoil)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("columns", lambda a: a + 1_000_000),
        ("columns", lambda a: a - 1_000),
        ("offsets", lambda a: a + 7),
        ("offsets", lambda a: a[::-1].copy()),
        ("offsets", lambda a: np.append(a, 0)),
        ("offsets", lambda a: a[:-1]),
        ("offsets", lambda a: a[:0]),
        ("columns", lambda a: a[:-1]),
        ("values", lambda a: a[:-1]),
        ("offsets", lambda a: np.where(np.arange(len(a)) == 2, 10**9, a)),
    ],
)
def test_indices_that_lead_outside_are_refused(tmp_path, kind, change):
    path = tmp_path / "model.hornbook"
    forged(path, kind, change)
    refused(hornbook.load, path, "cannot be loaded")


def test_a_number_of_columns_that_would_fill_the_memory_is_refused(tmp_path):
    path = tmp_path / "model.hornbook"
    forged(path, "values", lambda array: array)

    def spoil(header, _):
        header["state"]["memory_"]["fields"]["rows"]["fields"]["n_columns"] = 10**15

    edit(path, spoil)
    refused(hornbook.load, path, "at most 16777216 columns")
