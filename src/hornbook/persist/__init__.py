"""Model files: a fitted learner as plain data.

`save` writes a learner to a file, `load` brings it back and `inspect_file` says what a file holds without
loading it. A file is a zip of one JSON header and plain arrays. It names classes, which are looked up in the
registry, and holds no code: loading a file from a stranger can fail, and nothing worse. Every file carries
made-up rows with the answers the learner gave when it was saved, and is refused when it no longer gives them.
"""

from __future__ import annotations

from hornbook.persist._errors import ModelFileError
from hornbook.persist._fingerprint import Fingerprint, Overlap
from hornbook.persist._inspect import FileInfo, inspect_file
from hornbook.persist._load import load
from hornbook.persist._save import save

__all__ = ["FileInfo", "Fingerprint", "ModelFileError", "Overlap", "inspect_file", "load", "save"]
