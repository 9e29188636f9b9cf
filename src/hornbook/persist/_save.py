"""Writing a model file."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hornbook import __version__
from hornbook.persist._archive import write_archive
from hornbook.persist._closed_list import is_learner
from hornbook.persist._encode import Packer, Place
from hornbook.persist._errors import Damaged, ModelFileError, brief, shown
from hornbook.persist._fingerprint import Fingerprint, fingerprint_of
from hornbook.persist._format import FORMAT, FORMAT_VERSION, MAX_ARRAYS, MAX_HEADER_BYTES, Json
from hornbook.persist._probes import make_probes
from hornbook.persist._validate import attributes, fitted_state, validate

__all__ = ["save"]


def save(model: Any, path: str | os.PathLike[str], *, trained_on: Any = None) -> None:
    """Save a fitted learner to a model file.

    The file contains parameters and fitted attributes as plain data, and 32 synthetic probe rows with the
    predictions of the learner, by which `load` verifies that it predicts as before. It appears under its name
    when it is complete; if anything goes wrong, an existing file stays as it was. Unlike a pickle, it
    contains no code.

    Parameters
    ----------
    model : learner
        One of the learners of Hornbook, fitted.
    path : str or path
        The file; by convention its name ends in ``.hornbook``.
    trained_on : Frame, Blocks or (X, y), optional
        The training rows with their target. The file then contains a fingerprint of them, by which
        ``hornbook evaluate`` notices when it is run on rows that the model has seen: sums of hashes and at
        most 1,024 salted hashes of rows. Without it nothing is kept of the rows.

    Raises
    ------
    ModelFileError
        When the learner holds something that is not plain data, such as a function or a random number
        generator, or when the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import hornbook
    >>> model = hornbook.NaiveBayes().fit([[1.0], [2.0], [7.0], [8.0]], ["low", "low", "high", "high"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hornbook.save(model, f"{folder}/level.hornbook")
    ...     hornbook.load(f"{folder}/level.hornbook").predict([[6.0]]).tolist()
    ['high']
    """
    if not is_learner(model):
        raise ModelFileError(
            f"a model file holds one of Hornbook's own learners, which {type(model).__name__} is not: "
            "hornbook.learners() lists them."
        )
    check_is_fitted(model)
    for name in fitted_state(model):
        if name not in attributes(type(model)):
            place = Place(type(model).__name__, "attribute", name)
            raise ModelFileError(f"{place} is not set by fitting: delete it.")
    try:
        validate(model)  # by the rules of load, so that no file is written that could not be loaded
    except Damaged as error:
        raise ModelFileError(f"{type(model).__name__} cannot be saved: {error}") from None
    packer = Packer()
    mark = None if trained_on is None else fingerprint_of(trained_on, model.schema_)
    header = _header(model, packer, mark)
    try:
        write_archive(Path(os.fsdecode(path)), header, packer.arrays)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or brief(error)
        raise ModelFileError(f"{shown(path)} cannot be written: {reason}.") from error


def _header(model: Any, packer: Packer, mark: Fingerprint | None) -> bytes:
    content: dict[str, Json] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "library_version": __version__,
        "python_version": platform.python_version(),
        "numpy_version": np.__version__,
        **packer.learner(model),
    }
    probes = make_probes(model)
    place = Place(type(model).__name__, "attribute", "probe rows")
    content["probes"] = {
        "numbers": packer.value(probes.numbers, place),
        "codes": packer.value(probes.codes, place),
        "answers": {name: packer.value(answer, place) for name, answer in probes.answers.items()},
    }
    if mark is not None:
        content["fingerprint"] = vars(mark)
    # ASCII, with other characters escaped: the header reads the same whatever encoding a tool assumes.
    header = json.dumps(content, allow_nan=False).encode("ascii")
    if len(header) > MAX_HEADER_BYTES or len(packer.arrays) > MAX_ARRAYS:
        raise ModelFileError(
            f"{type(model).__name__} is too large for a model file: its texts take {len(header)} bytes of "
            f"{MAX_HEADER_BYTES}, and it has {len(packer.arrays)} arrays of {MAX_ARRAYS}; leave out columns "
            "with very many levels."
        )
    return header
