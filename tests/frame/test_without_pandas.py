"""The frame works where pandas and pyarrow are not installed."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
for name in ("pandas", "pyarrow"):
    sys.modules[name] = None  # importing it raises ImportError

import datetime as dt
import pickle
import numpy as np
import polars as pl
from hornbook.frame import Encoding, Frame, align, detect_task

columns = {
    "n": [1.5, None, 3.0],
    "t": ["b", None, "a"],
    "o": [True, None, False],
    "d": [dt.date(1970, 1, 2), None, dt.date(1970, 1, 3)],
    "y": [0, 1, 0],
}
tables = [
    columns,
    pl.DataFrame(columns),
    [dict(zip(columns, row)) for row in zip(*columns.values())],
    {name: pl.Series(values) for name, values in columns.items()},
    {name: np.array(values, dtype=object) for name, values in columns.items()},
]
expected = Frame(columns, target="y")
for table in tables:
    frame = Frame(table, target="y")
    assert frame.schema == expected.schema, frame.schema
    assert frame.to_polars().equals(expected.to_polars())
    assert detect_task(frame) == "binary"
    features = pickle.loads(pickle.dumps(frame)).features
    encoding = Encoding.fit(features, missing="indicate")
    assert encoding.apply(align(features, features.schema)).shape == (3, 10)
    assert "dates are read as days since 1970" in str(frame.profile())
enum = pl.Series(["L", "S"], dtype=pl.Enum(["S", "M", "L"]))
assert Frame({"e": enum}).schema.columns[0].levels == ("S", "M", "L")
assert Frame(np.array([["x", "y"]])).codes.tolist() == [[0, 0]]
try:
    import pandas
except ImportError:
    print("done without")
"""


def test_without_pandas_and_pyarrow():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "done without\n"


def test_pandas_and_pyarrow_are_not_imported():
    code = "import sys, hornbook.frame; print(sorted({'pandas', 'pyarrow'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
