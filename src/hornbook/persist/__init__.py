"""Model files: a fitted learner as plain data.

`save` writes a learner to a file, `load` restores it and `inspect_file` says what a file contains without
loading it. A file is a zip archive of one JSON header and plain arrays. It names classes, which are looked up
in the registry, and contains no code: the worst an untrusted file can do is fail to load. Every file contains
synthetic probe rows with the predictions the learner made when it was saved, and is rejected when it no
longer makes them.
"""

from __future__ import annotations

from hornbook.persist._errors import ModelFileError
from hornbook.persist._fingerprint import Fingerprint, Overlap
from hornbook.persist._inspect import FileInfo, inspect_file
from hornbook.persist._load import load
from hornbook.persist._save import save

__all__ = ["FileInfo", "Fingerprint", "ModelFileError", "Overlap", "inspect_file", "load", "save"]
