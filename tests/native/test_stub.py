"""The committed stub says what the compiled module says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hornbook import _native

PACKAGE = Path(_native.__file__).parent


def words(text):
    return " ".join(text.split())


def test_the_stub_is_the_generated_one(tmp_path):
    fresh = tmp_path / "_ext.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "hornbook._native._ext", "-o", str(fresh)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parents[1])},
    )
    committed = (PACKAGE / "_ext.pyi").read_text(encoding="utf-8")
    assert words(fresh.read_text(encoding="utf-8")) == words(committed)


def test_every_function_is_handed_on_and_documented():
    from hornbook._native import _ext

    compiled = {name for name in dir(_ext) if not name.startswith("_")}
    assert compiled == set(_native.__all__)
    for name in compiled:
        assert getattr(_ext, name).__doc__.rstrip().endswith(".")
