"""The zip archive around a model: written atomically, read within limits."""

from __future__ import annotations

import math
import os
import secrets
import shutil
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from hornbook.persist._errors import Damaged, quoted
from hornbook.persist._format import ARRAY_TYPES, HEADER, MAX_ARRAYS, MAX_HEADER_BYTES, Json, member
from hornbook.persist._json import read_json

__all__ = ["Archive", "write_archive"]

CHUNK = 2**20
LONGEST_READ = 8 * 2**20  # more than the central directory of the largest archive
SHORTEST_LIMIT = 2**20
READ_TO_MEMORY = 16  # memory of an entry of the central directory, relative to its bytes in the file
LONGEST_NPY_HEADER = 1024
ENCRYPTED = 0x1  # flag bit of a zip member


def write_archive(path: Path, header: bytes, arrays: Sequence[NDArray[Any]]) -> None:
    """Write a header and arrays under a temporary name, and rename when all is on disk."""
    target = Path(os.path.realpath(path))  # the target of a symbolic link is replaced, and the link stays
    if target.exists() and not target.is_file():
        raise OSError(None, "that name belongs to something that is not a file")
    # Random, since two processes may write the same model; in the same folder, because only within a file
    # system renaming is atomic.
    temporary = target.with_name(f".hornbook-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            _write_members(file, header, arrays)
            file.flush()
            # Before the new name: after a crash it might otherwise belong to a file without content.
            os.fsync(file.fileno())
        # The new file has the permissions of the old one, as if that had been written to.
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _write_members(file: IO[bytes], header: bytes, arrays: Sequence[NDArray[Any]]) -> None:
    # Members carry the zip epoch as their date: the same model gives the same bytes. Arrays of measured
    # numbers hardly shrink, so they are stored as they are, which is fast both ways.
    with ZipFile(file, "w", ZIP_STORED) as archive:
        archive.writestr(ZipInfo(HEADER), header, ZIP_DEFLATED)
        for index, array in enumerate(arrays):
            with archive.open(ZipInfo(member(index)), "w", force_zip64=array.nbytes > 2**30) as stream:
                npy.write_array(stream, array, version=(1, 0), allow_pickle=False)


def _sync_folder(folder: Path) -> None:
    # The file is already complete; a file system that cannot sync a directory does no harm.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Archive:
    """A model file opened for reading; nothing is trusted, and sizes are checked before anything is read.

    Parameters
    ----------
    path : path
        The file.
    max_bytes : int
        Limit on the uncompressed size of all members together.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        if path.exists() and not path.is_file():
            raise Damaged("it is not a file.")
        self._file = path.open("rb")
        try:
            self._zip = _open_zip(self._file, max_bytes)
            self._members = self._checked(max_bytes)
        except BaseException:
            self._file.close()
            raise
        self._unread = set(self._members) - {HEADER}
        self._max_bytes = max_bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._file.close()

    @property
    def file_bytes(self) -> int:
        """Size of the file."""
        return os.fstat(self._file.fileno()).st_size

    @property
    def n_arrays(self) -> int:
        """Number of arrays."""
        return len(self._members) - 1

    @property
    def array_bytes(self) -> int:
        """Size of all arrays."""
        return sum(info.file_size for name, info in self._members.items() if name != HEADER)

    def _checked(self, max_bytes: int) -> dict[str, ZipInfo]:
        infos = self._zip.infolist()
        if len(infos) > MAX_ARRAYS + 1:
            raise Damaged(f"it has {len(infos)} members, more than any model file.")
        members = {info.filename: info for info in infos}
        if len(members) != len(infos):
            raise Damaged("it has two members with one name.")
        for info in infos:
            if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & ENCRYPTED:
                raise Damaged(
                    f"its member {quoted(info.filename)} is encrypted or compressed in an unknown way."
                )
        if HEADER not in members:
            raise Damaged(f"it is not a model file: it has no {HEADER}.")
        size = sum(info.file_size for info in infos)
        if size > max_bytes:
            raise Damaged(
                f"it takes {size} bytes uncompressed, more than the {max_bytes} allowed: "
                "pass a larger max_bytes if you trust it."
            )
        if members[HEADER].file_size > MAX_HEADER_BYTES:
            raise Damaged(f"its {HEADER} is longer than {MAX_HEADER_BYTES} bytes.")
        return members

    def header(self) -> dict[str, Json]:
        """Read the JSON header."""
        size = self._members[HEADER].file_size
        text = bytearray(size)
        with self._zip.open(HEADER) as stream:
            _fill(stream, memoryview(text), HEADER)
        header = read_json(text, self._max_bytes - self.array_bytes)
        if not isinstance(header, dict):
            raise Damaged(f"its {HEADER} is not a JSON object.")
        return header

    def check_members(self) -> None:
        """Reject members that are not arrays with the numbers 0, 1, 2, ..."""
        expected = {HEADER, *map(member, range(self.n_arrays))}
        extra = sorted(set(self._members) - expected)
        odd = extra or [name for name, info in self._members.items() if info.orig_filename != name]
        if odd:
            raise Damaged(f"it has the member {quoted(odd[0])}, which does not belong there.")

    def array(self, index: int, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """Read one array, which must be of this type and shape; each can be read once."""
        name = member(index)
        if name not in self._unread:
            raise Damaged(f"its array {name} is missing, or asked for twice.")
        self._unread.remove(name)
        with self._zip.open(name) as stream:
            used = _check_npy_header(stream, name, dtype, shape)
            n_bytes = math.prod(shape) * np.dtype(dtype).itemsize
            if used + n_bytes != self._members[name].file_size:
                raise Damaged(
                    f"its array {name} is {self._members[name].file_size} bytes long, not {used + n_bytes}."
                )
            array = np.empty(shape, dtype=dtype)
            if n_bytes:
                _fill(stream, array.reshape(-1).view(np.uint8).data, name)
        # Native code may do anything with a bool that is neither 0 nor 1.
        if array.dtype == np.bool_ and array.view(np.uint8).max(initial=0) > 1:
            raise Damaged(f"its array {name} holds values other than True and False.")
        return array.astype(array.dtype.newbyteorder("="), copy=False)

    def check_all_read(self) -> None:
        """Reject arrays that nothing refers to."""
        if self._unread:
            raise Damaged(f"its array {min(self._unread)} belongs to nothing.")


def _open_zip(file: IO[bytes], max_bytes: int) -> ZipFile:
    if file.read(4) != b"PK\x03\x04":
        raise Damaged("it is not a model file: those are written by hornbook.save.")
    return ZipFile(_Bounded(file, min(LONGEST_READ, SHORTEST_LIMIT + max_bytes // READ_TO_MEMORY)))


class _Bounded:
    """A file that rejects long reads, so that a forged central directory cannot exhaust the memory."""

    def __init__(self, file: IO[bytes], longest: int) -> None:
        self._file = file
        self._longest = longest
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable
        self.close = file.close

    def read(self, n: int = -1) -> bytes:
        data = self._file.read(self._longest + 1 if n < 0 else min(n, self._longest + 1))
        if len(data) > self._longest:
            raise Damaged("its table of contents is longer than that of any model file.")
        return data


def _fill(stream: IO[bytes], room: memoryview, name: str) -> None:
    """Fill the buffer exactly; reading the last byte makes zipfile verify the checksum."""
    done = 0
    while done < len(room):
        data = stream.read(min(CHUNK, len(room) - done))
        if not data:
            raise Damaged(f"its member {name} ends too early.")
        room[done : done + len(data)] = data
        done += len(data)


@lru_cache(maxsize=256)
def _npy_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    """The header that `save` writes; taking another one apart takes longer than reading a small array."""
    stream = BytesIO()
    npy.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def _check_npy_header(stream: IO[bytes], name: str, dtype: str, shape: tuple[int, ...]) -> int:
    """Read the header of an array and return its length; it must say what the JSON header says."""
    if dtype in ARRAY_TYPES:
        usual = _npy_header(dtype, shape)
        if stream.read(len(usual)) == usual:
            return len(usual)
        stream.seek(0)
    if npy.read_magic(stream) != (1, 0):
        raise Damaged(f"its array {name} has an unknown version.")
    described = npy.read_array_header_1_0(stream, max_header_size=LONGEST_NPY_HEADER)
    if described[2].str not in ARRAY_TYPES or (described[0], described[1], described[2].str) != (
        shape,
        False,
        dtype,
    ):
        raise Damaged(f"its array {name} is not the {dtype} array of shape {shape} that it should be.")
    return stream.tell()
