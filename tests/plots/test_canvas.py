"""What all pictures have in common: their own figure, no global state, no early import."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

from hornbook import SVC, Frame, evaluation, plots
from hornbook.evaluation import Scores, Verdict, bias_variance_curve, paired_t, permutation_test
from hornbook.plots import (
    Panel,
    bars,
    bias_variance,
    boundaries,
    calibration,
    capacity,
    class_densities,
    code_matrix,
    confusion,
    cost_curve,
    critical_difference,
    ellipses,
    fits,
    histogram,
    learning_curve,
    lines,
    null_density,
    percentiles,
    permutation_histogram,
    precision_recall,
    profile,
    roc,
    validation_curve,
    verdict,
)
from hornbook.plots.canvas._palette import GRAY, class_styles, color


def some_verdict():
    values = np.array([[0.1, 0.2, 0.1], [0.4, 0.5, 0.4]])
    return Verdict.of(Scores("error_rate", False, ["a", "b"], values, np.full(3, 20), np.full(3, 10)))


LINE = LinearRegression().fit([[0.0], [1.0]], [0.0, 1.0])
CUT = DecisionTreeClassifier().fit([[0, 0], [1, 2]], ["a", "b"])
CURVE = bias_variance_curve(
    lambda k: DummyRegressor(strategy=k), ["mean", "median"], [[0.0], [1.0]], [0.0, 1.0], n_samples=2
)

TRUTH, SCORE = [0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]
FOLDS = np.array([[0.3, 0.2], [0.2, 0.1]])
GROWN = evaluation.LearningCurve(np.array([10, 20]), FOLDS, FOLDS, "error_rate", greater_is_better=False)
TRIED = evaluation.ValidationCurve("depth", [1, 2], FOLDS, FOLDS, "error_rate", greater_is_better=False)

PAIRS = evaluation.kappa_error([["a", "b"], ["a", "a"]], ["a", "b"])
SHARED = evaluation.Contributions(
    np.array([[0.2, -0.5], [0.1, 0.3]]), np.float64(1.0), Frame({"a": [1.0, 2.0], "b": ["x", "y"]})
)

STABLE = evaluation.ClusterStructure(
    ("k=2", "k=3"), np.array([0.9, 0.5]), {"normal": np.array([[0.4, 0.5], [0.5, 0.4]])}
)
SEPARATED = SVC(kernel="linear").fit([[0.0, 0.0], [1.0, 2.0]], ["a", "b"])
COUNTED = evaluation.ClusterCountCurve("dunn", np.array([2, 3]), np.array([0.5, 0.7]), None, None, 3)

EFFECT = evaluation.partial_dependence(LINE, [[0.0], [1.0]], 0)

PICTURES = {
    "algorithm": lambda ax=None: plots.algorithm([(0, "repeat", ""), (1, "take a step", "downhill")], ax),
    "analogy": plots.analogy,
    "folds": lambda ax=None: plots.folds([([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])], ax),
    "functions": lambda ax=None: plots.functions({"square": lambda z: z**2}, (-1.0, 1.0), ax),
    "hyperplane": lambda ax=None: plots.hyperplane([5, 2], -20, {"p": [4, 0], "x": [6, 4]}, ax),
    "neighborhoods": lambda ax=None: plots.neighborhoods([[0, 0], [1, 0]], ["a", "b"], [[0.5, 0.5]], 1.0, ax),
    "text_table": lambda ax=None: plots.text_table([["linear", 5.0]], ["kernel", "value"], ax),
    "votes": lambda ax=None: plots.votes([[1, 1, 0], [0, 1, 1]], ax),
    "partial_dependence": lambda ax=None: plots.partial_dependence(EFFECT, ax=ax),
    "beeswarm": lambda ax=None: plots.beeswarm(SHARED, ax=ax),
    "waterfall": lambda ax=None: plots.waterfall(SHARED, 1, ax=ax),
    "dependence": lambda ax=None: plots.dependence(SHARED, "a", "b", ax=ax),
    "capacity": lambda ax=None: capacity([1.0, 2.0], {"l = 1": [1.0, 0.5]}, ax=ax),
    "linear_boundary": lambda ax=None: plots.linear_boundary(
        [[0, 0], [3, 2]], ["-", "+"], [3, 2], 6.5, ax=ax
    ),
    "lines": lambda ax=None: lines([[0, 0], [1, 1]], [[1, 1]], [1.0], ax=ax),
    "calibration": lambda ax=None: calibration(evaluation.calibration_curve(TRUTH, SCORE), ax=ax),
    "code_matrix": lambda ax=None: code_matrix([[1], [-1]], ["a", "b"], ax=ax),
    "confusion": lambda ax=None: confusion(evaluation.confusion_table(TRUTH, TRUTH), ax=ax),
    "biplot": lambda ax=None: plots.biplot(
        [[0.0, 1.0], [1.0, -1.0]], [[0.5, 0.2], [0.1, 0.9]], ["a", "b"], ax=ax
    ),
    "clusters": lambda ax=None: plots.clusters([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]], [0, 0, -1], ax=ax),
    "dendrogram": lambda ax=None: plots.dendrogram([[0, 1], [2, 3]], [0.5, 2.0], ax=ax),
    "k_distance": lambda ax=None: plots.k_distance([[0.0], [0.1], [0.3], [5.0]], 2, ax=ax),
    "spectrum": lambda ax=None: plots.spectrum([2.0, 0.7, 0.1], 2, ax=ax),
    "unusual_rows": lambda ax=None: plots.unusual_rows([0.9], [0.8], [1.0], ["row 3"], ax=ax),
    "cluster_structure": lambda ax=None: plots.cluster_structure(STABLE, ax=ax),
    "margins": lambda ax=None: plots.margins(SEPARATED, [[0.0, 0.0], [1.0, 2.0]], ["a", "b"], ax=ax),
    "cluster_count": lambda ax=None: plots.cluster_count(COUNTED, ax=ax),
    "cost_curve": lambda ax=None: cost_curve(evaluation.cost_curve(TRUTH, SCORE), ax=ax),
    "learning_curve": lambda ax=None: learning_curve(GROWN, ax=ax),
    "precision_recall": lambda ax=None: precision_recall(evaluation.pr_curve(TRUTH, SCORE), ax=ax),
    "roc": lambda ax=None: roc(evaluation.roc_curve(TRUTH, SCORE), ax=ax),
    "validation_curve": lambda ax=None: validation_curve(TRIED, ax=ax),
    "bias_variance": lambda ax=None: bias_variance(CURVE, ax=ax),
    "boundaries": lambda ax=None: boundaries([CUT], [[0, 0], [1, 2]], ["a", "b"], ax=ax),
    "fits": lambda ax=None: fits({"line": LINE}, [[0.0], [1.0]], [0.0, 1.0], ax=ax),
    "bars": lambda ax=None: bars([1, 2], ["a", "b"], ax=ax),
    "class_densities": lambda ax=None: class_densities([Panel("x", [0, 1], {"a": [1, 1]})], ax=ax),
    "critical_difference": lambda ax=None: critical_difference([1.0, 2.0], ["a", "b"], 0.5, ax=ax),
    "ellipses": lambda ax=None: ellipses([[0, 0]], [[1, 1]], ["a"], ax=ax),
    "histogram": lambda ax=None: histogram([1.0, 2.0, 4.0], ax=ax),
    "null_density": lambda ax=None: null_density(paired_t([0.1, 0.2, 0.4]), ax=ax),
    "percentiles": lambda ax=None: percentiles([1.0, 2.0, 4.0], ax=ax),
    "permutation_histogram": lambda ax=None: permutation_histogram(
        permutation_test([1.0, 2.0], [3.0, 5.0], random_state=0), ax=ax
    ),
    "process": lambda ax=None: plots.process(ax=ax),
    "profile": lambda ax=None: profile({"x": [1.0, 2.0]}, ax=ax),
    "agreement": lambda ax=None: plots.agreement([1.0, 2.0], [1.5, 2.0], ax=ax),
    "chances": lambda ax=None: plots.chances(some_verdict(), ax=ax),
    "coefficient_path": lambda ax=None: plots.coefficient_path(
        [1.0, 0.1], [[0.0, 0.2], [0.9, 0.3]], ["size", "mass"], ax=ax
    ),
    "importance": lambda ax=None: plots.importance([0.02, 0.31], ["age", "income"], ax=ax),
    "loss_functions": lambda ax=None: plots.loss_functions(ax=ax),
    "layers": lambda ax=None: plots.layers([[[1.0, -2.0], [0.5, 0.0]], [[1.0], [2.0]]], ax=ax),
    "network": lambda ax=None: plots.network([("class", "color")], ax=ax),
    "partition": lambda ax=None: plots.partition(
        [plots.Region((-np.inf, np.inf), (-np.inf, np.inf), "a")], [[0, 0]], ["a"], ax, classes=["a"]
    ),
    "projection": lambda ax=None: plots.projection(
        [[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]], ["a", "a", "b"], [1.0, -1.0], ax=ax
    ),
    "calibration_maps": lambda ax=None: plots.calibration_maps({"a": [([0.0, 1.0], [0.2, 0.9])]}, ax=ax),
    "kappa_error": lambda ax=None: plots.kappa_error(PAIRS, ax=ax),
    "margin_distribution": lambda ax=None: plots.margin_distribution([0.4, -0.1], ax=ax),
    "staged_error": lambda ax=None: plots.staged_error([0.4, 0.3], ax=ax),
    "combining": lambda ax=None: plots.combining("computational", ax=ax),
    "class_frequencies": lambda ax=None: plots.class_frequencies([1.0, 2.0], [0, 1], ax=ax),
    "split_gain": lambda ax=None: plots.split_gain([1.5, 2.5], [0.1, 0.5], ax=ax),
    "residuals": lambda ax=None: plots.residuals([1.0, 2.0], [1.5, 2.0], ax=ax),
    "tree": lambda ax=None: plots.tree(
        [plots.TreeBox(("sugar <= 0.126",), children=(1, 2), branches=("yes", "no"))]
        + [plots.TreeBox((answer,), shade=i) for i, answer in enumerate(("unripe", "ripe"))],
        ax=ax,
    ),
    "memberships": lambda ax=None: plots.memberships([[0, 0], [1, 0]], [[0.9, 0.1], [0.2, 0.8]], ax=ax),
    "voronoi": lambda ax=None: plots.voronoi([[0.0, 0.0], [2.0, 0.0]], ax=ax),
    "verdict": lambda ax=None: verdict(some_verdict(), ax=ax),
    "class_plane": lambda ax=None: plots.class_plane([[0.0, 1.0], [2.0, 0.0]], [0, 1], ["a", "b"], ax=ax),
    "coefficients": lambda ax=None: plots.coefficients([2.0, -1.0], ["size", "mass"], ax=ax),
    "contributions": lambda ax=None: plots.contributions([[0.1, -2.0]], ["size", "mass"], ax=ax),
    "strips": lambda ax=None: plots.strips([0.9, 0.3], [0, 1], ["a", "b"], ax=ax, wrong=[False, True]),
    "constrained": lambda ax=None: plots.constrained(np.sum, np.prod, [0, 1], (-1, 1), (-1, 2), ax=ax),
    "constraint_planes": lambda ax=None: plots.constraint_planes([[0, 0, 1], [1, 0, 0]], [0, 0], ax=ax),
    "descent": lambda ax=None: plots.descent(np.square, [1.0, 0.5], ax=ax),
    "distance_contours": lambda ax=None: plots.distance_contours({"L1": "manhattan"}, ax=ax),
    "estimator_density": lambda ax=None: plots.estimator_density([0.0], 1.0, 1.6, ax=ax),
    "feature_space": lambda ax=None: plots.feature_space([[0, 0, 1], [1, 0, 0]], ["a", "b"], ax=ax),
    "flow": lambda ax=None: plots.flow({"data": (0, 0), "model": (1, 0)}, [("data", "model")], ax=ax),
    "hypercube": lambda ax=None: plots.hypercube(["111"], ["000"], ax=ax),
    "layered_graph": lambda ax=None: plots.layered_graph([["x1", "x2"], ["y"]], ax=ax),
    "line_regions": lambda ax=None: plots.line_regions([[1, 1]], [0.5], (0, 1), (0, 1), ax=ax),
    "neuron": lambda ax=None: plots.neuron(["x"], ["w"], np.tanh, ax=ax),
    "pairs": lambda ax=None: plots.pairs([1.0, 2.0], [1.5, 2.0], ax=ax),
    "parabola": lambda ax=None: plots.parabola(np.exp, [1.0, 1.0, 1.0], 0.0, ax=ax),
    "pendulum": lambda ax=None: plots.pendulum(ax=ax),
    "resamples": lambda ax=None: plots.resamples([[1, 1], [2, 0]], ax=ax),
    "surface": lambda ax=None: plots.surface(np.add, (0, 1), (0, 1), ax),
    "tangents": lambda ax=None: plots.tangents(np.square, [1.0, 0.5], ax=ax),
    "thresholds": lambda ax=None: plots.thresholds([[0, 0], [1, 2]], ["a", "b"], 0, ax=ax),
    "turned_axes": lambda ax=None: plots.turned_axes([[1, 0]], [0, 0], np.eye(2), [1.0, 0.5], ax=ax),
    "weighted_points": lambda ax=None: plots.weighted_points([[0, 0], [1, 2]], ["a", "b"], [1, 2], ax=ax),
}
IN_SPACE = {"constraint_planes", "feature_space", "hypercube", "surface"}  # need three dimensions
PARTS = {"lettered", "side_by_side"}  # of pictures: they draw nothing themselves


def run(code):
    """Exit status of a fresh interpreter that sees the package under test."""
    path = str(Path(plots.__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", code], check=False, env={**os.environ, "PYTHONPATH": path}
    ).returncode


def test_every_picture_is_listed_here():
    assert set(PICTURES) == {name for name in plots.__all__ if name[0].islower()} - PARTS


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_a_figure_of_its_own_that_can_be_saved(name):
    first, second = PICTURES[name](), PICTURES[name]()
    assert first.figure is not second.figure
    assert first.figure.axes == [first]
    for kind in ("png", "svg", "pdf"):
        file = BytesIO()
        first.figure.savefig(file, format=kind)
        assert file.tell() > 1000


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_drawn_on_pyplots_axes(name):
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, subplot_kw={"projection": "3d"} if name in IN_SPACE else None)
    assert PICTURES[name](ax=right) is right
    assert not left.has_data()
    plt.close(figure)


def test_matplotlib_is_imported_with_the_first_picture_and_pyplot_never():
    assert run("import sys, hornbook.plots; sys.exit('matplotlib' in sys.modules)") == 0
    drawn = "import sys, hornbook.plots as p; p.histogram([1.0, 2.0]).figure.canvas.draw(); "
    assert run(drawn + "sys.exit('matplotlib.pyplot' in sys.modules)") == 0
    assert run(drawn + "sys.exit('matplotlib.figure' not in sys.modules)") == 0


@pytest.mark.parametrize("count", [2, 9, 26])
def test_up_to_26_classes_have_a_color_of_their_own(count):
    assert len({look.color for look in class_styles(count)}) == count
    assert not any(look.grouped for look in class_styles(count))


def test_classes_beyond_the_palette_share_one_look_that_no_other_has():
    looks = class_styles(40)
    assert len({look.color for look in looks[:25]} - {GRAY}) == 25
    assert {(look.color, look.grouped) for look in looks[25:]} == {(GRAY, True)}


# what is left of linear red, green and blue without the long, middle or short cones (Machado et al. 2009)
VISIONS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(linear):
    """CIE L*a*b* of linear sRGB, in which 2.3 is a difference one just notices."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = np.clip(linear, 0, 1) @ to_xyz.T / to_xyz.sum(axis=1)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29).T
    return np.column_stack([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISIONS)
def test_any_two_colors_are_far_apart_for_every_kind_of_color_vision(vision):
    rgb = np.array([to_rgb(color(i)) for i in range(26)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = lab(linear @ np.transpose(VISIONS[vision]))
    far = np.linalg.norm(seen[:, None] - seen[None], axis=2)
    assert far[:8, :8][np.triu_indices(8, 1)].min() > 15
    assert far[np.triu_indices(26, 1)].min() > (22 if vision == "normal" else 13)
