"""Calls that would take hours, each stopped by a signal after a moment.

Run as a program, so that one that does not stop holds up nothing else:
``python -m tests.native.stopped_calls THREADS [NAME ...]`` prints the name of each call once it has stopped.

The public functions of each file in ``stopped/`` take a number of threads and return such a call.
"""

from __future__ import annotations

import signal
import sys

from tests.native.stopped import distances, linear, networks, statistics, svm, trees

MOMENT = 0.3  # seconds: some turns of asking
CALLS = {
    name: call
    for family in (distances, statistics, trees, linear, networks, svm)
    for name, call in vars(family).items()
    if getattr(call, "__module__", None) == family.__name__ and not name.startswith("_")
}


class LateError(Exception):
    """What the handler of the signal raises."""


def ring(*_):
    """Raise, from the handler of a signal."""
    raise LateError


def main(threads, names):
    """Make the calls, all without names, and stop each."""
    signal.signal(signal.SIGALRM, ring)
    for name in names or CALLS:
        call = CALLS[name](threads)
        try:
            signal.setitimer(signal.ITIMER_REAL, MOMENT)
            call()
        except LateError:
            sys.stdout.write(f"{name}\n")
        else:
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.stdout.write(f"{name} ended by itself\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
