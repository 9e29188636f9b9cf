"""Names in pictures: nothing lost, nothing beyond the figure, nothing on top of each other."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.plots.layout import complaints, legend_complaints

from hornbook import Frame, evaluation, plots
from hornbook.losses import HingeLoss
from hornbook.plots.canvas._text import cut, name_text, shortened, wrapped

LONG = "a rather long name that somebody gave to a class or column"
NAMES = {
    "short": [f"class {i}" for i in range(40)],
    "long": [f"{LONG} {i}" for i in range(40)],
    "odd": [
        f"{name}{i}"
        for i in range(4)
        for name in ["中文", "Ελλάς", "a\x07\x1b[31m", "$x^2$_{", "_b", "tab\t", "\n", "ü", "日本", ""]
    ],
}
DRAW = np.random.default_rng(0)


def test_what_cannot_be_printed_is_written_as_its_code():
    assert name_text("a\x07b\n\x1b[31m") == r"a\x07b\n\x1b[31m"
    assert name_text("Ελλάς größe") == "Ελλάς größe"
    assert name_text("\ud800") == r"\ud800"
    assert name_text("") == "''"


def test_a_letter_without_a_font_is_written_as_its_code():
    assert name_text("a\U000f0000") == r"a\U000f0000"


def test_names_are_cut_in_the_middle_and_only_as_far_as_they_stay_different():
    assert cut("abcdefghij", 7) == "abc…hij"
    alike = ["left-part-one-right", "left-part-two-right", "short"]
    shown = shortened(alike, 9)
    assert len(set(shown)) == 3
    assert shown[2] == "short"


def test_a_broken_name_keeps_all_its_letters():
    text = "average_number_of_visits_per_month_and_customer"
    assert wrapped(text, 20).replace("\n", "") == text
    assert max(map(len, wrapped(text, 20).split("\n"))) <= 20
    assert wrapped("two words", 20) == "two words"


def shared(names):
    data = Frame({name: DRAW.normal(size=9) for name in names})
    return evaluation.Contributions(DRAW.normal(size=(9, len(names))), np.float64(0.5), data)


PICTURES = {
    "beeswarm": lambda names, ax: plots.beeswarm(shared(names), ax),
    "waterfall": lambda names, ax: plots.waterfall(shared(names), 3, ax),
    "bars": lambda names, ax: plots.bars(np.arange(len(names)) + 1.0, names, ax),
    "importance": lambda names, ax: plots.importance(np.arange(len(names)) + 1.0, names, ax=ax),
    "strips": lambda names, ax: plots.strips(DRAW.random(80), np.arange(80) % len(names), names, ax),
    "coefficients": lambda names, ax: plots.coefficients(
        DRAW.normal(size=(len(names), 3)), names[:3], ax, classes=names
    ),
    "contributions": lambda names, ax: plots.contributions(DRAW.normal(size=(9, len(names))), names, ax),
    "class_plane": lambda names, ax: plots.class_plane(
        DRAW.normal(size=(80, 2)), np.arange(80) % len(names), names, ax
    ),
    "code_matrix": lambda names, ax: plots.code_matrix(np.ones((len(names), 8)), names, ax),
    "class_densities": lambda names, ax: plots.class_densities(
        [
            plots.Panel(names[0], names, {name: DRAW.random(len(names)) for name in names}, "bars"),
            plots.Panel(names[1], [0.0, 1.0, 2.0], {name: DRAW.random(3) for name in names}),
        ],
        ax,
    ),
    "network": lambda names, ax: plots.network([(names[0], name) for name in names[1:]], ax=ax),
    "ellipses": lambda names, ax: plots.ellipses(
        DRAW.normal(size=(len(names), 2)), np.ones((len(names), 2)), names, ax=ax
    ),
    "voronoi": lambda names, ax: plots.voronoi(
        DRAW.normal(size=(3, 2)),
        DRAW.normal(size=(80, 2)),
        classes=np.array(names, dtype=object)[np.arange(80) % len(names)],
        ax=ax,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("picture", PICTURES)
def test_forty_names_of_any_kind_are_readable(picture, kind):
    ax = PICTURES[picture](NAMES[kind], None)
    assert complaints(plots.lettered(ax)) == []


@pytest.mark.parametrize("count", [2, 9])
def test_a_legend_finds_room_on_an_axes_of_somebody_else(count):
    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    PICTURES["class_plane"]([f"class {i}" for i in range(count)], left)
    right.plot([0, 1])
    assert complaints(left) == []
    assert not left.get_legend().get_window_extent().overlaps(right.get_window_extent())


def test_a_legend_names_all_classes_in_full_and_shows_each_color_once():
    names = NAMES["long"][:26]
    ax = PICTURES["class_plane"](names, None)
    legend = ax.get_legend()
    assert [text.get_text().replace("\n", " ") for text in legend.get_texts()] == names
    assert len({handle.get_color() for handle in legend.get_lines()}) == 26


def test_a_name_that_begins_with_an_underscore_is_in_the_legend():
    ax = PICTURES["class_plane"](["_a", "b"], None)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["_a", "b"]


TRUTH = np.arange(30) % 2


def scores(i):
    return np.clip(0.1 * (i % 5) * TRUTH + 0.5 * DRAW.random(30), 0, 1)


CURVES = {
    "roc": lambda names, ax: plots.roc(
        {name: evaluation.roc_curve(TRUTH, scores(i)) for i, name in enumerate(names)}, ax=ax
    ),
    "precision_recall": lambda names, ax: plots.precision_recall(
        {name: evaluation.pr_curve(TRUTH, scores(i)) for i, name in enumerate(names)}, ax=ax
    ),
    "cost_curve": lambda names, ax: plots.cost_curve(
        {name: evaluation.cost_curve(TRUTH, scores(i)) for i, name in enumerate(names)}, ax=ax
    ),
    "calibration": lambda names, ax: plots.calibration(
        {name: evaluation.calibration_curve(TRUTH, scores(i), bins=2) for i, name in enumerate(names)}, ax=ax
    ),
    "margin_distribution": lambda names, ax: plots.margin_distribution(
        {name: DRAW.random(9) for name in names}, ax=ax
    ),
    "staged_error": lambda names, ax: plots.staged_error({name: DRAW.random(9) for name in names}, ax=ax),
    "capacity": lambda names, ax: plots.capacity(np.arange(5.0), dict.fromkeys(names, np.ones(5)), ax=ax),
    "loss_functions": lambda names, ax: plots.loss_functions(dict.fromkeys(names, HingeLoss()), ax),
}


@pytest.mark.parametrize("picture", CURVES)
def test_twenty_curves_with_long_names_are_named_in_full_beside_the_picture(picture):
    names = NAMES["long"][:20]
    ax = CURVES[picture](names, None)
    assert complaints(ax) == []
    assert legend_complaints(ax) == []
    shown = [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]
    assert all(text.startswith(name) for text, name in zip(shown, names, strict=True))


@pytest.mark.parametrize("picture", ["roc", "staged_error"])
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_twenty_curves_find_room_on_an_axes_of_somebody_else(picture, layout):
    ax = CURVES[picture](NAMES["long"][:20], Figure(figsize=(6.4, 4.8), layout=layout).add_subplot())
    assert complaints(ax) == []
    assert legend_complaints(ax) == []
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(set(shown)) == 20
    assert all("…" in text for text in shown)  # there is no room for all of it, and that is visible
    assert picture != "roc" or all("(area " in text for text in shown)


def test_a_curve_whose_name_begins_with_an_underscore_is_in_the_legend():
    ax = CURVES["staged_error"](["_a", "b"], None)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["_a", "b"]


@pytest.mark.parametrize("values", [(1, 2, 3), ("entropy", "gini", "error rate", "none")])
def test_scores_over_values_leave_room_for_their_legend(values):
    scores = DRAW.random((len(values), 4))
    curve = evaluation.ValidationCurve("depth", values, scores, scores, "error_rate", greater_is_better=False)
    assert complaints(plots.validation_curve(curve)) == []
    own = plots.validation_curve(curve, ax=Figure(figsize=(6.4, 4.8)).add_subplot())
    assert complaints(own) == []
