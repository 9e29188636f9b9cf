"""Every public name explains itself: whole numpydoc docstrings, and the same words for the same parameter."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import hornbook
from hornbook import registry
from hornbook.params import SHARED_DOCS

# What numpydoc must not find. Types are in the signature, so the text may go without one.
FAULTS = {
    "GL03": "two blank lines in a row",
    "GL06": "an unknown section",
    "GL07": "sections in the wrong order",
    "GL08": "no docstring",
    "SS02": "a summary without a capital letter",
    "SS03": "a summary without a period",
    "SS06": "a summary of more than one line",
    "PR01": "a parameter that is not documented",
    "PR02": "a documented parameter that does not exist",
    "PR03": "parameters in another order",
    "PR07": "a parameter without a description",
    "PR10": "no space before the colon of a parameter",
    "RT03": "a return value without a description",
    "EX01": "no example",
    "SA01": "no section See Also",
    "SA02": "a description in See Also without a period",
    "SA03": "a description in See Also without a capital letter",
    "SA04": "a name in See Also without a description",
}
# These say at length what the parameter means.
DEFINITIONS = {"hornbook.params.threads", "hornbook.random.seed_of"}
OWN_SEED = {  # without a seed they do not draw
    f"{module}.{name}"
    for module in ("hornbook", "hornbook.svm")
    for name in ("LinearSVC", "LinearSVR", "SVC")
}


def is_ours(member: Any) -> bool:
    return getattr(member, "__module__", "").split(".")[0] == "hornbook"


def public_objects() -> dict[str, Any]:
    """Classes and functions by the name under which a user reaches them."""
    members = {f"hornbook.{name}": getattr(hornbook, name) for name in dir(hornbook)}
    for module in registry.MODULES:
        package = import_module(f"hornbook.{module}")
        members |= {f"{package.__name__}.{name}": getattr(package, name) for name in package.__all__}
    return {
        name: member
        for name, member in members.items()
        if inspect.isroutine(member) or inspect.isclass(member)
    }


def methods(name: str, cls: type) -> Iterator[tuple[str, Any]]:
    """Yield our public methods and properties of a class, those of its bases included."""
    for attribute in dir(cls):
        if not attribute.startswith("_"):
            held = inspect.getattr_static(cls, attribute)
            if isinstance(held, property | cached_property):
                yield f"{name}.{attribute}", held
            elif inspect.isroutine(method := getattr(cls, attribute, None)) and is_ours(method):
                yield f"{name}.{attribute}", method


OBJECTS = public_objects()
METHODS = {
    name: method
    for parent, cls in OBJECTS.items()
    if inspect.isclass(cls)
    for name, method in methods(parent, cls)
}


def parsed(member: Any) -> NumpyDocString:
    return NumpyDocString(inspect.getdoc(member) or "")


def documented(member: Any) -> list[tuple[str, str]]:
    """Each documented parameter and its description on one line."""
    doc = parsed(member)
    entries = [*doc["Parameters"], *doc["Other Parameters"]]
    return [
        (name.strip("*"), " ".join(" ".join(entry.desc).split()))
        for entry in entries
        for name in entry.name.split(", ")
    ]


def faults(name: str, member: Any) -> list[tuple[str, str]]:
    """What numpydoc finds that is a fault here."""
    # As in scikit-learn, only learners say what else there is.
    excused = set() if name.rpartition(".")[2] in registry.LEARNERS else {"SA01"}
    if name in METHODS:
        # A sentence is enough for a method; a list of parameters, once begun, is complete.
        excused |= {"EX01"} if documented(member) else {"EX01", "PR01"}
    elif inspect.isclass(member) and name.count(".") > 1:
        # Classes of a package are bases and results, which examples of learners and functions show.
        excused |= {"EX01", "PR01"} if issubclass(member, Exception) else {"EX01"}
    return [(code, text) for code, text in validate(name)["errors"] if code in FAULTS and code not in excused]


def test_there_is_something_to_read():
    assert {"hornbook.NaiveBayes", "hornbook.Frame", "hornbook.learners"} <= set(OBJECTS)
    assert {"hornbook.NaiveBayes.fit", "hornbook.NaiveBayes.predict_proba", "hornbook.Frame.schema"} <= set(
        METHODS
    )


@pytest.mark.parametrize("name", OBJECTS)
def test_a_public_name_is_documented(name):
    assert faults(name, OBJECTS[name]) == []


@pytest.mark.parametrize("name", METHODS)
def test_a_public_method_is_documented(name):
    assert faults(name, METHODS[name]) == []


@pytest.mark.parametrize("name", OBJECTS | METHODS)
def test_a_parameter_is_documented_once(name):
    counts = Counter(parameter for parameter, _ in documented((OBJECTS | METHODS)[name]))
    assert [parameter for parameter, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("name", sorted((OBJECTS | METHODS).keys() - DEFINITIONS))
def test_shared_parameters_are_described_in_the_same_words(name):
    own = {"random_state"} if name in OWN_SEED else set()
    shared = [e for e in documented((OBJECTS | METHODS)[name]) if e[0] in SHARED_DOCS and e[0] not in own]
    assert shared == [(parameter, SHARED_DOCS[parameter]) for parameter, _ in shared]


def test_every_shared_sentence_is_used():
    names = (OBJECTS | METHODS).keys() - DEFINITIONS
    assert set(SHARED_DOCS) <= {entry[0] for name in names for entry in documented((OBJECTS | METHODS)[name])}
