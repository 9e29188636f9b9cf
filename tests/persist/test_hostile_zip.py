"""Zips that somebody made to do harm, or that were damaged: one sentence, and nothing else happens."""

from __future__ import annotations

import io
import json
import os
import pickle
import struct
import zipfile
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

import numpy as np
import pytest
from tests.persist.forge import TABLE, edit, good_file, npy, put_together, readers, refused, taken_apart

import hornbook
from hornbook import Encoder, NaiveBayes
from hornbook.persist import ModelFileError, _archive


@pytest.fixture
def path(tmp_path):
    return good_file(tmp_path)


class Bomb:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


def test_the_bomb_works(tmp_path):
    pickle.loads(pickle.dumps(Bomb(tmp_path / "mark")))  # noqa: S301 - what must never happen elsewhere
    assert (tmp_path / "mark").exists()


@readers
def test_a_pickle_with_another_name(read, tmp_path):
    for protocol in range(6):
        path = tmp_path / "model.hornbook"
        path.write_bytes(pickle.dumps(Bomb(tmp_path / "mark"), protocol))
        refused(read, path, "it is not a model file: those are written by hornbook.save")
    assert not (tmp_path / "mark").exists()


def test_an_array_of_objects(path, tmp_path):
    bomb = np.array([Bomb(tmp_path / "mark")], dtype=object)

    def lie(_, members):
        members["arrays/0.npy"] = npy(bomb, allow_pickle=True)

    def admit(header, _):
        next(node for node in walk(header) if node.get("index") == 0).update(dtype="|O", shape=[1])

    for change in (lie, admit):
        edit(path, change)
        refused(hornbook.load, path, r"its array arrays/0.npy is not the|it names the array 0 of type '\|O'")
        assert not (tmp_path / "mark").exists()


def walk(node):
    """All JSON objects in a header."""
    if isinstance(node, dict):
        yield node
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(part)


def test_a_saved_archive_of_numpy(tmp_path):
    path = tmp_path / "model.hornbook"
    with path.open("wb") as file:
        np.savez(file, a=np.arange(3))
    refused(hornbook.load, path, "it is not a model file: it has no model.json")


@readers
@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x03\x04", b"{}", b"PK\x05\x06" + bytes(18), bytes(100)])
def test_other_content(read, content, tmp_path):
    path = tmp_path / "model.hornbook"
    path.write_bytes(content)
    refused(read, path, "cannot be loaded")


@readers
def test_other_things_than_files(read, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    refused(read, tmp_path, "it is not a file")
    refused(read, tmp_path / "pipe", "it is not a file")
    refused(read, tmp_path / "dead", "cannot be read: No such file or directory")
    refused(read, tmp_path / "missing", "cannot be read: No such file or directory")
    refused(read, "\0", "embedded null byte")
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object, not int"):
        read(3)


@pytest.mark.parametrize(
    "name",
    [
        "../evil.npy",
        "/etc/passwd",
        "arrays/../x",
        "extra.txt",
        "arrays/007.npy",
        "arrays/99.npy",
        "C:\\x",
        "x.py",
    ],
)
@readers
def test_members_that_do_not_belong_there(read, name, path):
    edit(path, lambda _, members: members.update({name: b"x"}))
    refused(read, path, "it has the member '.*', which does not belong there")


def test_nothing_is_ever_written(path, tmp_path):
    edit(path, lambda _, members: members.update({"../../evil": b"x"}))
    before = sorted(tmp_path.iterdir())
    refused(hornbook.load, path, "does not belong there")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
@readers
def test_two_members_with_one_name(read, path):
    header, members = taken_apart(path)
    put_together(path, header, members)
    with ZipFile(path, "a") as archive:
        archive.writestr("model.json", json.dumps(header))
    refused(read, path, "it has two members with one name")


def test_a_member_that_is_a_link_is_never_followed(path):
    header, members = taken_apart(path)
    put_together(path, header, {name: content for name, content in members.items() if name != "arrays/0.npy"})
    link = ZipInfo("arrays/0.npy")
    link.external_attr = 0o120777 << 16
    with ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    refused(hornbook.load, path, "magic string")


def test_a_member_with_a_hidden_end(path):
    content = path.read_bytes().replace(b"arrays/0.npy", b"arrays/0\0npy")
    path.write_bytes(content)
    refused(hornbook.load, path, "which does not belong there")


@pytest.mark.parametrize("packing", [ZIP_BZIP2, ZIP_LZMA])
def test_only_the_common_ways_of_packing(packing, path):
    header, members = taken_apart(path)
    with ZipFile(path, "w", packing) as archive:
        archive.writestr("model.json", json.dumps(header))
        for name, content in members.items():
            archive.writestr(name, content)
    refused(hornbook.load, path, "'model.json' is encrypted or compressed in an unknown way")


def test_stored_and_deflated_members_are_both_read(path):
    model, (header, members) = hornbook.load(path), taken_apart(path)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("model.json", json.dumps(header))
        for name, content in members.items():
            archive.writestr(name, content)
    np.testing.assert_array_equal(hornbook.load(path).predict_proba(TABLE), model.predict_proba(TABLE))


def test_an_encrypted_member(path):
    content = bytearray(path.read_bytes())
    for start in (content.index(b"PK\x03\x04") + 6, content.index(b"PK\x01\x02") + 8):
        content[start] |= 1
    path.write_bytes(content)
    refused(hornbook.load, path, "encrypted")


@readers
def test_a_bomb_in_the_header(read, path):
    """A thousand to one: the claim is checked before anything is unpacked."""
    _, members = taken_apart(path)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b" " * (65 * 2**20))
        for name, content in members.items():
            archive.writestr(name, content)
    assert path.stat().st_size < 2**17
    refused(read, path, "its model.json is longer than 67108864 bytes")


