"""Function approximation: how many hidden units a sine of growing frequency needs."""

# %%
from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook import MLPRegressor

warnings.simplefilter("ignore", ConvergenceWarning)
x = np.linspace(-2.0, 2.0, 101)[:, None]

# %% Rows of the table: frequency of the target; columns: hidden units
print("frequency " + "".join(f"{units:>9} units" for units in (1, 2, 4, 8)))
for frequency in (1, 2, 4):
    target = 1.0 + np.sin(frequency * np.pi / 4.0 * x[:, 0])
    errors = []
    for units in (1, 2, 4, 8):
        model = MLPRegressor(
            (units,),
            activation="logistic",
            solver="levenberg_marquardt",
            alpha=0.0,
            max_iter=100,
            restarts=3,
            random_state=0,
        )
        errors.append(np.sqrt(np.mean((model.fit(x, target).predict(x) - target) ** 2)))
    print(f"{frequency:>9} " + "".join(f"{error:>15.4f}" for error in errors))
