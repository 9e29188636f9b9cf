"""The single entry point for data: any table becomes a Frame of numeric, ordinal and nominal columns.

A Frame knows the names, kinds, roles and levels of its columns, gives learners matrices of numbers or codes,
and says what is odd about the data. Here too is what needs nothing but a table: bins, encodings, the task.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "Block": "rows._block",
    "Blocks": "_blocks",
    "Carry": "rows._carry",
    "Column": "_schema",
    "ColumnProfile": "profile._profile",
    "Encoding": "encode._encoding",
    "Finding": "profile._profile",
    "Frame": "_frame",
    "Kind": "_schema",
    "Label": "_schema",
    "Moments": "encode._moments",
    "Profile": "profile._profile",
    "Role": "_schema",
    "Schema": "_schema",
    "Source": "readers._source",
    "SparseRows": "_sparse_rows",
    "Task": "_task",
    "column_names": "readers._formats",
    "detect_task": "_task",
    "histogram": "profile._distributions",
    "outliers": "profile._outliers",
    "percent_below": "profile._distributions",
    "percentiles": "profile._distributions",
    "read": "readers._read",
    "scan": "readers._scan",
}

# Lent to other packages, not for users.
LENT = {
    "CHUNK": "rows._block",
    "MISSING": "readers._dialect",
    "NOT_TEXT": "_lone_surrogates",
    "REPAIR": "_lone_surrogates",
    "STANDARD_INPUT": "readers._pipe",
    "Arrays": "rows._carry",
    "EmptyTableError": "readers._csv",
    "KeptTeam": "rows._team",
    "LostRowsError": "rows._residents",
    "Rank": "rows._ranks",
    "Residents": "rows._residents",
    "Store": "rows._carry",
    "Statistics": "encode._column_statistics",
    "Streamed": "rows._rows",
    "TimeSaved": "_forms",
    "align": "convert._align",
    "as_frame": "_frame",
    "bin_codes": "encode._bins",
    "bin_edges": "encode._bins",
    "brought_here": "_collections",
    "check_offsets": "_sparse_check",
    "checked_sparse": "_sparse_check",
    "chosen": "rows._rows",
    "codes_among": "convert._whole_numbers",
    "collection_module": "_collections",
    "column_ranges": "encode._column_statistics",
    "column_statistics": "encode._column_statistics",
    "csv_safe": "convert._csv_safe",
    "csv_unsafe": "convert._csv_safe",
    "date_text": "convert._date_text",
    "default_target": "_task",
    "distinct_whole": "convert._whole_numbers",
    "interval_names": "encode._bins",
    "is_missing": "convert._objects",
    "kinds_from_text": "convert._kinds_text",
    "lone_surrogate": "_lone_surrogates",
    "pairwise": "rows._rows",
    "partition_answers": "_collections",
    "ranked": "rows._ranks",
    "require_memory": "_memory",
    "require_rows_and_columns": "_frame",
    "require_shape": "_frame",
    "scaling": "encode._rules",
    "stacked": "rows._block",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)
