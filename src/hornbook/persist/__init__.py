"""Model files: a fitted learner as plain data.

`save` writes a learner to a file, `load` restores it and `inspect_file` says what a file contains without
loading it. A file is a zip archive of one JSON header and plain arrays. It names classes, which are looked up
in the registry, and contains no code: the worst an untrusted file can do is fail to load. Every file contains
synthetic probe rows with the predictions the learner made when it was saved, and is rejected when it no
longer makes them.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "FileInfo": "_inspect",
    "Fingerprint": "_fingerprint",
    "ModelFileError": "_errors",
    "Overlap": "_fingerprint",
    "inspect_file": "_inspect",
    "load": "_load",
    "save": "_save",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
