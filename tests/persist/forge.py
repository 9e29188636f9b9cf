"""Model files taken apart and put together again, by means of zipfile and NumPy alone."""

from __future__ import annotations

import io
import json
import os
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest

import hornbook
from hornbook import NaiveBayes
from hornbook.persist import ModelFileError, inspect_file

TABLE = pd.DataFrame({"size": [1.0, 2.0, 4.0, 5.0], "color": ["red", "blue", "red", "red"]})
readers = pytest.mark.parametrize("read", [hornbook.load, inspect_file], ids=["load", "inspect"])


def good_file(folder):
    """A file to be spoilt."""
    path = folder / "model.hornbook"
    hornbook.save(NaiveBayes().fit(TABLE, ["a", "b", "b", "a"]), path)
    return path


def refused(read, path, reason):
    """The file is refused by one sentence with its name and the reason."""
    with pytest.raises(ModelFileError, match=reason) as caught:
        read(path)
    sentence = str(caught.value)
    assert sentence.startswith(repr(os.fspath(path)))
    assert sentence.endswith(".")
    assert "\n" not in sentence


def taken_apart(path):
    """The header as JSON and all other members as bytes."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("model.json")), members


def put_together(path, header, members):
    """Write a file whose sums are right, whatever is in it."""
    with ZipFile(path, "w") as archive:
        archive.writestr("model.json", header if isinstance(header, bytes) else json.dumps(header))
        for name, content in members.items():
            archive.writestr(name, content)


def edit(path, change):
    """Change a file by a function of its header and members."""
    header, members = taken_apart(path)
    change(header, members)
    put_together(path, header, members)


def npy(array, **options):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), **options)
    return stream.getvalue()


def array_of(node, members):
    """The array behind a node of the header."""
    if node["type"] == "array":
        return np.load(io.BytesIO(members[f"arrays/{node['index']}.npy"]), allow_pickle=False)
    return np.array(node["values"], dtype=node["dtype"]).reshape(node["shape"])
