"""What the figures of note N2 about hypothesis tests show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from gallery import n2_tests as shown


def legend(ax):
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


def test_level_worst_case_and_p_value():
    level, worst, p_value = shown.parameter_test().axes
    assert legend(level) == ["true value 130: area 0.05", "critical value 128.22"]
    areas = [float(words.rpartition(" ")[2]) for words in legend(worst)[:3]]
    assert areas[0] == 0.05 > areas[1] > areas[2]
    assert legend(p_value) == ["true value 130: area 0.032", "observed mean 128"]
    assert {ax.get_xlabel() for ax in (level, worst, p_value)} == {"mean"}


def test_histograms_of_permutations_have_bins_of_002_and_critical_values():
    axes = shown.permutation_histograms().axes
    for ax, symbol in zip(axes, ("difference", "r", "rho"), strict=True):
        assert sum(bar.get_height() for bar in ax.patches) == 10_000
        assert {round(bar.get_width(), 6) for bar in ax.patches} == {0.02}
        labels = legend(ax)
        assert labels[:2] == ["critical, alpha = 0.05", "critical, alpha = 0.01"]
        assert labels[2].startswith(f"{symbol} = ")
        assert labels[2].endswith("rejected at 0.05")
        five, one, observed = (
            [abs(line.get_xdata()[0]) for line in ax.lines if line.get_color() == shade]
            for shade in ("#56B4E9", "#0072B2", "#D55E00")  # light blue, dark blue, red
        )
        assert max(five) < min(one) < observed[0]  # significant at 1 %


def test_permutations_of_a_sample_have_small_coefficients():
    axes = shown.permuted_samples().axes
    points = [ax.lines[0].get_xydata() for ax in axes]
    for ax, place in zip(axes, points, strict=True):
        r, rank = pearsonr(*place.T).statistic, spearmanr(*place.T).statistic
        assert ax.get_title().endswith(f": r = {r:.3g}, rank r = {rank:.3g}")
        np.testing.assert_array_equal(np.sort(place, axis=0), np.sort(points[0], axis=0))
    coefficients = [abs(pearsonr(*place.T).statistic) for place in points]
    assert coefficients[0] == max(coefficients)
    assert coefficients[0] == pytest.approx(0.288, abs=5e-4)
    assert axes[0].get_title().startswith("sample")
