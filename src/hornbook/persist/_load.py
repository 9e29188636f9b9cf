"""Reading a model file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from hornbook.persist._archive import Archive
from hornbook.persist._decode import Unpacker, entries
from hornbook.persist._errors import Damaged, fence
from hornbook.persist._format import MAX_BYTES, Json
from hornbook.persist._header import Header
from hornbook.persist._probes import Probes, check_probes
from hornbook.persist._validate import validate

__all__ = ["load"]


def load(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Any:
    """Load a learner from a model file, and verify that it predicts as it did when it was saved.

    A file is data: the classes it names are looked up in a closed list, and nothing in it is executed. Its
    probe rows are predicted again; numbers must agree to 1e-9, labels exactly unless two classes tie.

    Parameters
    ----------
    path : str or path
        The file.
    max_bytes : int, default 2 GiB
        The most memory its content may take.

    Returns
    -------
    model : learner
        The fitted learner.

    Raises
    ------
    ModelFileError
        Whatever is wrong with the file, in one sentence that names it.

    Examples
    --------
    >>> import tempfile
    >>> import hornbook
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hornbook.save(hornbook.Baseline().fit([[1.0], [2.0]], [True, True]), f"{folder}/a.hornbook")
    ...     hornbook.load(f"{folder}/a.hornbook")
    Baseline()
    """
    with fence(path), Archive(Path(os.fsdecode(path)), max_bytes) as archive:
        header = Header.of(archive.header())
        archive.check_members()
        unpack = Unpacker(archive.array, max_bytes)
        model = unpack.learner(header.learner, header.parameters, header.state)
        # Before the probe rows: native code follows the indices of a model, so they are checked first.
        validate(model)
        probes = _probes(unpack, header.probes)
        # Arrays that nothing refers to have no business in a model file.
        archive.check_all_read()
        check_probes(model, probes, header.library_version, archive.array_bytes)
        return model


def _probes(unpack: Unpacker, node: Json) -> Probes:
    numbers, codes, answers = entries(node, "numbers", "codes", "answers")
    if not isinstance(answers, dict):
        raise Damaged("its recorded predictions are missing.")
    probes = Probes(
        unpack.value(numbers),
        unpack.value(codes),
        {key: unpack.value(answer) for key, answer in answers.items()},
    )
    arrays = [probes.numbers, probes.codes, *probes.answers.values()]
    if not all(isinstance(answer, np.ndarray) for answer in arrays):
        raise Damaged("its probe rows are not arrays.")
    if probes.numbers.dtype != np.float64 or probes.codes.dtype != np.int32:
        raise Damaged("its probe rows are not numbers and codes.")
    return probes
