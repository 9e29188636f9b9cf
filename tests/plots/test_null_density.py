"""The picture of a test: the statistic is in the colored part exactly when it is rejected."""

from __future__ import annotations

import math

import numpy as np
import pytest
from matplotlib.collections import PolyCollection

from hornbook.evaluation import (
    TestResult,
    corrected_t,
    five_by_two,
    friedman,
    mcnemar,
    paired_t,
    permutation_test,
    sign_test,
    wilcoxon,
    z_test,
)
from hornbook.plots import null_density


def regions(ax):
    """Where the colored parts of a curve begin and end."""
    return sorted(
        (float(x.min()), float(x.max()))
        for collection in ax.collections
        if isinstance(collection, PolyCollection)
        for x in [collection.get_paths()[0].vertices[:, 0]]
    )


def mark(ax):
    (line,) = [line for line in ax.lines if len(line.get_xdata()) == 2]
    return float(line.get_xdata()[0])


def words(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


CURVES = {
    "z": lambda d, side: z_test(d, sigma=1.0, alternative=side),
    "paired t": lambda d, side: paired_t(d, alternative=side),
    "corrected t": lambda d, side: corrected_t(d, test_fraction=0.1, alternative=side),
    "5x2": lambda d, _: five_by_two(d.reshape(5, 2)),
    "wilcoxon": lambda d, side: wilcoxon(d, method="normal", alternative=side),
    "friedman": lambda d, _: friedman(d.reshape(5, 2)),
    "friedman chi2": lambda d, _: friedman(d.reshape(5, 2), method="chi_square"),
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_the_mark_is_in_the_region_when_rejected(name, side):
    rng = np.random.default_rng(0)
    for shift in (0.0, 0.3, -0.8, 1.0, 3.0):
        result = CURVES[name](rng.normal(shift, 1, size=10), side)
        ax = null_density(result)
        inside = any(low <= mark(ax) <= high for low, high in regions(ax))
        assert inside == result.rejected
        verb = "rejected" if result.rejected else "not rejected"
        assert words(ax)[1].split(": ")[1].removesuffix(", off the plot") == verb


def test_the_curve_is_the_density_and_the_region_has_probability_alpha():
    result = paired_t([0.1, 0.3, -0.2, 0.4, 0.2], alpha=0.1)
    ax = null_density(result)
    x, y = ax.lines[0].get_data()
    assert y == pytest.approx(result.distribution.density(x))
    (first, last) = regions(ax)
    assert (first[1], last[0]) == pytest.approx(result.critical)
    area = np.trapezoid(result.distribution.density(np.linspace(*last, 2000)), np.linspace(*last, 2000))
    assert area == pytest.approx(0.05 - result.distribution.p(last[1], "greater"), abs=1e-6)
    assert mark(ax) == result.statistic
    assert ax.get_xlabel() == "t, Student t, 4 degrees of freedom if mean difference = 0"
    assert words(ax) == [
        "rejected, alpha = 0.1",
        f"t = {result.statistic:.3g}, p = {result.p_text}: not rejected",
    ]


def test_the_one_sided_example_of_the_notes():
    ax = null_density(z_test(mean=128, n=25, sigma=5.4, null=130, alternative="less"))
    ((low, high),) = regions(ax)
    assert high == pytest.approx(-1.645, abs=5e-4)
    assert low == ax.get_xlim()[0]
    assert mark(ax) == pytest.approx(-1.85, abs=5e-3)


def test_a_statistic_far_off_is_marked_at_the_edge():
    for values, side in (([0.1, 0.1001, 0.1], 1), ([-0.1, -0.1, -0.1], -1)):
        result = paired_t(values)
        ax = null_density(result)
        assert mark(ax) == pytest.approx(0.99 * ax.get_xlim()[side > 0])
        assert words(ax)[1].endswith("rejected, off the plot")
    assert result.statistic == -math.inf


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_single_values_are_bars_and_the_rejected_ones_are_colored(side):
    rng = np.random.default_rng(1)
    for make in (
        lambda d: sign_test(d, alternative=side),
        lambda d: sign_test(d, alternative=side, method="mid_p"),
        lambda d: wilcoxon(d, alternative=side),
        lambda d: wilcoxon(np.round(d), method="exact", alternative=side),
        lambda d: mcnemar(np.zeros(12), d > 0, d < 0, alternative=side),
    ):
        result = make(rng.normal(0.4, 1, size=12))
        ax = null_density(result)
        bars = {bar.get_x() + bar.get_width() / 2: bar for bar in ax.patches}
        assert sum(bar.get_height() for bar in bars.values()) == pytest.approx(1)
        plain = ax.patches[0].get_facecolor()
        gray = [x for x, bar in bars.items() if bar.get_facecolor() == plain]
        for x in bars:
            wanted = result.distribution.p(x, side) <= result.alpha
            assert (not any(np.isclose(x, gray))) == wanted
        assert mark(ax) == result.statistic
        assert ax.get_ylabel() == "probability"


def test_one_degree_of_freedom_has_a_readable_curve():
    for method in ("chi_square", "iman_davenport"):
        result = friedman([[1, 2], [1, 2], [2, 1], [1, 2]], method=method)
        ax = null_density(result)
        assert np.isfinite(ax.lines[0].get_ydata()).all()
        assert ax.get_ylim()[1] < 3
        assert ax.get_xlim()[0] == 0
        assert mark(ax) == result.statistic


def test_no_toss_at_all():
    ax = null_density(sign_test([0.0, 0.0]))
    assert [bar.get_height() for bar in ax.patches] == [1.0]


def test_what_has_no_density_is_refused():
    with pytest.raises(
        ValueError, match=r"null_density: Permutation test of means has no density; draw a sample"
    ):
        null_density(permutation_test([1.0, 2.0], [3.0], random_state=0))
    with pytest.raises(ValueError, match="null_density: Mine has no density"):
        null_density(TestResult(name="Mine", statistic=1.0, p=0.5, alpha=0.05, effect=1.0))
