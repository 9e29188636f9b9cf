"""Ctrl-C during a study: raised where nothing is half done."""

from __future__ import annotations

import signal
import threading

import pytest

from hornbook.studies.run._interrupts import Interrupts

pytestmark = pytest.mark.usefixtures("interruptible")


def press():
    signal.raise_signal(signal.SIGINT)


def test_the_first_is_held_back_until_the_next_wait():
    done = []
    with Interrupts() as interrupts:
        press()
        done.append("what was under way")
        with pytest.raises(KeyboardInterrupt), interrupts.waiting():
            done.append("the wait")
    assert done == ["what was under way"]


def test_it_ends_a_wait_at_once():
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.waiting():
        press()


def test_the_second_is_raised_wherever_it_comes():
    with Interrupts():
        press()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_before_and_after_a_study_it_is_python_s_own():
    with Interrupts() as interrupts:
        with interrupts.waiting():
            pass
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        press()


def test_other_handlers_and_other_threads_are_left_alone():
    def own(*_):
        """A handler of the user."""

    signal.signal(signal.SIGINT, own)
    with Interrupts():
        assert signal.getsignal(signal.SIGINT) is own
    errors = []

    def elsewhere():
        try:
            with Interrupts() as interrupts, interrupts.waiting():
                pass
        except ValueError as error:  # only the main thread may set handlers
            errors.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert not errors
