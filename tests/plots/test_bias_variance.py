"""The parts of a loss as bars, and as lines over a parameter."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from hornbook.evaluation import BiasVariance, BiasVarianceCurve
from hornbook.plots import bias_variance


def parts(measured="squared", noise=0.0, bias=0.2, variance=0.1):
    at = (np.array([value]) for value in (noise + bias + variance, noise, bias, variance, variance))
    return BiasVariance(measured, 10, np.array([1.0]), *at)


def curve(values, **options):
    results = tuple(parts(bias=1 / (i + 1), variance=0.1 * i, **options) for i in range(len(values)))
    return BiasVarianceCurve("C", tuple(values), results)


def test_one_result_is_four_bars():
    ax = bias_variance(parts(noise=0.05), title="a learner")
    assert [text.get_text() for text in ax.get_xticklabels()] == ["noise", "bias²", "variance", "loss"]
    np.testing.assert_allclose([bar.get_height() for bar in ax.patches], [0.05, 0.2, 0.1, 0.35])
    assert ax.get_title() == "a learner"
    assert bias_variance(parts("zero_one")).get_xticklabels()[1].get_text() == "bias"


def test_a_curve_is_a_line_for_each_part():
    result = curve([0.01, 0.1, 1, 10, 100])
    ax = bias_variance(result, title="over C")
    assert [line.get_label() for line in ax.lines] == ["loss", "bias²", "variance"]
    for line, heights in zip(ax.lines, (result.loss, result.bias, result.variance), strict=True):
        np.testing.assert_allclose(line.get_xdata(), [0.01, 0.1, 1, 10, 100])
        np.testing.assert_allclose(line.get_ydata(), heights)
    assert (ax.get_xscale(), ax.get_xlabel(), ax.get_ylabel()) == ("log", "C", "squared loss")
    assert ax.get_title() == "over C"


def test_noise_has_a_line_where_there_is_some():
    ax = bias_variance(curve([1, 2, 3], noise=0.3, measured="zero_one"))
    assert [line.get_label() for line in ax.lines] == ["loss", "bias", "variance", "noise"]
    assert (ax.get_xscale(), ax.get_ylabel()) == ("linear", "zero-one loss")


def test_values_that_are_no_numbers_stand_side_by_side():
    ax = bias_variance(curve(["gini", "entropy"]))
    assert [text.get_text() for text in ax.get_xticklabels()] == ["gini", "entropy"]
    assert ax.lines[0].get_xdata().tolist() == [0.0, 1.0]


def test_draws_on_the_axes_it_is_given():
    ax = Figure().add_subplot()
    assert bias_variance(curve([1, 2]), ax) is ax
    assert bias_variance(parts(), ax=ax) is ax