def test_a_bomb_in_the_arrays(path):
    header, members = taken_apart(path)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("model.json", json.dumps(header))
        for name in members:
            archive.writestr(name, npy(np.zeros(2**17)))
    with pytest.raises(ModelFileError, match=r"more than the 1000000 allowed: pass a larger max_bytes"):
        hornbook.load(path, max_bytes=1_000_000)


def forged(content, signature, offset, form, value, nth=0):
    """Bytes with a number changed in the nth record with that signature."""
    content, start = bytearray(content), -1
    for _ in range(nth + 1):
        start = content.index(signature, start + 1)
    struct.pack_into(form, content, start + offset, value)
    return bytes(content)


def test_a_member_that_lies_about_its_size(path):
    """More content than claimed is never unpacked; less is an early end."""
    content = path.read_bytes()
    for size, reason in ((10, "damaged"), (2**20, "ends too early|Bad CRC|damaged")):
        path.write_bytes(forged(content, b"PK\x01\x02", 24, "<I", size))
        refused(hornbook.load, path, reason)
    path.write_bytes(forged(content, b"PK\x01\x02", 24, "<I", 2**32 - 2, nth=1))
    refused(hornbook.load, path, "pass a larger max_bytes if you trust it")


def test_a_table_of_contents_without_end(path, monkeypatch):
    """The length of the table is bounded before it is read."""
    entry = path.read_bytes()
    start = entry.index(b"PK\x01\x02")
    table = entry[start : entry.index(b"PK\x05\x06")] * 40_000
    assert len(table) > _archive.LONGEST_READ
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, len(table), start, 0)
    path.write_bytes(entry[:start] + table + end)
    made = []
    monkeypatch.setattr(zipfile, "ZipInfo", lambda *args: made.append(args))
    refused(hornbook.load, path, "its table of contents is longer than that of any model file")
    assert made == []


def test_more_members_than_any_model_has(path, monkeypatch):
    monkeypatch.setattr(_archive, "MAX_ARRAYS", 3)
    refused(hornbook.load, path, "it has [0-9]+ members, more than any model file")


def test_an_array_with_a_shape_beyond_all_memory(path):
    """The size is compared with the member before memory is asked for."""

    def change(header, members):
        node = next(part for part in walk(header) if part.get("index") == 1)
        node["shape"] = [2**40, 2**40]
        text = f"{{'descr': '{node['dtype']}', 'fortran_order': False, 'shape': ({2**40}, {2**40}), }}"
        head = text.ljust(117).encode() + b"\n"
        members["arrays/1.npy"] = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head

    edit(path, change)
    refused(hornbook.load, path, "its array arrays/1.npy is [0-9]+ bytes long, not [0-9]{20,}")


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').mkdir('{mark}')",
        "(" * 500 + ")" * 500,
        "-" * 900 + "1",
        "{{}}",
        "'" * 30,
        "\0",
        "[" * 900,
    ],
)
def test_the_head_of_an_array_is_not_run(text, path, tmp_path):
    head = text.format(mark=tmp_path / "mark").encode() + b"\n"
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head
    edit(path, lambda _, members: members.update({"arrays/0.npy": head}))
    refused(hornbook.load, path, "damaged|too deeply|more memory")
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (npy(np.zeros((3, 2), order="F")), "is not the"),
        (npy(np.zeros(2), version=(2, 0)), "unknown version"),
        (npy(np.zeros(2), version=(3, 0)), "unknown version"),
        (npy(np.zeros(2, ">f8")), "is not the"),
        (npy(np.zeros(2, "c16")), "is not the"),
        (npy(np.zeros(2, "U2")), "is not the"),
        (npy(np.zeros(2, "M8[D]")), "is not the"),
        (npy(np.zeros(2, "i4,i4")), "is not the"),
        (npy(np.zeros(999)), "is not the"),
        (b"\x93NUMPY", "damaged"),
        (b"", "damaged"),
    ],
)
def test_arrays_that_are_not_what_the_header_says(content, reason, path):
    edit(path, lambda _, members: members.update({"arrays/0.npy": content}))
    refused(hornbook.load, path, reason)


def test_truths_that_are_neither_true_nor_false(path):
    hornbook.save(NaiveBayes().fit(TABLE, [True, False, False, True]), path)
    _, members = taken_apart(path)
    (name,) = [
        key
        for key, content in members.items()
        if "'|b1', 'fortran_order': False, 'shape': (2,)" in str(content)
    ]
    edit(path, lambda _, members: members.update({name: members[name][:-1] + b"\x02"}))
    refused(hornbook.load, path, "holds values other than True and False")


def test_arrays_that_belong_to_nothing_or_to_two(path):
    _, members = taken_apart(path)
    edit(path, lambda _, members: members.update({f"arrays/{len(members)}.npy": npy(np.zeros(2))}))
    refused(hornbook.load, path, f"its array arrays/{len(members)}.npy belongs to nothing")

    def twice(header, members):
        del members[f"arrays/{len(members) - 1}.npy"]
        probes = header["probes"]
        probes["codes"] = probes["numbers"]

    edit(path, twice)
    refused(hornbook.load, path, "is missing, or asked for twice")


def test_a_file_of_objects_cannot_come_from_us(tmp_path):
    stream = io.BytesIO()
    with pytest.raises(ValueError, match="Object arrays cannot be saved when allow_pickle=False"):
        np.lib.format.write_array(stream, np.array([object()]), allow_pickle=False)
    model = Encoder().fit(TABLE)
    model.encoded_names_ = np.array([object()])
    with pytest.raises(ModelFileError, match="attribute 'encoded_names_' holds an object"):
        hornbook.save(model, tmp_path / "a")
