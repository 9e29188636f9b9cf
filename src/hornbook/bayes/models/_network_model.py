"""A Bayesian network over categories: nodes, parents and tables, and inference with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook.bayes.models._elimination import Potential, eliminate, largest
from hornbook.bayes.models._joint_table import grouped
from hornbook.bayes.models._network_edges import has_cycle
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import require_memory
from hornbook.params import Floats, Shape

__all__ = ["NetworkModel"]

Codes = NDArray[np.int32]

ROOM = 2**21  # numbers in one array of potentials
MOST_CELLS = ROOM  # of the largest product in the elimination, for a network from a file


@dataclass(frozen=True)
class NetworkModel:
    """Everything inference needs. The last node is the class, the others are the counted columns.

    Parameters
    ----------
    log_prior : ndarray of shape (n_classes,)
        Logarithm of the class frequencies, for rows that have probability 0 in every class.
    parents : tuple of tuple of int
        The parents of each node.
    log_tables : tuple of ndarray
        For each node log P(level | levels of the parents), one axis for each parent, the last for it.
    plan : CountingPlan
        What was counted.
    """

    log_prior: Annotated[Floats, Shape("n_classes")]
    parents: tuple[tuple[int, ...], ...]
    log_tables: tuple[Floats, ...]
    plan: CountingPlan

    def verify(self, _: object) -> None:
        """Reject what is not a network, or too dense a one, as in a damaged model file."""
        levels = [*self.plan.table_sizes.tolist(), self.plan.n_classes]
        n_nodes = len(levels)
        if len(self.parents) != n_nodes or len(self.log_tables) != n_nodes:
            raise ValueError("the nodes are not the columns and the class")
        for node, (parents, table) in enumerate(zip(self.parents, self.log_tables, strict=True)):
            if len(set(parents)) < len(parents) or not all(0 <= parent < n_nodes for parent in parents):
                raise ValueError("a parent is none of the nodes")
            if table.shape != tuple(levels[v] for v in (*parents, node)):
                raise ValueError("a table is not that of its node and parents")
        if has_cycle(self.parents):
            raise ValueError("the edges form a cycle")
        nodes = self.needed({self.target})
        scopes = [(*self.parents[i], i) for i in nodes]
        if largest(scopes, [self.target], self.sizes) > MOST_CELLS:
            raise ValueError(f"a product of its tables has more than {MOST_CELLS} cells")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of levels of each node."""
        return tuple(table.shape[-1] for table in self.log_tables)

    @property
    def target(self) -> int:
        """The node that is the class."""
        return len(self.parents) - 1

    def joint(self, numbers: Floats, codes: Codes, n_threads: int) -> Floats:
        """Log of P(class, known cells), missing cells summed out, on a single thread."""
        del n_threads
        counted = self.plan.codes(numbers, codes)
        out = np.empty((len(counted), self.sizes[self.target]))
        # Rows with the same known cells share the elimination order and are computed together.
        first, group = grouped((counted >= 0).astype(np.int32))
        order = np.argsort(group, kind="stable")
        for rows in np.split(order, np.cumsum(np.bincount(group, minlength=len(first)))[:-1]):
            if len(rows):
                out[rows] = self._pattern_joint(counted[rows])
        return out

    def _pattern_joint(self, counted: Codes) -> Floats:
        """The same for rows in which the same cells are known: they share the elimination."""
        seen = np.flatnonzero(counted[0] >= 0).tolist()
        nodes = self.needed({*seen, self.target})
        cells = self.room(nodes, seen, (self.target,))
        step = max(1, ROOM // cells)  # rows whose potentials fit into memory at once
        potentials = [
            self.posterior(counted[at : at + step], nodes, seen, (self.target,))
            for at in range(0, len(counted), step)
        ]
        return np.concatenate(potentials)

    def room(self, nodes: Sequence[int], seen: Collection[int], keep: tuple[int, ...]) -> int:
        """Cells of the largest intermediate product; rejected where it does not fit into memory."""
        scopes = [tuple(v for v in (*self.parents[i], i) if v not in seen) for i in nodes]
        cells = largest(scopes, [v for v in keep if v not in seen], self.sizes)
        require_memory(
            3, cells, "give the network fewer edges, its columns fewer levels, or the row fewer missing cells"
        )
        return cells

    def needed(self, queried: Collection[int]) -> list[int]:
        """The relevant nodes: those queried or known, and their ancestors; all others sum to 1."""
        # Barren nodes are left out (Shachter 1986).
        nodes, waiting = set(queried), list(queried)
        while waiting:
            for parent in self.parents[waiting.pop()]:
                if parent not in nodes:
                    nodes.add(parent)
                    waiting.append(parent)
        return sorted(nodes)

    def posterior(
        self, counted: Codes, nodes: Sequence[int], seen: Collection[int], keep: tuple[int, ...]
    ) -> Floats:
        """Log of P(kept nodes, known cells) for each row; axes in the order of the kept nodes."""
        potentials = [self.potential(i, counted, seen) for i in nodes]
        whole = eliminate(potentials, keep, self.sizes)
        shape = (len(counted), *(self.sizes[v] for v in sorted(keep)))
        return np.broadcast_to(whole.spread(tuple(sorted(keep))), shape)

    def potential(self, node: int, counted: Codes, seen: Collection[int]) -> Potential:
        """The table of a node, at the known cells of each row."""
        axes = (*self.parents[node], node)
        # Known axes go first and are indexed away; the others stay in ascending order, as a Potential wants.
        known = [a for a, v in enumerate(axes) if v in seen]
        free = sorted((a for a, v in enumerate(axes) if v not in seen), key=lambda a: axes[a])
        table = self.log_tables[node].transpose(*known, *free)
        logs = table[tuple(counted[:, axes[a]] for a in known)] if known else table[None]
        return Potential(tuple(axes[a] for a in free), logs)
