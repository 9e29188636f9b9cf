"""Estimators that behave badly, for studies that must survive them."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Classifier


class Odd(ClassifierMixin, BaseEstimator):
    """Predicts the first class, unless it is told to do something else when it is fitted."""

    def __init__(self, deed: str = "", seconds: float = 0.0, marks: str = ""):
        self.deed = deed
        self.seconds = seconds
        self.marks = marks

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        self._mark()
        time.sleep(self.seconds)
        if self.deed == "raise":
            raise ValueError("these rows are not to my taste\nand more")
        if self.deed == "few" and len(X) > 50:
            raise ValueError("too many rows for me")
        if self.deed == "hang":
            time.sleep(600)
        if self.deed == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.deed == "exit":
            sys.stdout.write("so long\n")
            sys.stdout.flush()
            os._exit(3)
        if self.deed == "print":
            sys.stdout.write("x" * 100_000)
            input_closed = os.read(0, 1) == b""
            assert input_closed
        if self.deed == "file":
            open("/nowhere/at/all")  # noqa: SIM115, PTH123 - a learner that wants a file
        return self

    def _mark(self):
        """Leave a mark for each fit, so that tests can count them."""
        if self.marks:
            with open(self.marks, "a") as file:  # noqa: PTH123 - append, as several processes do
                file.write("fit\n")

    def predict(self, X):
        check_is_fitted(self)
        return np.full(len(X), self.classes_[0])


class Seeing(Classifier):
    """Predicts the first class, and keeps a diary of the rows it sees; its first column names them."""

    wants = "frame"

    def __init__(self, *, depth: int = 1, diary: str = ""):
        self.depth = depth
        self.diary = diary

    def _saw(self, what, frame):
        line = {"what": what, "depth": self.depth, "rows": frame.column(0).astype(int).tolist()}
        with open(self.diary, "a") as file:  # noqa: PTH123 - append
            file.write(json.dumps(line) + "\n")

    def _fit(self, frame, y, w):
        self._saw("fit", frame)

    def _predict(self, frame):
        self._saw("ask", frame)
        return np.zeros(len(frame), dtype=np.intp)


class Guessing(Classifier):
    """Predicts a coin flip for each row, which its parameters determine; its first column names the rows."""

    wants = "frame"

    def __init__(self, *, family: int = 0, coin: int = 0):
        self.family = family
        self.coin = coin

    def _fit(self, frame, y, w):
        pass

    def _predict(self, frame):
        flips = np.random.default_rng([self.family, self.coin]).integers(0, 2, 1000)
        return flips[frame.column(0).astype(int)]
