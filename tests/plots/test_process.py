"""The picture of the process: every step names a call that exists."""

from __future__ import annotations

from operator import attrgetter

import hornbook
from hornbook.plots import process
from hornbook.plots.tables._process import PROCESS


def test_every_step_is_drawn_with_a_call_that_exists():
    ax = process()
    drawn = [text.get_text() for text in ax.texts if text.get_text()]
    for step, words, name in PROCESS:
        assert step in drawn
        assert f"{words}\n{name}" in drawn
        assert callable(attrgetter(name.removeprefix("hornbook."))(hornbook))


def test_one_arrow_between_steps_and_one_back():
    arrows = [text for text in process().texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) == len(PROCESS) - 1 + 1
