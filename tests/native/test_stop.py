"""Long calls stop when Ctrl-C, or any other signal whose handler raises, wants them to."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.native.stopped.distances import nearest_brute
from tests.native.stopped_calls import CALLS

from hornbook import _native

ROOT = pathlib.Path(__file__).parents[2]
PATIENCE = 60  # seconds on a busy machine, for what takes longer on a quiet one when it does not stop
QUICKLY_MADE = ["nearest_brute", "tree_predict", "coordinate_descent"]


def stopped(threads, *names):
    """Names of the calls that a signal stopped."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.native.stopped_calls", str(threads), *names],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=10 * PATIENCE,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_stops_a_call(threads):
    assert stopped(threads, *QUICKLY_MADE) == QUICKLY_MADE


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_signals_stop_every_long_call(threads):
    assert stopped(threads) == list(CALLS)


def test_a_handler_that_does_not_raise_changes_nothing(interruptible):
    X = np.random.default_rng(0).standard_normal((100_000, 20))
    arguments = X, np.zeros((50, 20)), np.ones((50, 20)), 2
    expected, rung = _native.gaussian_joint(*arguments), []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(_native.philox(0, 0, 0, 1, 0)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        for _ in range(1000):  # until one has been interrupted
            np.testing.assert_array_equal(_native.gaussian_joint(*arguments), expected)
            if len(rung) > 3:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(rung) > 3


def test_a_flag_stops_the_calls_of_other_threads():
    flag, begun = _native.StopFlag(), threading.Event()

    def work():
        call = nearest_brute(2)
        with flag:
            begun.set()
            call()

    with ThreadPoolExecutor(1) as team:
        waiting = team.submit(work)
        begun.wait()
        flag.set()
        with pytest.raises(KeyboardInterrupt):
            waiting.result(PATIENCE)
    with flag, pytest.raises(KeyboardInterrupt):  # set before: the call does not even begin
        _native.philox(0, 0, 0, 1, 0)
    assert len(_native.philox(0, 0, 0, 1, 0)) == 1  # outside of the statement nothing is heeded


LEARNER = """
import sys
import numpy as np
import hornbook
draw = np.random.default_rng(0)
X, y = draw.standard_normal((400_000, 30)), draw.standard_normal(400_000)
model = {model}.fit(X[:50], y[:50])
before, kept = model.predict(X[:100]), dict(vars(model))
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    same = vars(model).keys() == kept.keys() and all(vars(model)[name] is kept[name] for name in kept)
    sys.exit(0 if same and np.array_equal(model.predict(X[:100]), before) else 3)
sys.exit(4)
"""
TREE = "hornbook.DecisionTreeRegressor(criterion='absolute_error')"
FOREST = "hornbook.RandomForestRegressor(50, criterion='absolute_error', max_features=None, n_jobs={})"


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("model", "work"),
    [
        (TREE, "model.fit(X, y)"),
        (FOREST.format(1), "model.fit(X, y)"),
        (FOREST.format(2), "model.fit(X, y)"),
        (FOREST.format(2), "[model.predict(X) for _ in range(10**9)]"),
        (TREE, "hornbook.KNeighborsRegressor(p=3.5).fit(X, y).predict(X)"),
    ],
)
def test_ctrl_c_leaves_the_learner_as_it_was(model, work):
    program = subprocess.Popen(
        [sys.executable, "-c", LEARNER.format(model=model, work=work)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(_native.__file__).parents[2])},
    )
    with program:
        try:
            assert program.stdout.readline() == "begun\n"
            with pytest.raises(subprocess.TimeoutExpired):
                program.wait(2.0)
            program.send_signal(signal.SIGINT)
            assert program.wait(PATIENCE) == 0
        finally:
            program.kill()
