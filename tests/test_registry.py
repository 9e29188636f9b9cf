"""The one table of public names."""

from __future__ import annotations

import builtins
import inspect
import subprocess
import sys
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, get_type_hints

import pytest
from scripts.lazy_stubs import stubs

import hornbook
from hornbook.params import parameters
from hornbook.params._constraint import constraint_of
from hornbook.registry import LEARNERS, MODULES, NAMES, RECORDS, learners


def test_every_name_resolves_to_itself():
    for name in [*LEARNERS, *NAMES]:
        assert getattr(hornbook, name).__name__ == name
    for name in MODULES:
        assert getattr(hornbook, name).__name__ == f"hornbook.{name}"
    assert sorted([*LEARNERS, *NAMES, *MODULES, "__version__"]) == dir(hornbook)


def test_a_star_import_gives_every_name_that_hides_nothing_of_python():
    namespace = {}
    exec("from hornbook import *", namespace)  # noqa: S102  only a module may say it outside of a string
    del namespace["__builtins__"]
    # `random` is left out: it would silently replace the one of the standard library.
    assert sorted([*namespace, "random"]) == sorted([*LEARNERS, *NAMES, *MODULES])
    assert not set(namespace) & (sys.stdlib_module_names | set(dir(builtins)))
    assert namespace["NaiveBayes"] is hornbook.NaiveBayes
    assert namespace["plots"] is hornbook.plots


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'hornbook' has no attribute 'NaiveBays'"):
        hornbook.NaiveBays  # noqa: B018 - asking is the test


def test_records_are_dataclasses_each_listed_once():
    places = [place.split(":") for place in RECORDS.values()]
    classes = [getattr(import_module(module), name) for module, name in places]
    assert all(map(is_dataclass, classes))
    assert len(set(classes)) == len(classes)


def test_editors_see_the_same_names():
    for path, text in stubs().items():
        assert path.read_text() == text, "run scripts/lazy_stubs.py"


def test_import_is_lazy():
    code = "import sys, hornbook; print(sorted({'numpy', 'sklearn', 'polars'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == "[]"


def test_a_learner_brings_neither_other_families_nor_libraries_it_does_not_need():
    code = "import sys; from hornbook import LogisticRegression; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    modules = set(result.stdout.split())
    assert "hornbook.linear._logistic_regression" in modules
    assert {"polars", "matplotlib", "jinja2", "click", "dask"} & modules == set()
    families = ("bayes", "trees", "ensembles", "svm", "networks", "clustering", "neighbors", "studies")
    assert [name for name in modules if name.startswith(tuple(f"hornbook.{name}" for name in families))] == []


def test_a_lazy_package_names_what_it_does_not_have():
    with pytest.raises(AttributeError, match=r"module 'hornbook.linear' has no attribute 'Nothing'"):
        _ = hornbook.linear.Nothing


def test_learners_are_found_by_what_they_can_do():
    assert [card.name for card in learners()] == sorted(LEARNERS)
    assert "Encoder" in [card.name for card in learners(task="transformation")]
    assert "NaiveBayes" not in [card.name for card in learners(task="transformation")]
    both = {card.name for card in learners(can=["probabilities", "blocks"])}
    assert {"Baseline", "NaiveBayes"} <= both
    assert both == {card.name for card in learners() if {"probabilities", "blocks"} <= set(card.can)}
    assert "can categories, missing" in str(learners(task="transformation")[0])
    with pytest.raises(ValueError, match="unknown capability 'magic': choose from categories"):
        learners(can="magic")


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_defaults_are_allowed(name):
    """The check at a fit passes over parameters that have their defaults."""
    init = getattr(hornbook, name).__init__
    hints = get_type_hints(init, include_extras=True)
    for parameter in parameters(getattr(hornbook, name)):
        if parameter.default is not inspect.Parameter.empty:
            assert constraint_of(hints.get(parameter.name, Any)).accepts(parameter.default), parameter.name
