"""A learner of a notebook, whose class cannot be imported by others, is sent to another process whole."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from typing import Annotated, Any

import numpy as np
from joblib import wrap_non_picklable_objects

from hornbook.base import Classifier
from hornbook.params import Floats, Range

FIT = """
import pickle, sys
model = pickle.load(sys.stdin.buffer)
try:
    print(model.fit([[0.0], [1.0]], ["a", "b"]).predict([[1.0]]).tolist())
except ValueError as error:
    print(error)
"""


def first_class(alpha: float) -> Classifier:
    class FirstClass(Classifier):
        def __init__(self, *, alpha: Annotated[float, Range(low=0)] = 1.0) -> None:
            self.alpha = alpha

        def _fit(self, X: Floats, y: Any, w: Any) -> None:
            self.n_ = len(X)

        def _proba(self, X: Floats) -> Floats:
            return np.eye(len(self.classes_))[[0] * len(X)]

    return FirstClass(alpha=alpha)


def fitted_elsewhere(learner: Classifier) -> str:
    payload = pickle.dumps(wrap_non_picklable_objects(learner, keep_wrapper=False))
    done = subprocess.run([sys.executable, "-c", FIT], input=payload, check=True, capture_output=True)
    return done.stdout.decode().strip()


def test_it_is_fitted_and_its_parameters_are_checked():
    assert fitted_elsewhere(first_class(2.0)) == "['a']"
    message = fitted_elsewhere(first_class(-2.0))
    assert message == "FirstClass: parameter 'alpha' must be a number in [0, inf); got -2.0."


def test_its_signature_is_shown_as_it_was_written():
    learner = first_class(2.0)
    written = str(inspect.signature(type(learner)))
    wrap_non_picklable_objects(learner, keep_wrapper=False).__reduce__()
    assert not isinstance(type(learner).__init__.__annotations__["alpha"], str)
    assert str(inspect.signature(type(learner))) == written
