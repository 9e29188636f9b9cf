"""The one way in: tables of any make become a Frame, whose columns are numeric, ordinal or nominal.

A Frame knows the names, kinds, roles and levels of its columns, gives learners matrices of numbers or codes,
and says what is odd about the data. Here too is what needs nothing but a table: bins, encodings, the task.
"""

from __future__ import annotations

from hornbook.frame._blocks import Blocks
from hornbook.frame._frame import Frame, as_frame, require_rows_and_columns, require_shape
from hornbook.frame._lone_surrogates import NOT_TEXT, REPAIR, lone_surrogate
from hornbook.frame._memory import require_memory
from hornbook.frame._schema import Column, Kind, Label, Role, Schema
from hornbook.frame._sparse_check import check_offsets, checked_sparse
from hornbook.frame._sparse_rows import SparseRows
from hornbook.frame._task import Task, detect_task
from hornbook.frame.convert._align import align
from hornbook.frame.convert._csv_safe import csv_safe, csv_unsafe
from hornbook.frame.convert._date_text import date_text
from hornbook.frame.convert._kinds_text import kinds_from_text
from hornbook.frame.convert._objects import is_missing
from hornbook.frame.convert._whole_numbers import codes_among, distinct_whole
from hornbook.frame.encode._bins import bin_codes, bin_edges, interval_names
from hornbook.frame.encode._column_statistics import Statistics, column_statistics
from hornbook.frame.encode._conversion_cache import (
    converted_once,
    keep_conversions,
    keeps_conversions,
    spared_seconds,
)
from hornbook.frame.encode._encoding import Encoding
from hornbook.frame.encode._moments import Moments
from hornbook.frame.encode._rules import scaling
from hornbook.frame.profile._distributions import histogram, percent_below, percentiles
from hornbook.frame.profile._outliers import outliers
from hornbook.frame.profile._profile import ColumnProfile, Finding, Profile
from hornbook.frame.readers._dialect import MISSING
from hornbook.frame.readers._pipe import STANDARD_INPUT
from hornbook.frame.readers._read import read
from hornbook.frame.readers._scan import scan
from hornbook.frame.readers._source import Source
from hornbook.frame.rows._block import CHUNK, Block, stacked
from hornbook.frame.rows._carry import Arrays, Carry
from hornbook.frame.rows._rows import Streamed
from hornbook.frame.rows._team import KeptTeam

__all__ = [
    "CHUNK",
    "MISSING",
    "NOT_TEXT",
    "REPAIR",
    "STANDARD_INPUT",
    "Arrays",
    "Block",
    "Blocks",
    "Carry",
    "Column",
    "ColumnProfile",
    "Encoding",
    "Finding",
    "Frame",
    "KeptTeam",
    "Kind",
    "Label",
    "Moments",
    "Profile",
    "Role",
    "Schema",
    "Source",
    "SparseRows",
    "Statistics",
    "Streamed",
    "Task",
    "align",
    "as_frame",
    "bin_codes",
    "bin_edges",
    "check_offsets",
    "checked_sparse",
    "codes_among",
    "column_statistics",
    "converted_once",
    "csv_safe",
    "csv_unsafe",
    "date_text",
    "detect_task",
    "distinct_whole",
    "histogram",
    "interval_names",
    "is_missing",
    "keep_conversions",
    "keeps_conversions",
    "kinds_from_text",
    "lone_surrogate",
    "outliers",
    "percent_below",
    "percentiles",
    "read",
    "require_memory",
    "require_rows_and_columns",
    "require_shape",
    "scaling",
    "scan",
    "spared_seconds",
    "stacked",
]
