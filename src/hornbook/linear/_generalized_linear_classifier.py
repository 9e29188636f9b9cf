"""Generalized linear classifier: a linear boundary among functions of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.linear.features._functions import FUNCTIONS, POWERS
from hornbook.linear.features._mapped import Mapped
from hornbook.params import Floats, suggest

__all__ = ["GeneralizedLinearClassifier"]


class GeneralizedLinearClassifier(Mapped, Classifier):
    """Generalized linear classifier: a linear classifier on functions of the columns.

    A row x becomes f1(x), ..., fk(x), and the boundary is where w0 + w1 f1(x) + ... + wk fk(x) changes its
    sign. It is a network with one hidden layer of fixed units and a linear output.

    Time and memory grow with rows x functions; a category counts as many columns as it has levels.

    Parameters
    ----------
    functions : sequence of str or callable, default ("identity", "products")
        A name applies a function to every column: ``"identity"``, ``"square"``, ``"cube"``, ``"abs"``,
        ``"sqrt"``, ``"log"``, ``"exp"``, ``"sin"``, ``"cos"``, ``"tanh"``, or ``"products"`` of every two
        columns. A callable gets the matrix of encoded columns and returns one value, or a row of values, for
        each row. Models with callables cannot be saved to a model file.
    estimator : classifier, optional
        The classifier on the functions; `LogisticRegression` when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    estimator_ : classifier
        The fitted classifier on the functions.
    map_names_ : ndarray of shape (n_functions,)
        Names of the functions' values.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    PolynomialClassifier : A linear classifier over products of columns.
    LogisticRegression : Linear log odds of the classes.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import GeneralizedLinearClassifier, Perceptron
    >>> def near(center):
    ...     return lambda X: np.exp(-((X - center) ** 2).sum(axis=1))
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["B", "A", "A", "B"]
    >>> model = GeneralizedLinearClassifier(functions=[near(1), near(0)], estimator=Perceptron())
    >>> model.fit(X, y).predict(X).tolist()
    ['B', 'A', 'A', 'B']
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts()
    scale_sensitive: ClassVar[bool] = True

    model_class = "linear function of given functions of the columns"
    objective = "that of the classifier on the functions"
    optimizer = "that of the classifier on the functions"

    def __init__(
        self,
        *,
        functions: Sequence[Any] = ("identity", "products"),
        estimator: Any = None,
    ) -> None:
        self.functions = functions
        self.estimator = estimator

    def _fit(self, X: Floats, y: Any, w: Floats | None) -> None:
        self._check_functions()
        # Names need the number of columns that each function returns, so it is called once here.
        parts = [self._values(i, X) for i in range(len(self.functions))]
        names = [name for i, part in enumerate(parts) for name in self._names(i, part.shape[1])]
        if not names:
            raise ValueError(
                "GeneralizedLinearClassifier: parameter 'functions' makes no columns of these: "
                "name at least one more function."
            )
        self.map_names_ = np.array(names, dtype=object)
        super()._fit(X, y, w)

    def _check_functions(self) -> None:
        for function in self.functions:
            if not callable(function) and function not in FUNCTIONS:
                hint = suggest(function, FUNCTIONS) if isinstance(function, str) else ""
                raise ValueError(
                    f"GeneralizedLinearClassifier: parameter 'functions' must hold callables or names from "
                    f"{', '.join(FUNCTIONS)}; got {function!r}.{hint}"
                )

    def _values(self, i: int, X: Floats) -> Floats:
        """What one function makes of the columns."""
        function = self.functions[i]
        # Warnings of NumPy name no row; the check below does.
        with np.errstate(all="ignore"):
            made = np.asarray((function if callable(function) else FUNCTIONS[function])(X), dtype=np.float64)
        made = made[:, None] if made.ndim == 1 else made
        if made.ndim != 2 or len(made) != len(X):
            raise ValueError(
                f"GeneralizedLinearClassifier: function {self._called(i)} must return one value or one row "
                f"of values for each of the {len(X)} rows; got shape {made.shape}."
            )
        wrong = ~np.isfinite(made)
        if wrong.any():
            row = int(np.flatnonzero(wrong.any(axis=1))[0])
            raise ValueError(
                f"GeneralizedLinearClassifier: function {self._called(i)} has no finite value in row {row}; "
                "leave it out, or correct the columns."
            )
        return made

    def _called(self, i: int) -> str:
        function = self.functions[i]
        return function if isinstance(function, str) else f"f{i + 1}"

    def _names(self, i: int, width: int) -> list[str]:
        function, columns = self.functions[i], self.encoded_names_.tolist()
        # Names stand in the order in which the functions return their columns.
        if function == "identity":
            return [str(column) for column in columns]
        if function == "products":
            return [f"{one} {other}" for one, other in combinations(columns, 2)]
        if isinstance(function, str):
            return [f"{function}({column})" for column in columns]
        return [f"f{i + 1}"] if width == 1 else [f"f{i + 1}.{j + 1}" for j in range(width)]

    def _powers(self) -> int:
        return max((POWERS.get(name, 1) for name in self.functions if isinstance(name, str)), default=1)

    def _map(self, X: Floats) -> Floats:
        return np.column_stack([self._values(i, X) for i in range(len(self.functions))])

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Generalized linear classifier on {n} columns"
        return self._mapped_description(title, {"functions": len(self.map_names_)})

    def _working(self, X: Floats) -> Working:
        return self._mapped_working(
            "Generalized linear classifier: terms of the classifier on the functions", X
        )
