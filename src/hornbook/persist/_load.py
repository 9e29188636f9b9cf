"""Reading a model file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from hornbook.frame import Schema
from hornbook.persist._archive import Archive
from hornbook.persist._decode import Unpacker, entries
from hornbook.persist._errors import Damaged, fence
from hornbook.persist._format import MAX_BYTES, Json
from hornbook.persist._header import Header
from hornbook.persist._probes import Probes, check_probes

__all__ = ["load"]


def load(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Any:
    """Load a learner from a model file, and check that it predicts as it did when it was saved.

    A file is data: the classes it names are looked up in a closed list and nothing in it is run. The made-up
    rows it carries are predicted again; numbers must agree to 1e-9, labels exactly unless two classes tie.

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
        _check_columns(model)
        probes = _probes(unpack, header.probes)
        archive.check_all_read()
        check_probes(model, probes, header.library_version)
        return model


def _check_columns(model: Any) -> None:
    """Refuse a learner whose record of its columns does not agree with itself."""
    state = vars(model)
    schema = state.get("schema_")
    if not isinstance(schema, Schema):
        raise Damaged("it does not say on which columns the model was fitted.")
    names = state.get("feature_names_in_")
    same = names is None or (isinstance(names, np.ndarray) and names.tolist() == list(schema.names))
    count = state.get("n_features_in_")
    if not same or type(count) is not int or count != len(schema) or len(set(schema.names)) != len(schema):
        raise Damaged("the columns on which the model was fitted contradict each other.")
    if not isinstance(state.get("target_name_", ""), str):
        raise Damaged("the name of its target is not a text.")
    classes = state.get("classes_")
    if classes is not None and not (isinstance(classes, np.ndarray) and classes.ndim == 1):
        raise Damaged("its classes are not an array of labels.")


def _probes(unpack: Unpacker, node: Json) -> Probes:
    numbers, codes, answers = entries(node, "numbers", "codes", "answers")
    if not isinstance(answers, dict):
        raise Damaged("its recorded predictions are missing.")
    probes = Probes(
        unpack.value(numbers), unpack.value(codes), {key: unpack.value(each) for key, each in answers.items()}
    )
    arrays = [probes.numbers, probes.codes, *probes.answers.values()]
    if not all(isinstance(each, np.ndarray) for each in arrays):
        raise Damaged("its probe rows are not arrays.")
    if probes.numbers.dtype != np.float64 or probes.codes.dtype != np.int32:
        raise Damaged("its probe rows are not numbers and codes.")
    return probes
