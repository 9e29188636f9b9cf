"""No call of a compiled function ends the interpreter, whatever its arguments are."""

from __future__ import annotations

import pathlib
import resource
import subprocess
import sys

import numpy as np
import pytest
from tests.native.trees import grown, options

from hornbook import _native

ROOM = 8 * 2**30  # bytes of address space; what asks for more gets a MemoryError


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


def is_sanitized():
    """Sanitizers reserve far more address space than they use, and have a limit of their own."""
    return "/build/asan/" in _native._ext.__file__


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_hostile_calls_raise_clean_errors(seed, tmp_path):
    log = tmp_path / "call"
    done = subprocess.run(
        [sys.executable, "-m", "tests.native.hostile_calls", str(seed), "60", str(log)],
        cwd=pathlib.Path(__file__).parents[2],
        preexec_fn=None if is_sanitized() else limited,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{log.read_text() if log.exists() else ''}\n{done.stderr[-3000:]}"


def test_a_tree_needs_its_target():
    table = _native.code_table([np.arange(4.0)], np.full(1, -1, np.int32), np.zeros(1, bool), None, 0, 1)
    label, total = np.array([0, 1, 0, 1], dtype=np.int32), np.arange(4.0)
    for arguments in (
        {"n_classes": 2},
        {"label": label, "n_classes": 2, "total": total},
    ):
        for criterion in ("gini", "squared_error", "absolute_error"):
            with pytest.raises(ValueError, match="classes need label alone, numbers sum alone"):
                grown(table, options(criterion=criterion), **arguments)
    for n_classes in (0, -1, 2**31 - 1):
        with pytest.raises(ValueError, match="n_classes must be at "):
            grown(table, options(), label=label, n_classes=n_classes)
    with pytest.raises(ValueError, match="min_samples_leaf must be at least 1"):
        grown(table, options(min_samples_leaf=0), label=label, n_classes=2)
    most = grown(table, options(min_samples_leaf=2**63 - 1), label=label, n_classes=2, threads=2**31 - 1)
    assert most["kind"].tolist() == [0]


def test_draws_are_bounded_and_need_rows():
    for draws in (-1, 2**31, 2**63 - 1):
        with pytest.raises(ValueError, match=r"draws must be at least 0 and at most 2\*\*31 - 1"):
            _native.bootstrap_counts(0, 0, 3, draws)
    empty = _native.code_table([np.empty(0)], np.full(1, -1, np.int32), np.zeros(1, bool), None, 0, 1)
    none = np.empty(0, dtype=np.int32)
    with pytest.raises(ValueError, match="at least one column and one row"):
        _native.grow_tree(empty, none, 2, None, None, options(), 0, 0, 1, 5, np.empty(0, dtype=np.int64))


def test_numbers_that_size_tables_are_bounded():
    codes, y = np.zeros((2, 1), dtype=np.int32), np.zeros(2, dtype=np.int32)
    with pytest.raises(ValueError, match="n_levels must add up to at most 16777216; they make 2147483647"):
        _native.class_counts(codes, y, None, np.array([2**31 - 1], dtype=np.int32), 1)
    with pytest.raises(ValueError, match="n_classes must be at most 16777216; got 2147483647"):
        _native.class_moments(np.zeros((2, 1)), y, None, 2**31 - 1)


def test_arrays_that_no_address_reaches_are_refused():
    one = np.ones(3)
    with pytest.raises(ValueError, match=f"An array of {2**62} x 8 entries is not possible."):
        _native.permute_dot(one, one, 2**62, 0, 1)
