"""Saving: all of a file or nothing of it."""

from __future__ import annotations

import errno
import os
import stat
from zipfile import ZipFile

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

import hornbook
from hornbook import Baseline, NaiveBayes
from hornbook.persist import ModelFileError, _archive, _save

MODEL = Baseline().fit([[1.0], [2.0]], ["no", "yes"])


def content(folder):
    """Names of all that is in a folder, with what the files hold."""
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def test_an_unfitted_learner_is_refused(tmp_path):
    with pytest.raises(NotFittedError, match="This NaiveBayes instance is not fitted yet"):
        hornbook.save(NaiveBayes(), tmp_path / "a")
    assert content(tmp_path) == {}


class MyBayes(NaiveBayes):
    """Called differently, so nobody could find it again."""


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), MyBayes().fit([[1.0]], [1]), type("NaiveBayes", (NaiveBayes,), {})(), 3, None],
)
def test_what_is_not_a_learner_of_ours_is_refused(model, tmp_path):
    name = type(model).__name__
    with pytest.raises(
        ModelFileError, match=f"one of Hornbook's own learners, which {name} is not: hornbook.lea"
    ):
        hornbook.save(model, tmp_path / "a")
    assert content(tmp_path) == {}


def test_a_generator_is_refused_with_the_remedy(tmp_path):
    model = Baseline(strategy="uniform", random_state=check_random_state(0)).fit([[1.0]], [1])
    with pytest.raises(
        ModelFileError,
        match="^Baseline: parameter 'random_state' holds a RandomState, which a model file cannot hold: "
        "pass an integer seed.$",
    ):
        hornbook.save(model, tmp_path / "a")
    assert content(tmp_path) == {}


def full(*_args, **_options):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Full:
    """A file on a disk with room for some bytes."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        self.room -= len(data)
        return self.file.write(data) if self.room >= 0 else full()


@pytest.fixture(params=["new", "existing"])
def target(request, tmp_path):
    """A path, with a model already there or not, which must stay as it is."""
    path = tmp_path / "model.hornbook"
    if request.param == "existing":
        hornbook.save(NaiveBayes().fit([[1.0]], [1]), path)
    before = content(tmp_path)
    yield path
    assert content(tmp_path) == before


def refused(path, reason):
    with pytest.raises(ModelFileError, match=f"model.hornbook' cannot be written: {reason}[.]$") as caught:
        hornbook.save(MODEL, path)
    return caught.value


@pytest.mark.parametrize("room", [0, 10, 500, 1000, 1400])
def test_a_full_disk_changes_nothing(room, target, monkeypatch):
    opened = type(target).open
    monkeypatch.setattr(type(target), "open", lambda path, mode: Full(opened(path, mode), room))
    assert refused(target, "No space left on device").__cause__.errno == errno.ENOSPC


def test_so_much_room_would_have_been_needed(tmp_path):
    hornbook.save(MODEL, tmp_path / "a")
    assert 1400 < (tmp_path / "a").stat().st_size < 3000


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_at_the_last_step_changes_nothing(step, target, monkeypatch):
    owner = os if step == "fsync" else type(target)
    monkeypatch.setattr(owner, step, full)
    refused(target, "No space left on device")


def test_an_interrupt_changes_nothing(target, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_archive, "_write_members", interrupt)
    with pytest.raises(KeyboardInterrupt):
        hornbook.save(MODEL, target)


def test_a_refused_model_changes_nothing(target):
    model = Baseline().fit([[1.0]], [1])
    model.odd_ = 1
    with pytest.raises(ModelFileError, match="attribute 'odd_' is not set by fitting: delete it"):
        hornbook.save(model, target)


def test_a_model_that_contradicts_itself_is_not_saved(target):
    model = Baseline().fit([[1.0]], [1])
    model.class_prior_ = np.ones(3)
    with pytest.raises(ModelFileError, match="Baseline cannot be saved: its part Baseline.class_prior_ does"):
        hornbook.save(model, target)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing/model.hornbook", "No such file or directory"),
        ("file/model.hornbook", "Not a directory"),
        ("folder.model.hornbook", "that name belongs to something that is not a file"),
        ("pipe.model.hornbook", "that name belongs to something that is not a file"),
        ("no\0model.hornbook", "embedded null byte"),
    ],
)
def test_places_where_nothing_can_be_written(name, reason, tmp_path):
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder.model.hornbook").mkdir()
    os.mkfifo(tmp_path / "pipe.model.hornbook")
    before = content(tmp_path)
    refused(f"{tmp_path}/{name}", reason)
    assert content(tmp_path) == before
    assert stat.S_ISFIFO((tmp_path / "pipe.model.hornbook").stat().st_mode)


def test_a_folder_that_may_not_be_written_to(target, monkeypatch):
    def forbidden(path, mode):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(type(target), "open", forbidden)  # the rights of a folder do not bind a superuser
    refused(target, "Permission denied")


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.hornbook", tmp_path / "link.hornbook"
    link.symlink_to(real)
    for model in (MODEL, NaiveBayes().fit([[1.0]], [1])):
        hornbook.save(model, link)
        assert link.is_symlink()
        assert not real.is_symlink()
        assert type(hornbook.load(real)) is type(hornbook.load(link)) is type(model)


def test_rights_are_those_of_any_new_file_and_stay_when_replaced(tmp_path):
    path, plain = tmp_path / "model.hornbook", tmp_path / "plain"
    plain.touch()
    hornbook.save(MODEL, path)
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    hornbook.save(MODEL, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_limits_of_the_format_hold_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(_save, "MAX_HEADER_BYTES", 500)
    with pytest.raises(ModelFileError, match="Baseline is too large for a model file: its texts take"):
        hornbook.save(MODEL, tmp_path / "a")
    monkeypatch.undo()
    monkeypatch.setattr(_save, "MAX_ARRAYS", 2)
    with pytest.raises(ModelFileError, match="Baseline is too large .* arrays of 2"):
        hornbook.save(MODEL, tmp_path / "a")
    assert content(tmp_path) == {}


def test_texts_are_packed_and_numbers_are_not(tmp_path):
    model = NaiveBayes(lazy=True).fit(np.zeros((1000, 20)), np.arange(1000) % 2)
    hornbook.save(model, tmp_path / "a")
    with ZipFile(tmp_path / "a") as archive:
        header, *arrays = archive.infolist()
    assert header.compress_size < header.file_size / 2
    assert all(member.compress_size == member.file_size for member in arrays)
