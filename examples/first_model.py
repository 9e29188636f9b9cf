"""A first model: fit naive Bayes on the iris table, look inside it, and follow one prediction."""

# %%
from __future__ import annotations

from hornbook import NaiveBayes, datasets

iris = datasets.iris()
model = NaiveBayes().fit(iris)

# %% What was learned
print(model.describe())

# %% How one prediction comes about
print()
print(model.working(iris.features[100:101]))
