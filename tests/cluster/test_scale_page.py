"""The table of docs/scale.md: every learner that sums over rows, and how often it passes over them."""

from __future__ import annotations

import re
from collections import Counter
from functools import wraps
from pathlib import Path

import pytest
from sklearn.base import clone
from tests.contract.learners import name_of
from tests.contract.test_pure_reduce import GROWN, SUMS, frames_for

import hornbook as hb
from hornbook.frame.rows._rows import InMemory
from hornbook.registry import LEARNERS, learner_class

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
ROWS = {
    name: cells
    for line in PAGE.read_text().splitlines()
    if (cells := [cell.strip() for cell in line.strip("|").split(" | ")])[0].startswith("`")
    and len(cells) == 4
    for name in re.findall(r"`(\w+)`", cells[0])
}


def test_the_table_has_every_learner_that_sums_over_rows():
    names = {name for name in LEARNERS if "_fit_blocks" in dir(learner_class(name))}
    assert names == set(ROWS) & set(LEARNERS)


def counting(method, calls):
    @wraps(method)
    def call(*args, **kwargs):
        calls[method.__name__] += 1
        return method(*args, **kwargs)

    return call


def counted(monkeypatch, learner):
    """How often a fit asks for what of the rows."""
    calls = Counter()
    for name in ("reduce", "fold", "carry"):
        monkeypatch.setattr(InMemory, name, counting(getattr(InMemory, name), calls))
    if "random_state" in learner.get_params():
        learner = clone(learner).set_params(random_state=0)
    learner.fit(hb.Blocks(frames_for(learner, 9000)[2]))
    return calls


def firsts():
    """One setting of each learner that learns from blocks."""
    return list({type(learner): learner for learner in reversed([*SUMS, *GROWN])}.values())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", firsts(), ids=name_of)
def test_passes_and_what_is_kept_are_those_of_the_table(learner, monkeypatch):
    _, passes, _, kept = ROWS[type(learner).__name__]
    calls = counted(monkeypatch, learner)
    assert (kept != "-") == (calls["carry"] > 0) or kept.startswith("as the learner")
    assert ("travel" in passes) or not calls["fold"]
    if bounds := re.match(r"(\d+)(?: (?:to|or) (\d+))?(?=,|$)", passes):
        least, most = int(bounds[1]), int(bounds[2] or bounds[1])
        assert least <= calls["reduce"] <= most
    else:
        assert re.match(r"1 (or more )?for each|2 more than", passes)
