"""What a learner can take as it is."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.frame import Kind

__all__ = ["Accepts"]


@dataclass(frozen=True)
class Accepts:
    """What a learner can take as it is.

    Parameters
    ----------
    kinds : tuple of kinds, default all three
        Kinds of columns.
    missing : bool, default True
        Missing cells.
    sparse : bool, default False
        Sparse matrices.
    stored : bool, default False
        Whether the fit hook takes a sparse matrix as `SparseRows`, where others get a dense one.
    densified : bool, default False
        Whether hooks get a sparse matrix as a dense table, all rows at once.
    multi_output : bool, default False
        Several targets at once.
    unchecked : bool, default False
        Numbers that nobody has looked at: its fit notices in its own sums where cells are not finite, and
        then calls `refuse_infinite`.
    single : bool, default False
        Arrays of numbers in single precision: its fit hook then gets them as they are, not as float64.
    """

    kinds: tuple[Kind, ...] = ("numeric", "ordinal", "nominal")
    missing: bool = True
    sparse: bool = False
    stored: bool = False
    densified: bool = False
    multi_output: bool = False
    unchecked: bool = False
    single: bool = False
