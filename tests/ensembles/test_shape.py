"""The shape of trees and forests: few classes, typed settings, parameters declared once."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

import hornbook
from hornbook.ensembles.forests._forest import Forest
from hornbook.registry import LEARNERS

PACKAGE = Path(hornbook.__file__).parent
SOURCES = sorted(path for name in ("trees", "ensembles") for path in (PACKAGE / name).rglob("*.py"))
# Learners that combine others of any type are not grown.
GROWN = sorted(
    name
    for name, entry in LEARNERS.items()
    if entry.module == "hornbook.trees" or issubclass(getattr(hornbook, name), Forest)
)
MOST_CLASSES = 6
UNTYPED = {"model", "learner", "forest", "tree"}


def functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node


@pytest.mark.parametrize("name", GROWN)
def test_learners_have_few_classes_of_our_own(name):
    own = [cls.__name__ for cls in getattr(hornbook, name).__mro__ if cls.__module__.startswith("hornbook.")]
    assert len(own) <= MOST_CLASSES, own


def test_learners_and_their_models_have_types():
    wrong = [
        (path.name, function.name, argument.arg)
        for path in SOURCES
        for function in functions(path)
        for argument in (*function.args.args, *function.args.kwonlyargs)
        if argument.arg in UNTYPED
        and isinstance(argument.annotation, ast.Name)
        and argument.annotation.id == "Any"
    ]
    assert wrong == []


@pytest.mark.parametrize("name", GROWN)
def test_parameters_are_declared(name):
    learner = getattr(hornbook, name)
    # The constructor is that of a dataclass: nobody has written it.
    assert "__init__" not in inspect.getsource(learner)
    assert {field.name for field in fields(learner)} == learner().get_params().keys()


def test_every_parameter_of_trees_has_one_text():
    """The same parameter reads the same wherever it is, unless it takes other values there."""
    texts = {}
    for name in GROWN:
        for parameter, text in documented(getattr(hornbook, name)).items():
            texts.setdefault(parameter, set()).add(text)
    several = {parameter for parameter, readings in texts.items() if len(readings) > 1}
    # Of classes and of numbers; of all rows or of each sample; whole numbers only in oblique trees.
    assert several == {
        "class_weight",
        "criterion",
        "estimator",
        "min_gain",
        "min_samples_leaf",
        "min_samples_split",
        "pruning",
    }


def documented(learner):
    section = learner.__doc__.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    entries = [entry.partition("\n") for entry in re.split(r"\n(?=\S)", section)]
    return {head.partition(" :")[0]: text for head, _, text in entries}
