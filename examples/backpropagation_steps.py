"""Backpropagation step by step: forward pass, deltas and changes of weights for one example at a time."""

# %%
from __future__ import annotations

import warnings

from sklearn.exceptions import ConvergenceWarning

from hornbook import MLPClassifier

X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
network = MLPClassifier(
    (2,),
    activation="logistic",
    loss="squared_error",
    reduction="sum",
    penalty=None,
    solver="sgd",
    batch_size=1,
    momentum=0.0,
    shuffle=False,
    learning_rate_init=2.0,
    initialization="uniform",
    max_iter=1,
    warm_start=True,
    random_state=1,
)
warnings.simplefilter("ignore", ConvergenceWarning)  # one epoch at a time is too few, on purpose

# %% One epoch in pattern mode: every example changes the weights at once
network.fit(X, y)
for row, label in zip(X, y, strict=True):
    print(f"\nexample {row}, target {label}")
    print(network.working(row, y=label))

# %% The loss over many epochs
for epoch in range(2, 2001):
    network.fit(X, y)
    if epoch in (10, 100, 500, 1000, 2000):
        print(f"epoch {epoch}: loss {network.loss_:.4f}, predictions {network.predict(X).tolist()}")
