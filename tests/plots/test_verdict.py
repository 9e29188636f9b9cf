"""The picture of a verdict shows what the verdict says."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import Scores, Verdict
from hornbook.plots import verdict


def verdict_of(values, **more):
    values = np.asarray(values, dtype=float)
    names = [f"L{i}" for i in range(len(values))]
    sizes = np.full(values.shape[1], 10)
    return Verdict.of(Scores("error_rate", False, names, values, sizes * 9, sizes, **more))


def test_learners_are_listed_with_mean_and_interval():
    result = verdict_of(np.tile([[0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.2, 0.1], [0.5, 0.6, 0.6, 0.5]], 3))
    ax = verdict(result)
    assert [text.get_text() for text in ax.get_yticklabels()] == [s.name for s in result.standings]
    dots = {line.get_ydata()[0]: line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"}
    assert dots == {place: s.mean.estimate for place, s in enumerate(result.standings)}
    spans = [
        tuple(line.get_xdata())
        for line in ax.lines
        if line.get_marker() == "None" and line.get_linewidth() == 1.5
    ]
    assert spans == [(s.mean.low, s.mean.high) for s in result.standings]
    assert "error_rate (smaller is better), 95 % intervals over 12 folds" in ax.get_xlabel()


def test_tied_best_are_joined_and_colored_and_worse_are_grey():
    result = verdict_of(np.tile([[0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.2, 0.1], [0.5, 0.6, 0.6, 0.5]], 3))
    assert result.winners == ("L0", "L1")
    ax = verdict(result)
    (joint,) = [line for line in ax.lines if line.get_linewidth() == 4]
    assert joint.get_ydata() == pytest.approx([-0.25, 1.25])
    colors = [line.get_color() for line in ax.lines if line.get_marker() == "o"]
    assert colors[0] == colors[1] != colors[2]


def test_unfinished_learners_are_named_with_their_reason():
    result = verdict_of([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3]], errors={"L1": "ValueError: no luck"})
    ax = verdict(result)
    assert [text.get_text() for text in ax.texts] == ["ValueError: no luck"]
    assert len([line for line in ax.lines if line.get_marker() == "o"]) == 1
