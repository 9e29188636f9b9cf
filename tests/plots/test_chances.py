"""Probabilities of better, equal and worse, as bars that fill the whole width."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import Scores, Verdict
from hornbook.plots import chances


def verdict_of(values, **more):
    values = np.asarray(values, dtype=float)
    names = [f"L{i}" for i in range(len(values))]
    sizes = np.full(values.shape[1], 10)
    return Verdict.of(Scores("error_rate", False, names, values, sizes * 9, sizes, **more))


TOLD = verdict_of(np.tile([[0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.2, 0.1], [0.5, 0.6, 0.6, 0.5]], 3))


def test_bars_are_the_probabilities_of_the_verdict():
    ax = chances(TOLD)
    others = TOLD.standings[1:]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["L1", "L2"]
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == [getattr(s, part) for part in ("better", "equal", "worse") for s in others]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["better than L0", "equal", "worse"]


def test_each_bar_fills_the_width():
    ax = chances(TOLD)
    for place in range(2):
        ends = [bar.get_x() + bar.get_width() for bar in ax.patches if round(bar.get_y() + 0.34) == place]
        assert max(ends) == pytest.approx(1)


def test_numbers_stand_where_there_is_room():
    ax = chances(TOLD)
    wide = [bar.get_width() for bar in ax.patches if bar.get_width() >= 0.09]
    assert sorted(text.get_text() for text in ax.texts) == sorted(f"{width:.2f}" for width in wide)


def test_unfinished_learners_are_left_out():
    ax = chances(verdict_of([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3], [0.2, 0.2, 0.2]]))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["L2"]


def test_one_learner_has_nobody_to_be_compared_with():
    with pytest.raises(ValueError, match="at least 2 learners that finished; got 1"):
        chances(verdict_of([[0.1, 0.2, 0.3]]))
