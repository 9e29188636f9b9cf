"""Teams of threads: gone after the call, harmless to other Python threads and to fork."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hornbook import _native

SOURCES = Path(_native.__file__).parents[2]


def density_arguments(n_points):
    points = np.linspace(-1, 1, n_points)
    return points, np.ones(n_points), np.array([0, n_points]), np.ones((1, 1))


def test_more_threads_than_work_or_machine():
    X = np.random.default_rng(0).standard_normal((5000, 3))
    expected = _native.gaussian_joint(X, np.zeros((2, 3)), np.ones((2, 3)), 1)
    for threads in (64, 2**31 - 1):
        got = _native.gaussian_joint(X, np.zeros((2, 3)), np.ones((2, 3)), threads)
        assert_array_equal(got, expected)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.gaussian_joint(X, np.zeros((2, 3)), np.ones((2, 3)), 2**31)


READS = Path("/proc/self/io")


@pytest.mark.skipif(not READS.exists(), reason="the system does not count what a process reads")
def test_a_call_does_not_ask_the_system_for_its_processors():
    def reads():
        return int(READS.read_text().split("syscr: ")[1].split()[0])

    few = np.zeros((3, 2)), np.zeros((2, 2)), np.ones((2, 2)), 2
    before = reads()
    for _ in range(100):
        _native.gaussian_joint(*few)
    assert reads() - before < 50


def test_kernels_may_be_called_from_many_python_threads():
    X = np.random.default_rng(0).standard_normal((20_000, 5))
    expected = _native.gaussian_joint(X, np.zeros((2, 5)), np.ones((2, 5)), 1)
    with ThreadPoolExecutor(4) as pool:
        calls = [
            pool.submit(_native.gaussian_joint, X, np.zeros((2, 5)), np.ones((2, 5)), threads)
            for threads in (1, 2, 3, 4) * 5
        ]
        for call in calls:
            assert_array_equal(call.result(), expected)


def test_other_python_threads_run_meanwhile():
    arguments = density_arguments(4000)
    X = np.zeros((25_000, 1))
    took = []

    def work():
        start = time.perf_counter()
        _native.kernel_joint(X, *arguments, 1)
        took.append(time.perf_counter() - start)

    worker = threading.Thread(target=work)
    ticks = [time.perf_counter()]
    worker.start()
    while worker.is_alive():
        time.sleep(0.001)
        ticks.append(time.perf_counter())
    worker.join()
    # With the lock held there would be one gap as long as the call.
    assert np.diff(ticks).max() < took[0] / 2


def test_a_forked_child_can_use_threads_too():
    script = """
import os
import sys
import numpy as np
from hornbook import _native
X = np.random.default_rng(0).standard_normal((50_000, 4))
mine = _native.gaussian_joint(X, np.zeros((2, 4)), np.ones((2, 4)), 2)
child = os.fork()
if child == 0:
    same = np.array_equal(_native.gaussian_joint(X, np.zeros((2, 4)), np.ones((2, 4)), 2), mine)
    os._exit(0 if same else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run(  # the child would inherit the threads of the test runner
        [sys.executable, "-W", "error", "-c", script],
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )
