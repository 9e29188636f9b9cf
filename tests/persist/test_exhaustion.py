"""Small files that ask for much memory or time: each is refused, and the memory is watched."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from tests.persist.forge import npy, put_together, taken_apart
from tests.persist.old_files import FOLDER

import hornbook
from hornbook.persist import ModelFileError

MAX_BYTES = 2**24
SLACK = 64 * 2**20

# Loads good files first, so that what is measured is not the library itself; then prints the memory at its
# highest after each of the others.
WATCH = """
import resource, sys
import hornbook
limit, n_good, *paths = sys.argv[1:]
for path in paths[:int(n_good)]:
    hornbook.load(path)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in paths[int(n_good):]:
    try:
        hornbook.load(path, max_bytes=int(limit))
    except hornbook.persist.ModelFileError:
        pass
    print(1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before))
"""
GOOD = ("Baseline", "KNeighborsClassifier", "ObliqueTreeClassifier", "KMeans-sparse", "PolynomialRegression")


def old_file(name):
    return FOLDER / f"{name}.hornbook"


def array_at(node, members):
    return np.load(io.BytesIO(members[f"arrays/{node['index']}.npy"]))


def set_array(node, members, array):
    members[f"arrays/{node['index']}.npy"] = npy(array)
    node.update(shape=list(array.shape), dtype=array.dtype.str)


def field(header, *names):
    node = header["state"][names[0]]
    for name in names[1:]:
        node = node["fields"][name]
    return node


def nested_lists(path):
    """Some 60 kB that are 60 MB of JSON, which are 2 GB of empty lists."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b'{"format": [' + b"[]," * (20 * 2**20) + b"[]]}")
    assert path.stat().st_size < 100_000


def long_texts(path):
    """A text that takes four bytes a letter because of its last one."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b'{"format": "' + b"a" * (15 * 2**20) + b'\\ud83d\\ude00"}')


def many_members(path):
    """Names of arrays that are not there, 150,000 of them."""
    with ZipFile(path, "w") as archive:
        for index in range(150_000):
            archive.writestr(f"{index}", b"")


def many_levels(path):
    header, members = taken_apart(old_file("KNeighborsClassifier"))
    node = field(header, "memory_", "space", "n_levels")
    array = array_at(node, members)
    array[0] = 10**8
    set_array(node, members, array)
    put_together(path, header, members)


def far_class(path):
    header, members = taken_apart(old_file("KNeighborsClassifier"))
    node = header["state"]["y_"]
    array = array_at(node, members)
    array[:] = 2**31 - 1
    set_array(node, members, array)
    put_together(path, header, members)


def cycle(path):
    header, members = taken_apart(old_file("ObliqueTreeClassifier"))
    node = field(header, "tree_", "first_child")
    array = array_at(node, members)
    array[:2] = 0
    set_array(node, members, array)
    put_together(path, header, members)


def many_centers(path):
    """Distances to a quarter of a million centers for each of 32 rows take 64 MB."""
    header, members = taken_apart(old_file("KMeans-sparse"))
    for name in ("cluster_centers_", "seen_"):
        set_array(header["state"][name], members, np.ones((2**18, 2)))
    put_together(path, header, members)


def many_products(path):
    header, members = taken_apart(old_file("PolynomialRegression"))
    set_array(field(header, "products_", "factors"), members, np.zeros((2**19, 1), dtype=np.int32))
    set_array(header["state"]["coef_"], members, np.zeros(2**19))
    put_together(path, header, members)


def many_probes(path):
    header, members = taken_apart(old_file("Baseline"))
    for name, width in (("numbers", 2), ("codes", 2)):
        node = header["probes"][name]
        set_array(node, members, np.zeros((2**18, width), dtype=array_at(node, members).dtype))
    put_together(path, header, members)


def long_integer(path):
    header, members = taken_apart(old_file("Baseline"))
    text = json.dumps(header).replace('"n_features_in_": 4', f'"n_features_in_": {"9" * 100_000}')
    put_together(path, text.encode(), members)


HOSTILE = {
    nested_lists: "takes 62914576 bytes uncompressed, more than the 16777216 allowed",
    long_texts: "its model.json takes more memory than allowed",
    many_members: "table of contents is longer|members, more than any",
    many_levels: "the levels are not those of the columns",
    far_class: "its part KNeighborsClassifier.y_ does not fit the others",
    cycle: "the children of node 0 do not come after it within its tree",
    many_centers: "recorded predictions are not as long as those of the learner",
    many_products: "does not fit the others",
    many_probes: "its probe rows do not fit its columns",
    long_integer: "holds an integer of 100000 digits",
}


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_file_is_refused_for_what_it_is(make, tmp_path):
    path = tmp_path / "bad.hornbook"
    make(path)
    with pytest.raises(ModelFileError, match=HOSTILE[make]):
        hornbook.load(path, max_bytes=MAX_BYTES)


@pytest.mark.slow
def test_neither_hostile_nor_good_files_take_more_memory_than_allowed(tmp_path):
    X = np.random.default_rng(0).normal(size=(40_000, 30))
    hornbook.save(hornbook.KNeighborsRegressor().fit(X, X[:, 0]), tmp_path / "large.hornbook")
    assert (tmp_path / "large.hornbook").stat().st_size > 9e6
    for make in HOSTILE:
        make(tmp_path / f"{make.__name__}.hornbook")
    paths = sorted(tmp_path.glob("*.hornbook"))
    peaks = dict(zip(paths, watched(paths, MAX_BYTES), strict=True))
    assert max(peaks.values()) <= MAX_BYTES + SLACK, peaks


def watched(paths, limit):
    """The highest memory of a process after loading each of some files, above that with good ones."""
    good = [old_file(name) for name in GOOD]
    command = [sys.executable, "-c", WATCH, str(limit), str(len(good)), *good, *paths]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    return [int(line) for line in printed.stdout.split()]


def test_nested_lists_are_refused_before_they_are_expanded(tmp_path):
    """Under the usual limit, too, which leaves room for the bytes and not for the lists."""
    nested_lists(tmp_path / "bad.hornbook")
    with pytest.raises(ModelFileError, match=r"its model.json takes more memory than allowed: pass a larger"):
        hornbook.load(tmp_path / "bad.hornbook")


def test_a_larger_limit_lets_more_in(tmp_path):
    hornbook.save(hornbook.Baseline().fit([[1.0], [2.0]], [0, 1]), tmp_path / "a.hornbook")
    with pytest.raises(ModelFileError, match="more memory than allowed: pass a larger max_bytes"):
        hornbook.load(tmp_path / "a.hornbook", max_bytes=20_000)
    assert hornbook.load(tmp_path / "a.hornbook", max_bytes=200_000).predict([[1.0]]).tolist() == [0]
