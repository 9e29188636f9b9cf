"""Threads that end with the work they were started for."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from tests.native.stopped.distances import nearest_brute

from hornbook.params import Team


def test_results_and_errors_come_back():
    with Team(3) as team:
        assert list(team.map(pow, [2, 3], [5, 2])) == [32, 9]
        assert team.submit(np.add, 1, 2).result() == 3
        with pytest.raises(ZeroDivisionError):
            team.submit(divmod, 1, 0).result()


def test_leaving_stops_what_runs_and_what_waits():
    call, before = nearest_brute(1), threading.active_count()  # would take half an hour
    with Team(2) as team:
        running = [team.submit(call) for _ in range(2)]
        waiting = team.submit(call)
        while not all(future.running() for future in running):
            pass
    assert all(isinstance(future.exception(), KeyboardInterrupt) for future in running)
    assert waiting.cancelled()
    assert threading.active_count() == before
