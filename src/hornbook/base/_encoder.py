"""Numbers from a table of any kinds of columns."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base._transformer import Transformer
from hornbook.base.intake._accepts import Accepts
from hornbook.base.intake._conversion import Wants
from hornbook.display import Description, Table
from hornbook.frame import Block, Blocks, Encoding, Frame, Statistics, column_statistics
from hornbook.params import Floats, Range

__all__ = ["Encoder", "statistics_of"]


class Encoder(Transformer):
    """Turn numbers, ordered categories and categories into a matrix of numbers.

    A category becomes one 0/1 column for each of its levels, named ``color=green``; an ordered category
    becomes evenly spaced numbers from 0 to 1. Unlike scikit-learn's encoders it takes the whole table at
    once, fills missing cells, and keeps every level (none is dropped as the reference).

    Parameters
    ----------
    scale : {None, "standard", "range"}, default None
        Leave numbers as they are, or give them mean 0 and standard deviation 1 (divisor n), or the range
        0 to 1. Columns of 0 and 1 made from categories are left alone.
    max_categories : int, default 256
        With more levels than this, the rarest share one column ``color=other``.
    missing : {"impute", "indicate", "error"}, default "impute"
        Fill missing numbers with the weighted mean and missing categories with the most frequent one;
        ``"indicate"`` adds a 0/1 column ``age=missing`` for each column with missing cells at fit;
        ``"error"`` refuses them.

    Attributes
    ----------
    encoding_ : Encoding
        What was learned: levels, fill values, centers and spreads.
    encoded_names_ : ndarray of shape (n_new_columns,)
        Names of the new columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    Scaled : A learner on standardized columns.
    PCA : Directions of largest variance.

    Examples
    --------
    >>> from hornbook import Encoder
    >>> encoder = Encoder().fit({"color": ["green", "dark", "green"], "density": [0.2, None, 0.4]})
    >>> encoder.encoded_names_.tolist()
    ['color=dark', 'color=green', 'density']
    >>> encoder.transform({"color": ["dark"], "density": [None]}).round(2).tolist()
    [[1.0, 0.0, 0.3]]
    """

    wants: ClassVar[Wants] = "frame"
    model_class = "one number for each number and ordered category, one indicator for each level"
    objective = "squared error of filled numbers, error rate of filled categories"
    optimizer = "closed form: means and most frequent levels"
    accepts: ClassVar[Accepts] = Accepts()

    encoded_names_: NDArray[Any]

    def __init__(
        self,
        *,
        scale: Literal["standard", "range"] | None = None,
        max_categories: Annotated[int, Range(low=1)] = 256,
        missing: Literal["impute", "indicate", "error"] = "impute",
    ) -> None:
        self.scale = scale
        self.max_categories = max_categories
        self.missing = missing

    def _fit_blocks(self, blocks: Blocks) -> None:
        # One pass gives all that is needed: moments are merged by the formula of Chan, Golub and LeVeque
        # (1983), so that the result is the same in memory, from a file and on a cluster.
        statistics = blocks.reduce(statistics_of, merge=Statistics.merge)
        self.encoding_ = Encoding.from_statistics(
            self.schema_,
            statistics,
            scale=self.scale,
            max_categories=self.max_categories,
            missing=self.missing,
        )
        self.encoded_names_ = np.array(self.encoding_.names, dtype=object)

    def _transform(self, features: Frame) -> Floats:
        return self.encoding_.apply(features)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Name the new columns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Must equal the names at fit when given.

        Returns
        -------
        names : ndarray of shape (n_new_columns,)
            The same as ``encoded_names_``.
        """
        check_is_fitted(self)
        if input_features is not None and list(input_features) != list(self.schema_.names):
            raise ValueError("input_features is not equal to feature_names_in_: leave it out.")
        return self.encoded_names_

    def _describe(self) -> Description:
        made: dict[str, list[str]] = {column.name: [] for column in self.schema_.columns}
        for name in self.encoding_.names:
            # The last equals sign belongs to the encoding, others to the names of columns.
            made[name if name in made else name.rsplit("=", 1)[0]].append(name)
        rows = [[column.name, column.kind, ", ".join(made[column.name])] for column in self.schema_.columns]
        title = f"Encoder: {len(self.schema_.columns)} columns become {len(self.encoded_names_)} numbers"
        return Description(
            title, {"scale": self.scale}, [Table("Columns", ["column", "kind", "becomes"], rows)]
        )


def statistics_of(block: Block) -> Statistics:
    """Statistics of the columns of one chunk."""
    return column_statistics(block.X, block.w)
