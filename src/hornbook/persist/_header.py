"""The header of a model file, checked piece by piece."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook import __version__
from hornbook.persist._decode import entries
from hornbook.persist._errors import Damaged, quoted
from hornbook.persist._fingerprint import MOST, Fingerprint
from hornbook.persist._format import FORMAT, FORMAT_VERSION, HEADER, Json

__all__ = ["Header"]

LONGEST_VERSION = 40


@dataclass(frozen=True)
class Header:
    """The content of the JSON header; the parts of the learner are not decoded yet."""

    format_version: int
    library_version: str
    python_version: str
    numpy_version: str
    learner: Json
    parameters: Json
    state: Json
    probes: Json
    fingerprint: Fingerprint | None

    @classmethod
    def of(cls, content: dict[str, Json]) -> Header:
        """Check the format, then that exactly the expected parts are present."""
        if content.get("format") != FORMAT:
            raise Damaged(f"it is not a model file: its {HEADER} does not say {FORMAT!r}.")
        version = content.get("format_version")
        # type, not isinstance: JSON's true is a bool, which Python counts among the integers.
        if type(version) is not int or version < 1:
            raise Damaged(f"its format version is {quoted(version)}, which is not valid.")
        if version > FORMAT_VERSION:
            raise Damaged(
                f"it has format version {version}, and Hornbook {__version__} reads versions up to "
                f"{FORMAT_VERSION}: upgrade Hornbook."
            )
        # Format 1 had no fingerprint, so that one in such a file is an unknown part and refused.
        apart = ("format", "format_version", *(["fingerprint"] if version > 1 else []))
        library, python, numpy, *parts = entries(
            {key: entry for key, entry in content.items() if key not in apart},
            "library_version",
            "python_version",
            "numpy_version",
            "class",
            "parameters",
            "state",
            "probes",
        )
        mark = _fingerprint(content.get("fingerprint"))
        learner, parameters, state, probes = parts
        return cls(
            version,
            _version(library),
            _version(python),
            _version(numpy),
            learner,
            parameters,
            state,
            probes,
            mark,
        )


def _fingerprint(node: Json) -> Fingerprint | None:
    if node is None:
        return None
    n_rows, digest, limit, hashes = entries(node, "n_rows", "digest", "limit", "hashes")
    # 16 hexadecimal digits are a hash of 64 bits.
    whole = isinstance(hashes, str) and len(hashes) <= 16 * MOST and len(hashes) % 16 == 0
    texts = whole and _is_hex(digest, 32) and _is_hex(limit, 16) and _is_hex(hashes, len(hashes))
    if not texts or type(n_rows) is not int or n_rows < 0:
        raise Damaged("its fingerprint of the training rows is not valid.")
    return Fingerprint(n_rows, digest, limit, hashes)


def _is_hex(text: Json, length: int) -> bool:
    return isinstance(text, str) and len(text) == length and set(text) <= set("0123456789abcdef")


def _version(text: Json) -> str:
    # Versions are printed as they are, so that a hostile file could send commands to a terminal.
    if not isinstance(text, str) or not text.isprintable() or len(text) > LONGEST_VERSION:
        raise Damaged("the versions it was made with are not texts.")
    return text
