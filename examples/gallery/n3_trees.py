"""Figures of note N3: decision trees, combined classifiers and boosting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gallery import figure, panels
from hornbook import (
    AdaBoostClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    Frame,
    ObliqueTreeClassifier,
    datasets,
    plots,
)
from hornbook.params import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ITERATIONS = (5, 40, 200, 1000)


def side_by_side(wide: tuple[float, float]) -> tuple[Figure, Axes, Axes]:
    """A figure of two panels, with these shares of the width."""
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    sheet = Figure(figsize=(15.0, 4.8), layout="constrained")
    grid = sheet.add_gridspec(1, 2, width_ratios=wide)
    return sheet, sheet.add_subplot(grid[0]), sheet.add_subplot(grid[1])


def entropy_tree(**settings: int) -> DecisionTreeClassifier:
    """A tree as in the notes: by entropy."""
    return DecisionTreeClassifier(criterion="entropy", **settings)


@figure("N3/f27", "An axis-parallel partition of the plane and its tree")
def partition_and_tree() -> Figure:
    iris = datasets.iris()
    data = iris.select(iris.features.schema.names[2:])
    model = entropy_tree(max_depth=2).fit(data, iris.y)
    sheet, left, right = side_by_side((1.0, 1.4))
    model.plot_partition(data, iris.y, ax=left)
    model.plot(ax=right)
    return sheet


def diagonal(n: int = 60) -> Frame:
    """Points on both sides of a diagonal line."""
    points = np.random.default_rng(4).uniform(0.0, 1.0, (n, 2))
    above = points[:, 1] > 0.15 + 0.75 * points[:, 0]
    columns = {"x1": points[:, 0], "x2": points[:, 1]}
    return Frame({**columns, "class": np.where(above, "A", "B").astype(object)}, target="class")


@figure("N3/f28", "Axis-parallel and oblique tree of the same points with their regions (generated)")
def two_kinds_of_trees() -> Figure:
    data = diagonal()
    straight, oblique = entropy_tree().fit(data), ObliqueTreeClassifier().fit(data)
    sheet, places = panels(3, 2, size=(4.8, 4.6))
    # The large tree has the upper row alone.
    wide = sheet.add_gridspec(2, 3)
    places[0].set_subplotspec(wide[0, :])
    places[1].remove()
    places[2].remove()
    straight.plot(ax=places[0])
    straight.plot_partition(data, ax=places[3])
    oblique.plot(ax=places[4])
    plots.boundaries([], data.features, data.y, places[5], bold=oblique)
    return sheet


def melon_tree(moved: float | None = None) -> Figure:
    """The tree of density and sugar with entropies at its nodes, and its partition."""
    melons = datasets.watermelon("3.0a")
    X = melons.features.matrix.copy()
    if moved is not None:
        X[14, 0] = moved  # the density of melon 15, now as that of ripe ones
    names = melons.features.schema.names
    table = Frame({name: X[:, j] for j, name in enumerate(names)})
    model = entropy_tree().fit(table, melons.y)
    sheet, left, right = side_by_side((1.9, 1.0))
    model.plot(ax=left)
    model.plot_partition(table, melons.y, ax=right)
    return sheet


@figure("N3/f29", "A tree with the entropy at its nodes, 0 at the leaves, and its partition of the plane")
def entropies() -> Figure:
    return melon_tree()


@figure("N3/f30", "Instability: another tree after one point was moved")
def moved_point() -> Figure:
    return melon_tree(moved=0.55)


@figure("N3/f31", "Play tennis: what one split by each column leaves of the 9 days with play and 5 without")
def one_level_splits() -> Figure:
    days = datasets.play_tennis("mitchell")
    sheet, places = panels(2, 2, size=(5.0, 3.2))
    for column, ax in zip(days.features.schema.names, places, strict=True):
        stump = entropy_tree(splits="multiway", max_depth=1).fit(days.select([column]), days.y)
        stump.plot(ax=ax)
        gain = float(stump.nodes_.gain[0])
        ax.set_title(f"{column}: gain {gain:.3f}")
    return sheet


@figure("N3/f32", "Play tennis: the complete tree")
def tennis_tree() -> Figure:
    return entropy_tree(splits="multiway").fit(datasets.play_tennis("mitchell")).plot().figure


@figure("N3/f33", "L classifiers and a combiner")
def combiner() -> Figure:
    members = {"classifier 1": (1, 0), "classifier 2": (1, 1), "⋮": (1, 2), "classifier L": (1, 3)}
    boxes = {"pattern x": (0, 1.5), **members, "combiner": (2, 1.5), "class of x": (3, 1.5)}
    own = [name for name in members if name != "⋮"]
    arrows = [("pattern x", name) for name in own] + [(name, "combiner") for name in own]
    return plots.flow(
        boxes, [*arrows, ("combiner", "class of x")], plain=["pattern x", "⋮", "class of x"]
    ).figure


def random_stumps(n: int) -> AdaBoostClassifier:
    """AdaBoost with stumps on a random column each, fitted to two normal classes of 20 columns."""
    stump = DecisionStump(criterion="misclassification", max_features=1)
    model = AdaBoostClassifier(stump, n_estimators=n, variant="discrete", random_state=0)
    return model.fit(datasets.gaussians("twenty", random_state=0))


@figure("N3/f34", "AdaBoost with random stumps: training and test error by number of terms")
def boosting_errors() -> Figure:
    model = random_stumps(2000)
    train = datasets.gaussians("twenty", random_state=0)
    test = datasets.gaussians("twenty", n=400, random_state=1000)
    errors = {"training": model.staged_errors(train), "test": model.staged_errors(test)}
    return plots.staged_error(errors, members="terms").figure


@figure(
    "N3/f35",
    "AdaBoost with random stumps: margins of the training rows after 5, 40, 200 and 1,000 iterations",
)
def boosting_margins() -> Figure:
    data = datasets.gaussians("twenty", random_state=0)
    margins: dict[str, Floats] = {f"{n} iterations": random_stumps(n).margins(data) for n in ITERATIONS}
    return plots.margin_distribution(margins).figure
