"""Learners that turn a table into another one."""

from __future__ import annotations

from typing import Any, ClassVar

from scipy.sparse import issparse
from sklearn.base import TransformerMixin

from hornbook.base._learner import Learner
from hornbook.params import Floats

__all__ = ["Transformer"]


class Transformer(TransformerMixin, Learner):
    """Base of transformers; the hook ``_transform(X)`` gives the new table."""

    supervised: ClassVar[bool] = False

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
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(lambda rows: self._transform(self._prepared(rows)), X)
        return self._transform(self._prepared(X))
