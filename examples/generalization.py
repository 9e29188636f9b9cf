"""Generalization: too many hidden units fit the noise of the training rows."""

# %%
from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook import MLPRegressor

warnings.simplefilter("ignore", ConvergenceWarning)
draw = np.random.default_rng(0)
x = np.linspace(-2.0, 2.0, 21)[:, None]
y = 1.0 + np.sin(np.pi / 2.0 * x[:, 0]) + 0.2 * draw.normal(size=21)
between = np.linspace(-2.0, 2.0, 401)[:, None]
truth = 1.0 + np.sin(np.pi / 2.0 * between[:, 0])


def errors(units: int, **settings: float) -> tuple[float, float]:
    """Root mean squared errors on the noisy rows, and from the function itself."""
    options = {"activation": "tanh", "solver": "lbfgs", "max_iter": 2000, "tol": 1e-6, "random_state": 0}
    model = MLPRegressor((units,), **(options | {"alpha": 0.0} | settings)).fit(x, y)
    fitted = np.sqrt(np.mean((model.predict(x) - y) ** 2))
    return float(fitted), float(np.sqrt(np.mean((model.predict(between) - truth) ** 2)))


# %% More units always fit the rows better, but not the function behind them
for n_units in (1, 2, 3, 5, 9, 20):
    training, other = errors(n_units)
    print(f"{n_units:>3} hidden units: training error {training:.3f}, error from the function {other:.3f}")

# %% A penalty on the weights keeps the large network smooth
training, other = errors(20, alpha=0.01)
print(f" 20 hidden units, alpha = 0.01: training error {training:.3f}, error from the function {other:.3f}")
