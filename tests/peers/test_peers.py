"""scikit-learn's own test files, with our classes in the place of its own.

The files come with the installed scikit-learn. ``expected.csv`` lists what fails, each with its reason: a new
failure and a new pass are both errors. Only tests of the kind "either" may end in both ways. ``counts.csv``
has the numbers of tests that use only public names, of which a share has to pass.
"""

from __future__ import annotations

import pytest
from tests.peers.counts import EITHER, FILES, GOAL, REACHED, counted, counts, expected, outcomes
from tests.peers.public_names import private_tests

KINDS = {"by design", "not offered", EITHER}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_only_the_listed_tests_fail(file, tmp_path):
    ends = outcomes(file, tmp_path / "outcomes.json")
    rows = [row for row in expected() if row["file"] == file]
    listed = {row["test"] for row in rows}
    either = {row["test"] for row in rows if row["kind"] == EITHER}
    failed = {name for name, end in ends.items() if end["outcome"] == "failed"}
    allowed = {name for name in ends if name in listed or name.partition("[")[0] in listed}
    assert {name: ends[name]["error"] for name in sorted(failed - allowed)} == {}
    assert sorted(allowed - failed - either) == []
    assert {name.partition("[")[0] for name in listed} <= {name.partition("[")[0] for name in ends}
    assert counted(file, ends) == counts()[file]


def test_every_expected_failure_has_a_reason():
    rows = expected()
    assert {row["file"] for row in rows} <= set(FILES)
    assert {row["kind"] for row in rows} <= KINDS
    assert all(row["reason"] for row in rows)
    assert len({(row["file"], row["test"]) for row in rows}) == len(rows)


def test_the_share_that_passes_does_not_fall():
    table = counts()
    assert set(table) == set(FILES)
    passed, of = (sum(column) for column in zip(*table.values(), strict=True))
    assert REACHED <= passed / of < GOAL  # raise REACHED with it; past the goal, hold the goal


def test_private_names_are_found_wherever_a_test_uses_them():
    source = """
from sklearn.linear_model._base import _rescale_data
from sklearn.utils._testing import _convert_container
def check(model): return model._private
def test_reads(): assert Model()._loss
def test_calls(): check(Model())
def test_imports(): _rescale_data(1)
def test_names(): setattr(Model(), "_loss", 1)
def test_public(): _convert_container(Model().coef_)
class Own(Base):
    def fit(self): self._mine = 1
def test_own(): Own().fit()
"""
    assert private_tests(source) == {"check", "test_reads", "test_calls", "test_imports", "test_names"}
