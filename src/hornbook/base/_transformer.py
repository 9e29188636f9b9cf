"""Learners that turn a table into another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from hornbook._scikit import TransformerMixin, available_if
from hornbook.base._learner import Learner, has_hook
from hornbook.frame import partition_answers
from hornbook.params import Floats

__all__ = ["Transformer"]


class Transformer(TransformerMixin, Learner):
    """Base of transformers; the hook ``_transform(X)`` gives the new table.

    The hook ``_n_new_columns()`` says how many columns that table has; they are named after the learner and
    numbered.
    """

    supervised: ClassVar[bool] = False
    _n_new_columns: Callable[[], int]

    def transform(self, X: Any) -> Floats:
        """Transform each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        table : ndarray of shape (n_rows, n_new_columns)
            The new rows; a DataFrame after ``set_output``.
        """
        if (answers := partition_answers(self, "transform", X)) is not None:
            return answers
        # Chunk by chunk, because the dense form of all rows might not fit into memory.
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(lambda rows: self._transform(self._prepared(rows)), X)
        return self._transform(self._prepared(X))

    @available_if(has_hook("_n_new_columns"))
    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002 - as in pipelines
        """Name the columns that `transform` gives.

        Parameters
        ----------
        input_features : array-like of str, optional
            Not used; here because pipelines pass it.

        Returns
        -------
        names : ndarray of shape (n_new_columns,)
            The name of the learner in small letters and the number of the column, from 0.
        """
        check_is_fitted(self)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(self._n_new_columns())], dtype=object)
