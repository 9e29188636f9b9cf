"""Random tables: keyed by the seed, with the shapes and laws they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from hornbook.datasets import double_moon, gaussians, noisy_trend, two_samples
from hornbook.params import ParameterError

MAKERS = {
    "double_moon": double_moon,
    "gaussians": gaussians,
    "two_samples": two_samples,
    "noisy_trend": noisy_trend,
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_seed_decides(name):
    make = MAKERS[name]
    one, same, other = make(random_state=3), make(random_state=3), make(random_state=4)
    np.testing.assert_array_equal(one.numbers, same.numbers)
    assert not np.array_equal(one.numbers, other.numbers)
    assert not np.array_equal(make().numbers, make().numbers)
    drawn = make(random_state=np.random.RandomState(0))
    np.testing.assert_array_equal(drawn.numbers, make(random_state=np.random.RandomState(0)).numbers)


def test_numbers_of_a_seed_do_not_change():
    # What somebody computed with a seed must come out again in the next release.
    assert double_moon(n=2, random_state=0)["x1"].round(12).tolist() == [-6.796736374568, 10.240469212485]
    assert gaussians(n=2, random_state=0)["x1"].round(12).tolist() == [0.015912577174, 2.285226383149]


def test_moons_have_their_shape():
    frame = double_moon(-5, 10, 6, n=4001, random_state=1)
    upper = frame.features.matrix[frame.y == "upper"]
    lower = frame.features.matrix[frame.y == "lower"] - [10, 5]
    assert (len(upper), len(lower)) == (2001, 2000)
    for moon in (upper, -lower):
        length = np.hypot(*moon.T)
        assert length.min() > 7
        assert length.max() < 13
        assert moon[:, 1].min() >= 0
        # An even spread over the area: the share within radius r is (r^2 - 49) / 120.
        assert stats.kstest((length**2 - 49) / 120, "uniform").pvalue > 0.01
        assert stats.kstest(np.arctan2(moon[:, 1], moon[:, 0]) / np.pi, "uniform").pvalue > 0.01


@pytest.mark.parametrize(("distance", "share"), [(-5, 0.0), (-6, 0.0), (-6.5, 0.0008)])
def test_moons_meet_below_a_distance_of_minus_6_3(distance, share):
    frame = double_moon(distance, n=400_000, random_state=2)
    upper = frame.features.matrix[frame.y == "upper"] - [10, -distance]
    length = np.hypot(*upper.T)
    inside = (length > 7) & (length < 13) & (upper[:, 1] < 0)
    assert inside.mean() == pytest.approx(share, abs=2e-4)


def test_eight_centers_have_the_best_error_of_the_notes():
    frame = gaussians("eight", n=80_000, random_state=3)
    X, blocks = frame.features.matrix, frame.features.matrix.reshape(8, 10_000, 2)
    centers = np.array(
        [[0.4, 0.9], [2, 1.8], [2.3, 2.3], [2.6, 1.8], [1.5, 1], [1.9, 1], [1.5, 3], [3.3, 2.6]]
    )
    np.testing.assert_allclose(blocks.mean(axis=1), centers, atol=0.015)
    np.testing.assert_allclose(blocks.var(axis=1), 0.08, atol=0.005)
    distance = ((X[:, None] - centers) ** 2).sum(axis=2)
    density = np.exp(-distance / 0.16)
    chosen = np.where(density[:, :4].sum(axis=1) > density[:, 4:].sum(axis=1), "A", "B")
    assert (chosen != frame.y).mean() == pytest.approx(0.0532, abs=0.003)
    assert frame.y.tolist() == ["A"] * 40_000 + ["B"] * 40_000


def test_twenty_columns_have_the_best_error_of_the_notes():
    frame = gaussians("twenty", n=40_000, random_state=4)
    X, sign = frame.features.matrix, np.where(frame.y == "A", -1, 1)
    np.testing.assert_allclose((X * sign[:, None]).mean(axis=0), 2 / np.sqrt(20), atol=0.02)
    np.testing.assert_allclose(np.cov((X * sign[:, None]).T), np.eye(20), atol=0.04)
    assert (np.sign(X.sum(axis=1)) != sign).mean() == pytest.approx(stats.norm.cdf(-2), abs=0.003)
    assert (np.sign(X[:, 7]) != sign).mean() == pytest.approx(0.327, abs=0.008)


def test_shares_of_the_centers_differ_by_one_at_most():
    assert gaussians("twenty", n=5, random_state=0).y.tolist() == ["A", "A", "A", "B", "B"]
    assert gaussians("eight", n=11, random_state=0).y.tolist() == ["A"] * 7 + ["B"] * 4


def test_two_samples_are_normal_and_shifted():
    frame = two_samples(50_000, shift=1.0, random_state=5)
    x, y = frame["value"][frame.y == "x"], frame["value"][frame.y == "y"]
    assert stats.kstest(x, stats.norm(-0.5).cdf).pvalue > 0.01
    assert stats.kstest(y, stats.norm(0.5).cdf).pvalue > 0.01
    assert abs(stats.pearsonr(x, y).statistic) < 0.02


def test_a_noisy_trend_has_the_correlation_it_claims():
    frame = noisy_trend(200_000, random_state=6)
    x, y = frame["x"], frame.y
    ramp, uniform = 1 / 12, 9 / 12  # variances of i/n and of the error
    assert np.corrcoef(x, y)[0, 1] == pytest.approx(ramp / (ramp + uniform), abs=0.01)
    errors = np.concatenate([x, y]) - np.tile(np.arange(1, 200_001) / 200_000, 2)
    assert stats.kstest(errors / 3, "uniform").pvalue > 0.01


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: double_moon(n=0), r"double_moon: parameter 'n' must be a whole number >= 1; got 0\."),
        (lambda: double_moon(n=2.5), "parameter 'n' must be a whole number >= 1; got 2.5"),
        (lambda: double_moon(radius=-1), "parameter 'radius' must be a number >= 0; got -1"),
        (lambda: double_moon(width=25), r"'width' must be at most twice the radius \(20.0\); got 25"),
        (lambda: double_moon(distance=float("nan")), "parameter 'distance' must be a number; got nan"),
        (lambda: gaussians(n=True), "gaussians: parameter 'n' must be a whole number >= 1; got True"),
        (lambda: two_samples(shift=float("inf")), "parameter 'shift' must be a number; got inf"),
        (lambda: noisy_trend(noise="much"), "parameter 'noise' must be a number >= 0; got 'much'"),
    ],
)
def test_parameters_are_checked(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
