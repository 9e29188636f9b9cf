"""Points in mixed colors, and the pictures of fuzzy clusters."""

from __future__ import annotations

import numpy as np
import pytest
from tests.plots.layout import complaints

from hornbook import FuzzyCMeans, GustafsonKessel, datasets, plots


def test_colors_are_mixed_and_noise_is_pale():
    ax = plots.memberships([[0, 0], [1, 0], [2, 0], [3, 0]], [[1, 0], [0.5, 0.5], [0, 0], [1, 1]])
    first, shared, none, both = ax.collections[0].get_facecolor()[:, :3]
    np.testing.assert_allclose(shared, both)
    assert none.min() > 0.8
    assert not np.allclose(first, shared)
    assert len(ax.lines) == 0


def test_classes_have_markers_and_centers_crosses():
    ax = plots.memberships(
        [[0, 0], [1, 0], [2, 0]], [[1, 0], [0, 1], [0, 1]], [[0, 0], [1.5, 0]], classes=["a", "b", "b"]
    )
    assert [len(points.get_offsets()) for points in ax.collections] == [1, 2]
    assert len(ax.lines) == 4


def test_fuzzy_clusters_draw_themselves():
    petals, iris = datasets.iris().numbers[:, 2:], datasets.iris()
    ax = GustafsonKessel(3, random_state=0).fit(petals).plot(petals)
    assert len(ax.patches) == 3
    assert complaints(ax) == []
    ax = FuzzyCMeans(3, random_state=0).fit(iris).plot(iris, iris.y)
    assert ax.get_xlabel() == "direction of largest variance"
    assert not ax.patches
    one = FuzzyCMeans(2, random_state=0, kind="noise", noise_distance=2.0).fit([[0.0], [1.0], [5.0], [6.0]])
    assert one.plot([[0.0], [1.0], [None]]).get_title(loc="right") == "1 of 3 rows have missing values"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[0.0]], [[1.0]]), {}, r"'X' must be finite numbers of shape \(n, 2\)"),
        (([[0.0, np.nan]], [[1.0]]), {}, "'X' must be finite numbers"),
        (([[0.0, 0.0]], [[2.0]]), {}, "'degrees' must be numbers from 0 to 1"),
        (([[0.0, 0.0]], [[1.0], [1.0]]), {}, "one row for each of the 1 points"),
        (([[0.0, 0.0]], [[1.0]], [[0.0]]), {}, r"'centers' must have shape \(1, 2\)"),
        (([[0.0, 0.0]], [[1.0]]), {"classes": ["a", "b"]}, "'classes' must have one entry for each of the 1"),
    ],
)
def test_what_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        plots.memberships(*arguments, **options)
