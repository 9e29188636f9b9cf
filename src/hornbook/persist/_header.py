"""The header of a model file, checked piece by piece."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook import __version__
from hornbook.persist._decode import entries
from hornbook.persist._errors import Damaged, quoted
from hornbook.persist._format import FORMAT, FORMAT_VERSION, HEADER, Json

__all__ = ["Header"]

LONGEST_VERSION = 40


@dataclass(frozen=True)
class Header:
    """What the JSON header says; the learner's parts are not looked into yet."""

    library_version: str
    python_version: str
    numpy_version: str
    learner: Json
    parameters: Json
    state: Json
    probes: Json

    @classmethod
    def of(cls, content: dict[str, Json]) -> Header:
        """Check the format, then that all parts are there and no others."""
        if content.get("format") != FORMAT:
            raise Damaged(f"it is not a model file: its {HEADER} does not say {FORMAT!r}.")
        version = content.get("format_version")
        if type(version) is not int or version < 1:
            raise Damaged(f"its format version is {quoted(version)}, which cannot be.")
        if version > FORMAT_VERSION:
            raise Damaged(
                f"it has format version {version}, and Hornbook {__version__} reads versions up to "
                f"{FORMAT_VERSION}: upgrade Hornbook."
            )
        library, python, numpy, *parts = entries(
            {key: each for key, each in content.items() if key not in ("format", "format_version")},
            "library_version",
            "python_version",
            "numpy_version",
            "class",
            "parameters",
            "state",
            "probes",
        )
        return cls(_version(library), _version(python), _version(numpy), *parts)


def _version(text: Json) -> str:
    if not isinstance(text, str) or not text.isprintable() or len(text) > LONGEST_VERSION:
        raise Damaged("the versions it was made with are not texts.")
    return text
