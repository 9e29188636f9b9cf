"""Measures by the names that others have for them."""

from __future__ import annotations

import pytest

from hornbook.evaluation import measure_by_name, measures, suggest_measure
from hornbook.evaluation.metrics._measure import OTHER_NAMES


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("f1", "f_measure"),
        ("F1-score", "f_measure"),
        ("roc_auc", "auc"),
        ("logloss", "log_loss"),
        ("MCC", "matthews"),
    ],
)
def test_other_names_are_understood(name, meant):
    with pytest.raises(ValueError, match=f"Did you mean '{meant}'\\?"):
        measure_by_name(name)


def test_all_other_names_mean_a_measure_and_none_is_one_itself():
    assert set(OTHER_NAMES.values()) <= set(measures())
    assert not set(OTHER_NAMES) & set(measures())


def test_only_what_is_allowed_is_suggested():
    assert "f_measure" not in suggest_measure("f1", ["rmse", "mae"])
