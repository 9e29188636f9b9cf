# Written by scripts/lazy_stubs.py.
from hornbook.persist._errors import ModelFileError as ModelFileError
from hornbook.persist._fingerprint import Fingerprint as Fingerprint
from hornbook.persist._fingerprint import Overlap as Overlap
from hornbook.persist._inspect import FileInfo as FileInfo
from hornbook.persist._inspect import inspect_file as inspect_file
from hornbook.persist._load import load as load
from hornbook.persist._save import save as save

HOMES: dict[str, str]
