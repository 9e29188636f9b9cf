"""Content of the files of every learner changed at random, with nothing checked by the probe rows.

Whoever forges a file can forge its recorded answers, too: here a file is loaded without comparing them, so
that what is tested are the checks behind. It is refused by a ModelFileError, or it gives a model that answers
or refuses in good time. The interpreter goes on in any case.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import signal
import warnings

import numpy as np
import pytest
from tests.persist.old_files import FOLDER, METHODS
from tests.persist.test_fuzz import (
    array_nodes,
    at,
    other_cells,
    other_shape,
    places,
    put_together,
    taken_apart,
)

import hornbook
from hornbook.persist import ModelFileError, _load
from hornbook.persist._probes import _frame as rows_of

NAMES = sorted(path.stem for path in FOLDER.glob("*.hornbook"))
SECONDS = 60  # for one case, on a machine as busy as can be
CASES = 5
NUMBERS = [
    -(2**63),
    -1,
    0,
    1,
    2,
    5,
    31,
    10**6,
    10**8,
    2**31 - 1,
    2**40,
    2**63 - 1,
    0.5,
    1e308,
    "x",
    None,
    [],
    True,
]


class TooSlowError(Exception):
    """A model that does not answer."""


@contextlib.contextmanager
def in_good_time():
    def stop(*_):
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def unprobed(monkeypatch):
    """Probe rows are asked about, and the answers believed."""

    def ask(model, probes, *_):
        rows = rows_of(model.schema_, probes.numbers[:32], probes.codes[:32])
        for name in METHODS:
            if hasattr(model, name):
                getattr(model, name)(rows)

    monkeypatch.setattr(_load, "check_probes", ask)


def change_scalar(draw, header):
    """Another number, text or truth somewhere in the model."""
    ways = [
        place
        for part in ("state", "parameters")
        for place in places(header[part], (part,))
        if not isinstance(at(header, place), dict | list) and place[-1] not in ("type", "dtype", "index")
    ]
    place = draw.choice(ways)
    value, parent = at(header, place), at(header, place[:-1])
    near = isinstance(value, int | float) and draw.random() < 0.5
    parent[place[-1]] = value + draw.choice([-1, 1, 7]) if near else draw.choice(NUMBERS)


def change_list(draw, header):
    """One item more or less, or two in each other's place."""
    ways = [place for place in places(header["state"], ("state",)) if isinstance(at(header, place), list)]
    items = at(header, draw.choice(ways))
    if items:
        i, j = draw.randrange(len(items)), draw.randrange(len(items))
        action = draw.randrange(3)
        if action == 0:
            del items[i]
        elif action == 1:
            items.insert(j, copy.deepcopy(items[i]))
        else:
            items[i], items[j] = items[j], items[i]


def change_content(draw, header, members):
    """Other cells or another shape for one array of the model, of which the header knows."""
    nodes = list(array_nodes(header["state"]))
    if not nodes:
        return
    node = draw.choice(nodes)
    name = f"arrays/{node['index']}.npy"
    array = np.load(io.BytesIO(members[name]))
    action = draw.random()
    if action < 0.6:
        array = other_cells(draw, array)
    elif action < 0.7 and array.size and array.dtype.kind in "iu":
        array = np.sort(array.ravel())[:: draw.choice([1, -1])].reshape(array.shape)
    elif action < 0.8 and array.size:
        array = np.roll(array, draw.choice([-1, 1]))
    elif array.ndim:
        array = draw.choice([other_shape(draw, array), np.append(array.ravel(), array.dtype.type(0))])
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
    members[name] = stream.getvalue()
    node["shape"] = list(array.shape)


def forged(draw, content):
    header, members = taken_apart(content)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        change = draw.choice(["content", "content", "content", "scalar", "scalar", "list"])
        try:
            if change == "content":
                change_content(draw, header, members)
            elif change == "scalar":
                change_scalar(draw, header)
            else:
                change_list(draw, header)
        except (KeyError, TypeError, AttributeError):  # an earlier change left nothing to change
            break
    return put_together(header, members)


def outcome(content, path):
    """Whether a file was loaded; a model from it may answer or refuse, and must do either."""
    path.write_bytes(content)
    with in_good_time(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model = hornbook.load(path, max_bytes=2**24)
        except ModelFileError:
            return False
        with contextlib.suppress(ValueError, TypeError, ArithmeticError, LookupError, AttributeError):
            model.describe()
        return True


def run(name, numbers, path):
    content = (FOLDER / f"{name}.hornbook").read_bytes()
    return [outcome(forged(random.Random(f"{name} {number}"), content), path) for number in numbers]


@pytest.mark.usefixtures("unprobed")
@pytest.mark.parametrize("name", NAMES)
def test_changed_content(name, tmp_path):
    assert len(run(name, range(CASES), tmp_path / "f")) == CASES


@pytest.mark.slow
@pytest.mark.usefixtures("unprobed")
@pytest.mark.parametrize("name", NAMES)
def test_much_changed_content(name, tmp_path):
    run(name, range(CASES, 400), tmp_path / "f")
