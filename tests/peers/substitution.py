"""A pytest plugin that puts our classes in the place of scikit-learn's before its test files are imported.

Run as ``python -m pytest -p tests.peers.substitution FILE --outcomes OUT``; OUT then says of every test how
it ended, whether it built one of our learners, and its error.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.utils.discovery import all_estimators

from hornbook import sklearn as drop_in
from hornbook.base import Learner

TESTED = "tests"
SEED = 42


class Substitution:
    """Replaces classes where tests import them, and notes which tests build one of ours."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.built = False
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.private: list[tuple[Any, str, Any]] = []

    def replace(self) -> None:
        """Put ours in every module of scikit-learn where theirs is a name; private ones only for a while."""
        theirs = {name: cls for name, cls in all_estimators() if name in drop_in.__all__}
        ours = {name: getattr(drop_in, name) for name in theirs}
        for path, module in list(sys.modules.items()):
            parts = path.split(".")
            if parts[0] != "sklearn" or TESTED in parts:
                continue
            hidden = any(part.startswith("_") for part in parts)
            for name, cls in theirs.items():
                if vars(module).get(name) is not cls:
                    continue
                if hidden or (name not in getattr(module, "__all__", ()) and len(parts) > 2):
                    self.private.append((module, name, cls))
                setattr(module, name, ours[name])
        count_built(self)

    def pytest_collection_finish(self) -> None:
        """scikit-learn's own code goes on with its own classes."""
        for module, name, cls in self.private:
            setattr(module, name, cls)

    def pytest_runtest_setup(self) -> None:
        self.built = False
        np.random.seed(SEED)  # noqa: NPY002 - learners without a random_state draw from it

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        report = (yield).get_result()
        if report.when == "call" or (report.when == "setup" and report.outcome != "passed"):
            error = call.excinfo
            self.outcomes[item.nodeid] = {
                "outcome": report.outcome,
                "ours": self.built,
                "error": "" if error is None else f"{error.typename}: {error.value}"[:300],
            }

    def pytest_sessionfinish(self) -> None:
        self.out.write_text(json.dumps(self.outcomes, indent=0, sort_keys=True))


def count_built(record: Substitution) -> None:
    """Note whenever one of our learners comes into being."""

    def new(cls: type, *_: Any, **__: Any) -> Any:
        record.built = True
        return object.__new__(cls)

    Learner.__new__ = new  # type: ignore[method-assign, assignment]


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--outcomes", required=True, help="the file that tells how the tests ended")


def pytest_configure(config: Any) -> None:
    substitution = Substitution(Path(config.getoption("--outcomes")))
    substitution.replace()
    config.pluginmanager.register(substitution, "substitution")
