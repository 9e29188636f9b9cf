"""Models in which every column has the class and at most one other column as parents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes.models._aode_model import Estimates, given_of, log_pairs, log_parents
from hornbook.bayes.models._conditional_normals import NumbersGiven
from hornbook.bayes.models._pairs import PairStatistics
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.params import Floats, Index, Shape

__all__ = ["OneDependence", "one_dependence"]

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class OneDependence:
    """Everything prediction needs.

    Parameters
    ----------
    log_prior : ndarray of shape (n_classes,)
        Logarithm of the class probabilities.
    parents : ndarray of shape (n_counted,)
        The parent of each counted column; -1 for none but the class.
    number_parents : ndarray of shape (n_numeric,) or (0,)
        The same for numbers with a normal density; none when they are counted in bins.
    joint_root : int
        The column that enters as P(class, value), in place of P(class); -1 for none.
    log_table : ndarray of shape (n_classes, total size)
        For each column the table of its levels given each level of its parent, and before that its levels
        given the class alone, for rows in which the parent is missing. The column ``joint_root`` has P(class)
        in front.
    sizes : ndarray of shape (n_counted,)
        Entries of each column's table.
    given : NumbersGiven, optional
        Densities of the numbers; None when they are counted in bins.
    given_starts : ndarray of shape (n_counted,)
        Where the levels of each column begin in ``given``; -1 for columns that are not parents.
    plan : CountingPlan
        What was counted.
    """

    log_prior: Annotated[Floats, Shape("n_classes")]
    parents: Annotated[Codes, Shape("n_counted"), Index("n_counted", low=-1)]
    number_parents: Annotated[Codes, Shape("n_numeric"), Shape(0), Index("n_counted", low=-1)]
    joint_root: int
    log_table: Annotated[Floats, Shape("n_classes", "n_entries")]
    sizes: Annotated[Codes, Shape("n_counted")]
    given: NumbersGiven | None
    given_starts: Annotated[Codes, Shape("n_counted")]
    plan: CountingPlan

    def verify(self, _: object) -> None:
        """Reject tables that are not those of the columns and their parents, as in a damaged file."""
        levels = self.plan.table_sizes.astype(np.int64)
        # One more than the levels of the parent, for the row in which the parent is missing.
        above = np.where(self.parents >= 0, levels[self.parents] + 1, 1) if len(levels) else levels
        sizes = levels * above
        if not -1 <= self.joint_root < len(levels):
            raise ValueError("the root is not one of the columns")
        if self.joint_root >= 0:
            sizes[self.joint_root] = levels[self.joint_root] + 1
        if not np.array_equal(sizes, self.sizes) or sizes.sum() != self.log_table.shape[1]:
            raise ValueError("the tables are not those of the columns and their parents")
        if self.given is not None:
            used = np.unique(self.number_parents[self.number_parents >= 0])
            starts = self.given_starts[used]
            if (starts < 0).any() or (starts + levels[used] > self.given.mean.shape[1]).any():
                raise ValueError("the densities are not those given the levels of the parents")

    def cells(self, counted: Codes) -> Codes:
        """For each row and column its entry in the column's table; -1 where the column is missing."""
        levels = self.plan.table_sizes
        none = np.zeros(len(counted), dtype=np.int32)
        # Row 0 of a table is for a missing parent (-1), rows 1, 2, ... for its levels.
        above = np.column_stack([counted[:, p] + 1 if p >= 0 else none for p in self.parents] or [counted])
        out = np.where(counted >= 0, above * levels + counted, np.int32(-1))
        if self.joint_root >= 0:
            out[:, self.joint_root] = counted[:, self.joint_root] + 1
        return np.ascontiguousarray(out, dtype=np.int32)

    def tabled(self, counted: Codes, n_threads: int) -> Floats:
        """Log of the product of the tables, P(class) included."""
        total = _native.table_joint(self.cells(counted), self.log_table, self.sizes, n_threads)
        return total if self.joint_root >= 0 else np.asarray(total + self.log_prior)

    def joint(self, numbers: Floats, codes: Codes, n_threads: int) -> Floats:
        """Log of P(class) times the product of P(value | class, parent)."""
        counted = self.plan.codes(numbers, codes)
        total = self.tabled(counted, n_threads)
        return total + self.densities(numbers, counted) if self.given is not None else total

    def given_levels(self, counted: Codes, parent: int) -> NDArray[np.intp]:
        """Position of each row's parent level in ``given``; -1 where it is missing or there is none."""
        if parent < 0:
            return np.full(len(counted), -1)
        start = self.given_starts[parent]
        return np.where(counted[:, parent] >= 0, start + counted[:, parent], -1).astype(np.intp)

    def densities(self, numbers: Floats, counted: Codes) -> Floats:
        """Log of the product of the densities of the numbers given class and parent."""
        assert self.given is not None
        total = np.zeros((len(numbers), len(self.log_prior)))
        # Numbers with the same parent are looked up together.
        for parent in np.unique(self.number_parents):
            which = np.flatnonzero(self.number_parents == parent).astype(np.int32)
            levels = self.given_levels(counted, int(parent))
            total += self.given.log_density(numbers, levels, which)
        return total

    def table(self, j: int) -> Floats:
        """P(value | class, parent) of one column, of shape (n_classes, 1 + parent levels, levels).

        P(value | class) comes first.
        """
        stop = int(self.sizes[: j + 1].sum())
        part = np.exp(self.log_table[:, stop - self.sizes[j] : stop])
        levels = self.plan.table_sizes
        above = 1 + int(levels[self.parents[j]]) if self.parents[j] >= 0 else 1
        return part.reshape(len(part), above, int(levels[j]))


def one_dependence(
    statistics: PairStatistics,
    plan: CountingPlan,
    parents: Codes,
    number_parents: Codes,
    log_prior: Floats,
    estimates: Estimates,
    *,
    joint_root: int = -1,
    left_out: float = 0.0,
) -> OneDependence:
    """The model with given parents; ``left_out`` is subtracted from every count, to leave out a row."""
    levels = plan.table_sizes
    ends = np.cumsum(levels)
    # Ends of each column's levels: across all columns, and down the columns that are parents.
    down = np.cumsum(levels[statistics.parents])
    single = log_pairs(statistics.single.counts[:, None, :], levels, estimates, left_out)[:, 0]
    pieces = []
    for j, parent in enumerate(parents):
        alone = single[:, ends[j] - levels[j] : ends[j]]
        if j == joint_root:
            both = log_parents(statistics, plan, estimates, left_out)[:, ends[j] - levels[j] : ends[j]]
            pieces.append(np.concatenate([log_prior[:, None], both], axis=1))
        elif parent < 0:
            pieces.append(alone)
        else:
            at = int(np.flatnonzero(statistics.parents == parent)[0])
            own = statistics.pairs[:, down[at] - levels[parent] : down[at], ends[j] - levels[j] : ends[j]]
            below = log_pairs(own, levels[j : j + 1], estimates, left_out)
            pieces.append(np.concatenate([alone, below.reshape(len(below), -1)], axis=1))
    table = np.concatenate([np.empty((plan.n_classes, 0)), *pieces], axis=1)
    sizes = np.array([piece.shape[1] for piece in pieces], dtype=np.int32)
    starts = np.full(len(levels), -1, dtype=np.int32)
    starts[statistics.parents] = down - levels[statistics.parents]
    return OneDependence(
        log_prior,
        parents,
        number_parents,
        joint_root,
        np.ascontiguousarray(table),
        sizes,
        given_of(statistics, plan.n_classes, estimates),
        starts,
        plan,
    )
