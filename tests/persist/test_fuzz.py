"""Files changed at random: each is refused by a ModelFileError, or gives the answers that it records.

Nothing else may happen, and least of all may the interpreter end. A case is made from its number alone.
"""

from __future__ import annotations

import copy
import io
import json
import random
import warnings
from zipfile import ZipFile

import numpy as np
import pytest

import hornbook
from hornbook import PCA, Baseline, Calibrated, Encoder, Frame, MetricLearner, NaiveBayes, VotingClassifier
from hornbook.persist import ModelFileError, inspect_file
from hornbook.registry import LEARNERS, RECORDS

METHODS = ("predict_proba", "decision_function", "predict", "transform")


def models():
    """Models that between them hold every kind of record and array."""
    draw = np.random.default_rng(0)
    n = 40
    table = {
        "size": np.where(draw.random(n) < 0.1, np.nan, draw.normal(size=n)),
        "mass": draw.normal(size=n).round(1),
        "color": np.array(["green", "dark", "light"])[draw.integers(0, 3, n)],
        "flag": draw.random(n) < 0.5,
    }
    y = np.array(["no", "yes", "maybe"])[draw.integers(0, 3, n)]
    return {
        "gaussian": NaiveBayes(priors=[0.2, 0.3, 0.5]).fit(table, y),
        "kernel": NaiveBayes(density="kernel", costs=np.ones((3, 3)) - np.eye(3)).fit(table, y),
        "bins": NaiveBayes(density="bins", n_bins=3).fit(table, draw.integers(0, 2, n)),
        "lazy": NaiveBayes(density="bins", n_bins=3, lazy=True).fit(table, y.astype(object)),
        "lazy kernel": NaiveBayes(density="kernel", lazy=True).fit(table, draw.random(n) < 0.5),
        "stratified": Baseline(strategy="stratified", random_state=1).fit(table, y),
        "mean": Baseline(strategy="mean").fit(table, draw.normal(size=n)),
        "named": VotingClassifier(
            [("calm", Calibrated(NaiveBayes(), method="isotonic", cv=2)), ("prior", Baseline())],
            voting="soft",
        ).fit(table, y),
        "components": PCA(2).fit(table),
        "metric": MetricLearner(must_link=[[0, 1]], cannot_link=[[2, 3]]).fit(table),
        "encoder": Encoder(scale="standard", missing="indicate").fit(table),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The bytes of a good file of each model."""
    path = tmp_path_factory.mktemp("fuzz") / "good"
    contents = {}
    for name, model in models().items():
        hornbook.save(model, path)
        contents[name] = path.read_bytes()
    return contents


def taken_apart(content):
    with ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("model.json")), members


def put_together(header, members):
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.writestr("model.json", json.dumps(header))
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


# --- what must hold -------------------------------------------------------------------------------


def recorded_array(node, members):
    if node["type"] == "array":
        return np.load(io.BytesIO(members[f"arrays/{node['index']}.npy"]), allow_pickle=False)
    return np.array(node["values"], dtype=node["dtype"]).reshape(node["shape"])


def assert_gives_recorded_answers(model, content):
    header, members = taken_apart(content)
    probes, schema = header["probes"], model.schema_
    numbers, codes = (recorded_array(probes[name], members) for name in ("numbers", "codes"))
    columns = [None] * len(schema)
    for place, j in enumerate(schema.numeric):
        columns[j] = numbers[:, place].copy()
    for place, j in enumerate(schema.coded):
        columns[j] = codes[:, place].copy()
    rows = Frame.from_columns(schema, columns)
    answers = {name: recorded_array(node, members) for name, node in probes["answers"].items()}
    assert set(answers) == {name for name in METHODS if hasattr(model, name)}
    for name, answer in answers.items():
        current = np.asarray(getattr(model, name)(rows))
        if answer.dtype.kind == "f" and not (name == "predict" and hasattr(model, "classes_")):
            np.testing.assert_allclose(current, answer, rtol=1.001e-9, atol=1.001e-9)
        else:
            best = np.sort(answers.get("predict_proba", np.tile([0.0, 1.0], (len(rows), 1))), axis=1)
            clear = np.ones(len(rows), bool) if best.shape[1] < 2 else best[:, -1] - best[:, -2] > 1e-8
            assert current[clear].tolist() == answer[clear].tolist()


def verdict(content, path):
    """Whether a file was loaded; refused is fine too, anything else is not."""
    path.write_bytes(content)
    try:
        inspect_file(path)
    except ModelFileError as error:
        assert_one_sentence(error, path)
    try:
        model = hornbook.load(path, max_bytes=2**24)
    except ModelFileError as error:
        assert_one_sentence(error, path)
        return False
    # What changed may be settings of a model that then warns, as it should.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert_gives_recorded_answers(model, content)
    return True


def assert_one_sentence(error, path):
    text = str(error)
    assert text.startswith(repr(str(path)))
    assert text.endswith((".", "?"))  # "Did you mean ...?"
    assert text.isprintable()
    assert len(text) < 1000


# --- changes --------------------------------------------------------------------------------------

NUMBERS = [
    -(2**63),
    -(2**31),
    -2,
    -1,
    0,
    1,
    2,
    3,
    7,
    33,
    10**9,
    2**31,
    2**50,
    2**63,
    2**64,
    0.5,
    -0.0,
    1e308,
    -1e-300,
]
WORDS = [
    "",
    "x",
    "nan",
    "inf",
    "numeric",
    "nominal",
    "__class__",
    "fit",
    "a_",
    "|O",
    "<f8",
    "<U9",
    "|b1",
    "\x1b[",
]
TYPES = ["float", "tuple", "dict", "scalar", "array", "labels", "record", "again", "learner"]


def places(node, above=()):
    """The way to every node of a header."""
    yield above
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from places(child, (*above, key))


def at(header, place):
    for key in place:
        header = header[key]
    return header


def anything(draw, header):
    """A random value, or a copy of another part of the header."""
    choice = draw.randrange(8)
    if choice < 3:
        return copy.deepcopy(at(header, draw.choice(list(places(header)))))
    return [
        draw.choice(NUMBERS),
        draw.choice(WORDS + TYPES + list(LEARNERS) + list(RECORDS)),
        draw.choice([None, True, False]),
        draw.choice(
            [[], {}, [1], [[1, 2]], {"type": "tuple", "items": []}, {"type": "float", "value": "nan"}]
        ),
        {"type": draw.choice(TYPES), "items": [], "index": 0},
    ][choice - 3]


def change_node(draw, header):
    """Replace, delete, rename, duplicate or wrap one node."""
    ways = [place for place in places(header) if place]
    place = draw.choice(ways)
    parent, key = at(header, place[:-1]), place[-1]
    action = draw.choice(["replace", "replace", "delete", "rename", "repeat", "wrap", "nudge"])
    if action == "replace":
        parent[key] = anything(draw, header)
    elif action == "delete":
        del parent[key]
    elif action == "rename" and isinstance(parent, dict):
        parent[draw.choice(WORDS)] = parent.pop(key)
    elif action == "repeat" and isinstance(parent, list):
        parent.insert(draw.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    elif action == "wrap":
        parent[key] = draw.choice([[parent[key]], {"type": "tuple", "items": [parent[key]]}])
    elif isinstance(parent[key], int | float):
        parent[key] = parent[key] + draw.choice([-1, 1, 0.5])


def array_nodes(node):
    if isinstance(node, dict):
        if node.get("type") == "array":
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from array_nodes(part)


def other_shape(draw, array):
    return draw.choice(
        [
            array.T,
            array[:-1],
            array[..., :1],
            array[:0],
            array.ravel(),
            array[None],
            np.concatenate([array, array]),
        ]
    )


def other_cells(draw, array):
    """The same array with odd values in some cells."""
    array = array.copy()
    if array.dtype.kind == "f":
        odd = [0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 5e-324]
    else:
        odd = [-1, -2, 0, 1, 2, 7, 2**15, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)]
    if array.size and array.dtype != np.bool_:
        cells = [draw.randrange(array.size) for _ in range(draw.choice([1, 1, 2, array.size]))]
        with np.errstate(all="ignore"):
            array.flat[cells] = np.array(draw.choice(odd)).astype(array.dtype)
    return array


def change_array(draw, header, members):
    """Another shape, type or content for one array, told to the header or not."""
    nodes = list(array_nodes(header))
    if not nodes:
        return
    node = draw.choice(nodes)
    name = f"arrays/{node['index']}.npy"
    array = np.load(io.BytesIO(members[name]))
    if array.dtype.kind not in "biuf":  # an earlier change made it so
        return
    action = draw.choice(["shape", "type", "cells", "cells", "bytes"])
    if action == "shape" and array.ndim:
        array = other_shape(draw, array)
    elif action == "type":
        with np.errstate(all="ignore"):
            array = array.astype(
                draw.choice(["?", "i1", "u1", "i4", "i8", "u8", "f4", "f8", "f2", "c16", "U3", ">f8"])
            )
    elif action == "cells":
        array = other_cells(draw, array)
    elif array.dtype != np.bool_:
        array = np.frombuffer(draw.randbytes(array.nbytes), dtype=array.dtype).reshape(array.shape)
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
    members[name] = stream.getvalue()
    if draw.random() < 0.9:
        node.update(dtype=array.dtype.str, shape=list(array.shape))


def swap_members(draw, members):
    one, two = draw.sample(list(members), 2)
    members[one], members[two] = members[two], members[one]


def forged(draw, content):
    """A file with right sums and wrong content."""
    header, members = taken_apart(content)
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        action = draw.random()
        try:
            if action < 0.6:
                change_node(draw, header)
            elif action < 0.95:
                change_array(draw, header, members)
            else:
                swap_members(draw, members)
        except (KeyError, TypeError, AttributeError):  # an earlier change left nothing to change
            break
    return put_together(header, members)


def damaged(draw, content):
    """A file with some bytes changed, lost or added, as a disk or a line does it."""
    content = bytearray(content)
    for _ in range(draw.choice([1, 1, 2, 8])):
        place = draw.randrange(len(content))
        action = draw.randrange(4)
        if action == 0:
            content[place] ^= 1 << draw.randrange(8)
        elif action == 1:
            content[place] = draw.randrange(256)
        elif action == 2:
            del content[place : place + draw.choice([1, 2, 100])]
        else:
            content[place:place] = draw.randbytes(draw.choice([1, 4, 50]))
        content = content or bytearray(b"\0")
    return bytes(content)


# --- tests ----------------------------------------------------------------------------------------


def case(kind, number, files):
    """The file of one case."""
    draw = random.Random(f"{kind.__name__} {number}")
    return kind(draw, files[draw.choice(sorted(files))])


def run(kind, numbers, files, path):
    """Try cases; if none was loaded or most were, the changes would be too wild or too tame."""
    loaded = sum(verdict(case(kind, number, files), path) for number in numbers)
    assert 0 < loaded < len(numbers) / 2


@pytest.mark.parametrize("name", models())
def test_good_files_are_loaded(name, files, tmp_path):
    assert verdict(files[name], tmp_path / "f")


@pytest.mark.parametrize("part", range(4))
def test_forged_files(part, files, tmp_path):
    run(forged, range(part * 250, (part + 1) * 250), files, tmp_path / "f")


def test_damaged_files(files, tmp_path):
    run(damaged, range(500), files, tmp_path / "f")


def test_files_cut_short(files, tmp_path):
    content = files["kernel"]
    for end in range(0, len(content), len(content) // 150):
        assert not verdict(content[:end], tmp_path / "f")
        assert not verdict(content[end + 1 :], tmp_path / "f")


def test_random_bytes(tmp_path):
    draw = random.Random(0)
    for size in (0, 1, 3, 4, 21, 22, 23, 100, 5000):
        for start in (b"", b"PK\x03\x04", b"PK\x05\x06", b"\x80\x04"):
            assert not verdict(start + draw.randbytes(size), tmp_path / "f")


def test_parts_of_two_files_in_one(files, tmp_path):
    """The header of one model with the arrays of another."""
    for one in files:
        for two in files:
            header, _ = taken_apart(files[one])
            _, members = taken_apart(files[two])
            assert verdict(put_together(header, members), tmp_path / "f") == (one == two)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_forged_files(part, files, tmp_path):
    run(forged, range(1000 + part * 3000, 1000 + (part + 1) * 3000), files, tmp_path / "f")


@pytest.mark.slow
def test_many_damaged_files(files, tmp_path):
    run(damaged, range(500, 20_000), files, tmp_path / "f")


@pytest.mark.slow
@pytest.mark.parametrize("name", models())
def test_every_single_byte_changed(name, files, tmp_path):
    content = bytearray(files[name])
    draw = random.Random(1)
    for place in range(0, len(content), 3):
        changed = content.copy()
        changed[place] ^= draw.randrange(1, 256)
        verdict(bytes(changed), tmp_path / "f")
