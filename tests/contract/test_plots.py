"""Every learner draws itself, and draws rows that it is given: with gaps, text, one row, many names."""

from __future__ import annotations

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from tests.contract.learners import instances, mixed_table, target_for
from tests.plots.layout import complaints

from hornbook.registry import LEARNERS

pytestmark = pytest.mark.filterwarnings("ignore:no conjunction covers all rows:UserWarning")


def _defaults():
    """One of each registered learner that draws."""
    first = {}
    for learner in instances():
        if hasattr(learner, "plot"):
            first.setdefault(type(learner).__name__, learner)
    assert set(LEARNERS) - set(first) == {"Encoder"}
    return list(first.values())


def _picture(model, *rows):
    """The pixels of a picture, drawn without a warning; nothing in it is cut off or overlaps."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = model.plot(*rows)
    assert complaints(ax) == []
    return np.asarray(ax.get_figure(root=True).canvas.buffer_rgba())


def _same(one, other):
    return one.shape == other.shape and bool((one == other).all())


every = pytest.mark.parametrize("learner", _defaults(), ids=lambda learner: type(learner).__name__)


@every
def test_every_learner_draws_itself_and_its_rows_without_a_warning(learner):
    X, group = mixed_table(40)
    y = target_for(learner, group)
    model = clone(learner).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in ((), (X, y)):
            figure = model.plot(*rows).get_figure(root=True)
            assert figure.axes
            plt.close(figure)


@pytest.mark.slow
@every
def test_rows_change_the_picture_even_with_gaps_text_and_only_one_of_them(learner):
    X, group = mixed_table(40)
    y = target_for(learner, group)
    assert X.isna().to_numpy().any()
    model = clone(learner).fit(X, y)
    alone, with_rows = _picture(model), _picture(model, X, y)
    assert not _same(alone, with_rows)
    assert not _same(with_rows, _picture(model, X.iloc[:20], y[:20]))  # it is these rows that are drawn
    assert not _same(alone, _picture(model, X.iloc[:1], y[:1]))


# One of each family of pictures.
FAMILIES = [
    "BayesianNetwork",
    "DecisionTreeClassifier",
    "GaussianMixture",
    "KMeans",
    "KNeighborsClassifier",
    "LinearDiscriminant",
    "LogisticRegression",
    "Memorizer",
    "NaiveBayes",
    "OneVsRest",
    "ObliqueTreeClassifier",
    "RandomForestClassifier",
    "Ridge",
    "Scaled",
]
LONG = "a rather long name that somebody gave to a class or column"


def _hard_table(kind):
    """A table with many or strange names: features, hidden groups and the names of the groups."""
    draw = np.random.default_rng(0)
    if kind == "100 columns":
        group = draw.integers(0, 2, 80)
        table = {f"column number {j}": draw.normal(group * (j % 7) / 7, 1.0) for j in range(100)}
        return pd.DataFrame(table), group, ["no", "yes"]
    names, columns = {
        "26 classes": ([f"class {i}" for i in range(26)], ["size", "mass", "city"]),
        "long": ([f"{LONG} {i}" for i in range(9)], [f"{LONG} {i}" for i in range(3)]),
        "odd": (
            ["中文", "Ελλάς", "a\x07\x1b[31m", "$x^2$_{", "_b", "tab\t", "\n", "日本", "ü"],
            ["größe\x00", "質量", "$\\alpha$"],
        ),
    }[kind]
    group = np.arange(120) % len(names)
    levels = np.array([f"{names[i % len(names)]} {i}" for i in range(40)], dtype=object)
    table = pd.DataFrame(
        {
            columns[0]: draw.normal(group % 5, 1.0),
            columns[1]: draw.normal(group // 5, 1.0),
            columns[2]: levels[(group + draw.integers(0, 15, 120)) % 40],
        }
    )
    table.iloc[:9, 0] = np.nan
    table.iloc[5:12, 2] = None
    return table, group, names


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["26 classes", "long", "odd", "100 columns"])
@pytest.mark.parametrize("name", FAMILIES)
def test_many_and_strange_names_can_be_read(name, kind):
    (learner,) = [learner for learner in _defaults() if type(learner).__name__ == name]
    X, group, names = _hard_table(kind)
    y = target_for(learner, group % 3) if is_regressor(learner) else np.array(names, dtype=object)[group]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class of few rows is not what is tested
        model = clone(learner).fit(X, y)
    assert not _same(_picture(model), _picture(model, X, y))


def test_points_that_lack_a_value_are_counted_above_the_plane():
    X, group = mixed_table(40)
    plane = X[["size", "mass"]]
    lacking = int(plane.isna().any(axis=1).sum())
    for learner in _defaults():
        name = type(learner).__name__
        if name not in {"LogisticRegression", "KNeighborsClassifier", "NaiveBayes", "OneVsRest", "KMeans"}:
            continue
        y = target_for(learner, group)
        ax = clone(learner).fit(plane, y).plot(plane, y)
        titles = {ax.get_title(loc="right"), ax.get_title(loc="left")}
        if name == "KMeans":  # it makes numbers of gaps
            assert complaints(ax) == []
        else:
            assert f"{lacking} of 40 rows have missing values" in titles, name


def test_a_target_needs_rows_and_a_class_that_the_model_knows():
    from hornbook import NaiveBayes

    model = NaiveBayes().fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(ValueError, match="y was given without X"):
        model.plot(y=["a"])
    with pytest.raises(ValueError, match="y has the class 'c', which the model does not know"):
        model.plot([[0.0]], ["c"])
    with pytest.raises(ValueError, match="X has 1 rows and y has 2"):
        model.plot([[0.0]], ["a", "b"])
