"""Bagging, forests and boosting on the spam table: error by number of trees.

Out-of-bag and test error of a random forest, four ensembles side by side, and forest against boosting for
numbers. The spam table is the real one. California housing is not bundled: the second part draws a table of
its shape (place, age, rooms, income; a median value that is cut off at the top) and says so.
"""

# %%
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gallery.housing_table import housing
from hornbook import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    datasets,
)
from hornbook.params import Floats

TREES = 200
SHOWN = [1, 10, 50, 100, 200]

spam = datasets.spam()
order = np.random.default_rng(0).permutation(len(spam))
train, test = spam[order[:3065]], spam[order[3065:]]  # two thirds, one third


def show(name: str, errors: Sequence[float] | Floats) -> None:
    """Print the error of the first so many trees."""
    print(f"{name:<28}" + "".join(f"{errors[n - 1]:9.4f}" for n in SHOWN))


# %% Spam: out-of-bag and test error of a random forest, then four ensembles
print(f"{'Spam, error rate':28}" + "".join(f"{n:>9}" for n in SHOWN) + "  trees")
forest = RandomForestClassifier(TREES, oob_score=True, random_state=0).fit(train)
show("random forest, out of bag", forest.oob_errors_)
show("random forest, test", forest.staged_errors(test))
bagging = RandomForestClassifier(TREES, max_features=None, random_state=0).fit(
    train
)  # all columns in every node
show("bagging, test", bagging.staged_errors(test))
extra = ExtraTreesClassifier(TREES, random_state=0).fit(train)
show("extra-trees, test", extra.staged_errors(test))
boosting = GradientBoostingClassifier(n_estimators=TREES, learning_rate=0.3).fit(train)
stages = boosting.staged_predict(test.features)
show("gradient boosting, test", [np.mean(answers != test.y) for answers in stages])


# %% Housing: numbers
print("\nHousing (a drawn table of the shape of California's), mean absolute error")
X, y = housing(3000, 0)
later, truth = housing(3000, 1)
numbers = RandomForestRegressor(TREES, max_features="third", random_state=0).fit(X, y)
sums = np.cumsum(numbers.tree_answers(later), axis=0) / np.arange(1, TREES + 1)[:, None]
show("random forest, test", np.abs(sums - truth).mean(axis=1))
for depth in (3, 4):
    model = GradientBoostingRegressor(n_estimators=TREES, max_depth=depth).fit(X, y)
    show(f"boosting, depth {depth}, test", [np.abs(p - truth).mean() for p in model.staged_predict(later)])
