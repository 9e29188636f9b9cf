"""The picture of a permutation test: every permutation counts, and lines stand where the numbers are."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex

from hornbook.evaluation import paired_t, permutation_test, surrogate_test
from hornbook.plots import permutation_histogram

rng = np.random.default_rng(0)
X, Y = rng.normal(0.8, 1, 20), rng.normal(0, 1, 20)


def lines(ax):
    return {to_hex(line.get_color()): float(line.get_xdata()[0]) for line in ax.lines}


def test_bins_of_the_width_of_the_notes():
    result = permutation_test(X, Y, alternative="greater", random_state=0)
    ax = permutation_histogram(result, width=0.02)
    counts, edges = [bar.get_height() for bar in ax.patches], [bar.get_x() for bar in ax.patches]
    assert sum(counts) == 10_000
    assert np.diff(edges) == pytest.approx(0.02)
    expected, _ = np.histogram(result.distribution.values, [*edges, edges[-1] + 0.02])
    assert counts == pytest.approx(expected, abs=1)  # a value on an edge may go either way
    light_blue, dark_blue, red = "#56b4e9", "#0072b2", "#d55e00"
    drawn = lines(ax)
    assert drawn[light_blue] == result.critical[0]
    assert drawn[dark_blue] == result.distribution.critical(0.01, "greater")[0]
    assert drawn[red] == result.statistic
    assert np.mean(result.distribution.values >= drawn[dark_blue]) == pytest.approx(0.01, abs=2e-4)


def test_both_sides_and_the_words():
    result = permutation_test(X, Y, statistic="pearson", random_state=0)
    ax = permutation_histogram(result, levels=[0.1])
    assert len(ax.lines) == 3
    assert sorted(float(line.get_xdata()[0]) for line in ax.lines[:2]) == list(
        result.distribution.critical(0.1, "two-sided")
    )
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    verb = "rejected" if result.rejected else "not rejected"
    assert labels == [
        "critical, alpha = 0.1",
        f"r = {result.statistic:.3g}, p = {result.p_text}: {verb} at 0.05",
    ]
    assert ax.get_ylabel() == "count of 10,000"


def test_the_observed_line_is_beyond_the_critical_one_when_rejected():
    decisions = set()
    for shift in np.linspace(-0.6, 1.2, 10):
        result = permutation_test(
            X - 0.8 + shift, Y, alternative="greater", n_permutations=500, random_state=0
        )
        ax = permutation_histogram(result, levels=[0.05])
        critical, observed = (float(line.get_xdata()[0]) for line in ax.lines)
        assert (observed >= critical) == result.rejected
        decisions.add(result.rejected)
    assert decisions == {True, False}


def test_surrogates_and_a_constant_sample():
    result = surrogate_test(np.mean, X, lambda x, generator: generator.normal(size=len(x)), random_state=0)
    assert sum(bar.get_height() for bar in permutation_histogram(result).patches) == 1000
    same = permutation_test([1.0, 1.0], [1.0], random_state=0, n_permutations=10)
    (bar,) = permutation_histogram(same).patches
    assert bar.get_height() == 10


def test_what_has_no_sample_is_refused():
    with pytest.raises(
        ValueError, match=r"Paired t-test has no sample of its statistic; draw its distribution with"
    ):
        permutation_histogram(paired_t([1.0, 2.0]))
    result = permutation_test([1.0, 2.0], [1.0], random_state=0)
    for levels in ([0.1, 0.2, 0.3, 0.4], [0.0], [1.5]):
        with pytest.raises(ValueError, match=r"'levels' must be at most 3 numbers in \(0, 1\); got"):
            permutation_histogram(result, levels=levels)
