"""A pytest plugin that records which of the watched objects of hornbook each test really enters.

``python -m pytest -p tests.call_recorder --watch names.json --calls calls.json …``: the first file is a list
of public names, the second becomes ``{"calls": {test: names}, "unwatched": names}``. A function counts when
its code is entered; a method or property, when it is entered for an object of exactly the class that the name
goes through; a class, when it makes an object or a method of one is entered. What a fixture calls counts for
every test that uses the fixture; what a module calls while it is imported counts for none of its tests.
"""

from __future__ import annotations

import functools
import inspect
import json
import pkgutil
import sys
import threading
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

Owner = type[Any] | None


def code_of(member: Any) -> CodeType | None:
    """Return the code that runs in the end when a function, method, property or partial is used."""
    member = getattr(member, "fn", member)  # where scikit-learn's available_if keeps the method
    if isinstance(member, property):
        member = member.fget
    if isinstance(member, functools.cached_property | functools.partial):
        member = member.func
    if isinstance(member, staticmethod | classmethod):
        member = member.__func__
    return getattr(inspect.unwrap(member), "__code__", None) if callable(member) else None


def codes_of(cls: type) -> Iterator[CodeType]:
    """Yield the code of the constructor and the methods of a class, inherited ones of ours included."""
    package = cls.__module__.partition(".")[0]
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] == package:
            yield from (code for member in vars(base).values() if (code := code_of(member)) is not None)


def watched(name: str) -> Iterator[tuple[CodeType, Owner]]:
    """Yield what to look for: codes, each with the class whose objects count, or None for a function."""
    target = pkgutil.resolve_name(name)
    if isinstance(target, type):
        yield from ((code, target) for code in codes_of(target))
        return
    owner = pkgutil.resolve_name(name.rpartition(".")[0])
    if (code := code_of(target)) is not None:
        yield code, owner if isinstance(owner, type) else None


class Recorder:
    """Knows the code of the watched names and, while it records, collects the names that are entered."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names_by_code: dict[CodeType, dict[Owner, set[str]]] = defaultdict(lambda: defaultdict(set))
        self.unwatched: list[str] = []
        self.cached: list[Any] = []
        for name in sorted(set(names)):
            codes = list(watched(name))
            for code, owner in codes:
                self.names_by_code[code][owner].add(name)
            if not codes:
                self.unwatched.append(name)
            if hasattr(target := pkgutil.resolve_name(name), "cache_clear"):
                self.cached.append(target)

    def enter(self, entered: set[str], frame: FrameType, event: str, _: object) -> None:
        """Profile function: add the names behind the code that is entered."""
        code = frame.f_code
        if event != "call" or code not in self.names_by_code:
            return
        names = self.names_by_code[code]
        entered |= names.get(None, set())
        if code.co_argcount:
            first = frame.f_locals.get(code.co_varnames[0])
            entered |= names.get(first if isinstance(first, type) else type(first), set())

    @contextmanager
    def recording(self) -> Iterator[set[str]]:
        """Collect the names entered in the body, in this thread and in those it starts."""
        entered: set[str] = set()
        profile, before = functools.partial(self.enter, entered), sys.getprofile()
        threading.setprofile(profile)
        sys.setprofile(profile)
        try:
            yield entered
        finally:
            sys.setprofile(before)
            threading.setprofile(before)


class Plugin:
    """Records the calls of every test and of the fixtures it uses."""

    def __init__(self, recorder: Recorder, path: Path) -> None:
        self.recorder = recorder
        self.path = path
        self.calls_of_fixture: dict[str, set[str]] = {}
        self.calls_of_test: dict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        with self.recorder.recording() as entered:
            value = yield
        self.calls_of_fixture[fixturedef.argname] = entered
        return value

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Function) -> Generator[None, object, object]:
        # A result kept from an earlier test would hide the call that made it.
        kept = [helper for helper in vars(item.module).values() if hasattr(helper, "cache_clear")]
        for cached in [*self.recorder.cached, *kept]:
            cached.cache_clear()
        with self.recorder.recording() as entered:
            value = yield
        fixtures = [self.calls_of_fixture.get(name, set()) for name in item.fixturenames]
        self.calls_of_test[item.nodeid.partition("[")[0]] |= entered.union(*fixtures)
        return value

    def pytest_sessionfinish(self) -> None:
        calls = {test: sorted(names) for test, names in self.calls_of_test.items()}
        self.path.write_text(json.dumps({"calls": calls, "unwatched": self.recorder.unwatched}))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--watch", type=Path, required=True, help="a JSON list of public names")
    parser.addoption("--calls", type=Path, required=True, help="where the names each test enters are written")


def pytest_configure(config: pytest.Config) -> None:
    names = json.loads(config.getoption("--watch").read_text())
    config.pluginmanager.register(Plugin(Recorder(names), config.getoption("--calls")))
