"""How one answer came about, as text and as data."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.base import Term, Working


def test_rounding_of_larger_terms_prints_as_zero_and_small_terms_stay():
    terms = [Term("a", [0.1, 1e-20]), Term("b", [0.2, 2e-20]), Term("c", [-0.3, -1e-20])]
    working = Working("how", "sum", ["x", "y"], terms, "x")
    assert working.scores[0] == pytest.approx(5.6e-17, rel=0.02)  # not 0, as floating point has it
    assert str(working).splitlines()[-2].split() == ["sum", "0", "2e-20"]
    assert working.to_dict()["scores"] == working.scores  # data keep what was computed


def test_a_prediction_that_is_the_sum_prints_as_the_sum():
    terms = [Term("a", [0.1]), Term("b", [0.2]), Term("c", [-0.3])]
    working = Working("how", "sum", ["value"], terms, float(np.sum([0.1, 0.2, -0.3])))
    assert "prediction: 0\n" in str(working)
    assert working.to_dict()["prediction"] != 0


def test_a_prediction_that_was_summed_in_another_order_prints_as_the_sum():
    terms = [Term("a", [0.1]), Term("b", [0.2]), Term("c", [-0.3])]
    working = Working("how", "sum", ["value"], terms, 2.8e-17)
    assert working.scores != [working.prediction]
    assert "prediction: 0\n" in str(working)
    assert "prediction: 1e-15\n" in str(Working("how", "sum", ["value"], [Term("a", [1e-15])], 1e-15))
