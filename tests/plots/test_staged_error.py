"""Errors against the number of members, and sketches of why members help each other."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.path import Path

from hornbook.plots import combining, staged_error


def test_a_line_for_each_name():
    ax = staged_error({"a": [0.3, 0.2, np.nan], "b": [0.1]}, members="rounds", name="squared error")
    lines = [line.get_xydata().tolist() for line in ax.lines]
    assert lines[0][:2] == [[1.0, 0.3], [2.0, 0.2]]
    assert lines[1] == [[1.0, 0.1]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("number of rounds", "squared error")
    assert ax.get_ylim()[0] == 0.0
    assert staged_error([0.3, 0.1]).get_legend() is None


def test_wrong_input_is_one_sentence():
    with pytest.raises(ValueError, match=r"'errors' of 'a' must be a list .* shape \(1, 2\)"):
        staged_error({"a": [[0.1, 0.2]]})
    with pytest.raises(ValueError, match="at least one of them known"):
        staged_error([np.nan])
    with pytest.raises(ValueError, match="at least one list; got none"):
        staged_error({})
    with pytest.raises(ValueError, match="'reason' must be one of statistical, .*; got 'other'"):
        combining("other")


@pytest.mark.parametrize("reason", ["statistical", "computational", "representational"])
def test_the_mean_is_closer_to_the_best_than_each_model(reason):
    ax = combining(reason)
    dots = {artist.get_label(): np.asarray(artist.get_offsets()) for artist in ax.collections}
    models, (best,), (mean,) = dots["models found"], dots["best model"], dots["their mean"]
    np.testing.assert_allclose(mean, models.mean(axis=0))
    assert np.linalg.norm(mean - best) < 0.7 * np.linalg.norm(models - best, axis=1).min()
    space = Path(next(artist.get_xy() for artist in ax.patches if artist.get_label() == "space of models"))
    assert all(space.contains_point(model) for model in models)
    assert space.contains_point(best) == (reason != "representational")
    assert len(ax.lines) == (3 if reason == "computational" else 0)
