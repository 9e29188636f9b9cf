"""A lookup table: perfect on what it saw, ignorant of the rest."""

from __future__ import annotations

import numpy as np
import pandas as pd

from hornbook import Baseline, Memorizer

draw = np.random.default_rng(0)
X, Y = draw.normal(size=(300, 2)), draw.integers(0, 3, 300)


def test_no_error_on_training_rows_and_a_guess_on_others():
    model = Memorizer().fit(X[:200], Y[:200])
    assert model.score(X[:200], Y[:200]) == 1.0
    guess = Baseline().fit(X[:200], Y[:200])
    np.testing.assert_array_equal(model.predict(X[200:]), guess.predict(X[200:]))
    np.testing.assert_allclose(model.predict_proba(X[200:]), guess.predict_proba(X[200:]))


def test_copies_vote():
    model = Memorizer().fit([[1], [1], [1], [2]], list("abba"))
    np.testing.assert_allclose(model.predict_proba([[1], [2], [3]]), [[1 / 3, 2 / 3], [1, 0], [1 / 2, 1 / 2]])
    assert len(model.rows_) == 2


def test_zero_has_no_sign_and_missing_is_a_value():
    table = pd.DataFrame({"x": [0.0, np.nan, 1.0], "c": ["u", None, "v"]})
    model = Memorizer().fit(table, list("abc"))
    again = pd.DataFrame({"x": [-0.0, np.nan, np.nan], "c": ["u", None, "u"]})
    assert model.predict_proba(again).round(2).tolist() == [[1, 0, 0], [0, 1, 0], [0.33, 0.33, 0.33]]
    assert "never seen" in str(model.working(again[2:]))


def test_whole_numbers_of_any_width_are_numbers():
    for dtype in (np.int8, np.int32, np.int64, np.float32):
        model = Memorizer().fit(np.array([[-1], [5]], dtype=dtype), ["a", "b"])
        assert model.predict([[-1.0], [5.0]]).tolist() == ["a", "b"]
