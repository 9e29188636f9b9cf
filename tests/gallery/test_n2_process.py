"""What the figures of note N2 about the process and about combining models show."""

from __future__ import annotations

import numpy as np
import pytest

from gallery import n2_process as shown
from hornbook import PolynomialRegression


def words(ax):
    return [text.get_text().replace("\n", " ") for text in ax.texts if text.get_text()]


def arrows(ax):
    return [text for text in ax.texts if getattr(text, "arrow_patch", None)]


def test_both_processes_have_their_steps_in_order():
    chain, cycle = shown.processes().axes
    steps = ["select", "preprocess", "transform", "mine", "interpret"]
    assert [name for name in words(chain) if name in steps] == steps
    assert (words(chain)[0], words(chain)[-1], len(arrows(chain))) == ("data", "knowledge", 10)
    assert words(cycle) == [
        "business understanding",
        "data understanding",
        "data preparation",
        "modeling",
        "evaluation",
        "deployment",
    ]
    assert len(arrows(cycle)) == 5 + 3  # forth, and back


def test_polynomials_of_three_degrees_on_the_same_points():
    axes = shown.polynomial_fits().axes
    points = [ax.collections[0].get_offsets() if ax.collections else ax.lines[0].get_xydata() for ax in axes]
    np.testing.assert_array_equal(points[0], points[1])
    np.testing.assert_array_equal(points[0], points[2])
    x, y = np.asarray(points[0]).T
    errors = []
    for degree, ax in zip((1, 2, 6), axes, strict=True):
        model = PolynomialRegression(degree).fit(x[:, None], y)
        [curve] = [line for line in ax.lines if line.get_label() == f"degree {degree}"]
        np.testing.assert_allclose(curve.get_ydata(), model.predict(curve.get_xdata()[:, None]), rtol=1e-9)
        errors.append(float(np.mean((model.predict(x[:, None]) - y) ** 2)))
        assert ax.get_title().startswith(f"degree {degree} ")
    assert errors[0] > errors[1] > errors[2]


@pytest.mark.parametrize(
    ("draw", "models"),
    [
        (shown.statistical_reason, 4),
        (shown.computational_reason, 3),
        (shown.representational_reason, 3),
    ],
)
def test_a_reason_has_its_models_their_mean_and_the_best(draw, models):
    [ax] = draw().axes
    assert words(ax) == [*(f"m{i + 1}" for i in range(models)), "f", "mean"]
    models_at, best, mean = (dots.get_offsets() for dots in ax.collections)
    np.testing.assert_allclose(mean, [models_at.mean(axis=0)])
    off = np.linalg.norm(models_at - best, axis=1)
    # Outside the space the mean is closer on average; in it, closer than every model.
    assert np.linalg.norm(mean - best) < off.min()
    dashed = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert len(dashed) == (3 if draw is shown.computational_reason else 0)


def test_bootstrap_samples_have_ten_rows_each():
    [ax] = shown.bootstrap_samples().axes
    dots, _ = ax.collections
    counts = dots.get_sizes() / dots.get_sizes().min()
    lines = np.asarray(dots.get_offsets())[:, 1]
    assert [counts[lines == i].sum() for i in range(5)] == [10.0] * 5
    assert counts[lines == 0].tolist() == [1.0] * 10
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "table",
        *(f"sample {i}" for i in range(1, 5)),
    ]


def test_five_losses_of_the_margin():
    [ax] = shown.margin_losses().axes
    curves = {line.get_label(): line.get_data() for line in ax.lines}
    formulas = {
        "misclassification": lambda g: (g < 0).astype(float),
        "hinge": lambda g: np.maximum(0, 1 - g),
        "squared": lambda g: (1 - g) ** 2,
        "exponential": lambda g: np.exp(-g),
        "binomial deviance": lambda g: np.log1p(np.exp(-2 * g)),
    }
    for name, formula in formulas.items():
        margin, loss = curves[name]
        apart = margin != 0  # where the step is
        np.testing.assert_allclose(loss[apart], formula(margin[apart]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("margin", "loss")


def test_every_fold_is_tested_in_one_run():
    [ax] = shown.cross_validation().axes
    assert words(ax) == [f"D{i + 1}" for i in range(10)]
    # In run i the test rows are the i-th tenth of all.
    places = [text.get_position() for text in ax.texts]
    np.testing.assert_allclose(places, [(30 * i + 15, i) for i in range(10)], atol=0.6)
    assert [label.get_text() for label in ax.get_yticklabels()] == [f"round {i + 1}" for i in range(10)]
    assert sum(bar.get_width() for bar in ax.patches) == 10 * 300


def test_disagreement_and_a_tree():
    table, tree = shown.disagreement_and_tree().axes[:2]
    assert table.get_title() == "kappa -0.96"
    assert sorted(int(word) for word in words(table)) == [1, 1, 48, 48]  # 98 rows in all
    assert any(word.startswith("outlook") for word in words(tree))
    assert [word for word in words(tree) if word in ("Overcast", "Rain", "Sunny")] == [
        "Overcast",
        "Rain",
        "Sunny",
    ]
    assert sum(word.startswith("R") and "impurity 0 " in word for word in words(tree)) == 5  # all leaves
