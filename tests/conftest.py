"""What tests of several folders share."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

# No test may depend on how busy the machine is.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture
def interruptible():
    """Let programs started here be interrupted, also when the tests run where Ctrl-C is switched off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start tests that take minutes before all others, or one worker waits for the other at the end."""
    items.sort(key=lambda item: item.get_closest_marker("minutes") is None)
