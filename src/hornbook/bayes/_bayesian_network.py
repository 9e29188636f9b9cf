"""Bayesian networks of categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Classifier, Description, Table, Working, draw_beside_rows
from hornbook.bayes._decision import BayesDecision
from hornbook.bayes._parameters import BayesWork, FewBins, Smoothing
from hornbook.bayes.explain._description import class_table, counted_names
from hornbook.bayes.explain._network_description import Nodes, network_tables, network_terms, query_table
from hornbook.bayes.models._factors import log_share
from hornbook.bayes.models._network_edges import parents_of
from hornbook.bayes.models._network_model import NetworkModel
from hornbook.bayes.models._pairs import count_pairs, every_column, require_room
from hornbook.bayes.models._statistics import CountingPlan, bins_of
from hornbook.bayes.models._tan_tree import information_of, tree_of
from hornbook.frame import Block, Blocks, Frame, bin_codes, require_memory
from hornbook.params import Floats, Shape, declared, suggest
from hornbook.plots import network

__all__ = ["BayesianNetwork"]

Families = tuple[tuple[int, ...], ...]


class BayesianNetworkResult(BayesDecision, Classifier):
    """What `BayesianNetwork` learns."""

    plan_: CountingPlan
    class_count_: Annotated[Floats, Shape("n_classes")]
    factors_: NetworkModel


@declared
class BayesianNetwork(BayesWork, Smoothing, BayesianNetworkResult):
    """Bayesian network: a table P(value | values of the parents) for every column and for the class.

    The edges from parents to children are given, or are the tree of `TAN`; the tables are estimated from
    counts. Inference is exact: missing cells and other nodes are summed out by variable elimination.
    Unlike the other Bayes classifiers it also answers queries about columns, by `query`.

    With n rows, k nodes and t cells in the largest table, fitting takes O(n k) time and O(k t) memory, t
    growing by a factor of the levels with each parent. Predicting complete rows takes O(n k) time; a row with
    missing cells, at worst, exponential time in the number of connected missing cells.

    Parameters
    ----------
    edges : "tan" or list of pairs of names, default "tan"
        Edges (parent, child) between columns and the class; ``"tan"`` has the class as parent of every column
        and the columns in the tree with the largest mutual information given the class.
    target : str, optional
        The name of the class in ``edges``; when left out, the name of the target, or ``"class"`` if it has
        none.
    smoothing : {"laplace", "none"}, default "laplace"
        ``"laplace"``: P(value | parents) = (n + alpha) / (N + alpha m) with n rows that have value and
        parents, N rows that have the parents and m values; ``"none"``: n / N. P(class) of a class without
        parents is its frequency.
    n_bins : int, default 5
        Numbers are cut into this many bins of equal width.

    Attributes
    ----------
    parents_ : dict
        For each column and the class the names of its parents.
    edges_ : list of pairs of names
        The edges, from parent to child.
    tables_ : dict of Table
        For each column and the class its P(value | values of the parents).

    See Also
    --------
    TAN : A tree of dependences between the columns.
    NaiveBayes : Bayes' rule with columns independent in each class.

    Examples
    --------
    >>> from hornbook import BayesianNetwork, datasets
    >>> days = datasets.play_tennis()
    >>> edges = [("outlook", "play"), ("wind", "play"), ("outlook", "humidity")]
    >>> model = BayesianNetwork(edges=edges, target="play", smoothing="none").fit(days)
    >>> print(model.query("humidity", given={"play": "No"}))
    P(humidity | play = No)
      humidity       P
      High      0.5351
      Normal    0.4649
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "product of P(node | parents) over a directed graph without cycles"
    objective = "likelihood of the training rows"
    optimizer = "closed form: counts of each node with its parents"

    edges: Literal["tan"] | Sequence[Sequence[str]] = "tan"
    target: str | None = None
    smoothing: Literal["laplace", "none"] = "laplace"
    n_bins: FewBins = 5

    def _fit_blocks(self, blocks: Blocks) -> None:
        self._check_settings()
        columns = self.schema_.columns
        levels = np.array([len(columns[j].levels) for j in self.schema_.coded], dtype=np.int32)
        self.plan_ = CountingPlan(len(self.classes_), levels, bins_of(blocks, self.n_bins), keep_rows=False)
        parents = self._structure(blocks)
        # A column without any value gets one level that never occurs.
        sizes = [*np.maximum(self.plan_.table_sizes, 1).tolist(), len(self.classes_)]
        shapes = [tuple(sizes[v] for v in (*above, i)) for i, above in enumerate(parents)]
        # In floating point: a product of many levels overflows integers and would look small to the check.
        cells = [int(np.prod(shape, dtype=np.float64)) for shape in shapes]
        # One table for all rows, and one for each chunk of rows in flight.
        require_memory(40, sum(cells), "give columns fewer parents, leave out columns with very many levels")
        flat = blocks.reduce(_family_counts, self.plan_, parents, shapes)
        counts = np.split(flat, np.cumsum(cells)[:-1])
        self.class_count_ = blocks.reduce(_class_counts, len(self.classes_))
        self.factors_ = NetworkModel(
            self._log_prior(self.class_count_), parents, self._tables(counts, shapes, parents), self.plan_
        )

    def _structure(self, blocks: Blocks) -> Families:
        names = self._names()
        if not isinstance(self.edges, str):
            return parents_of(self.edges, names)
        every = every_column(self.plan_)
        require_room(self.plan_, every, blocks.n_rows)
        statistics = count_pairs(blocks, self.plan_, every, self._threads())
        weights = information_of(statistics, self.plan_, "conditional")
        tree = tree_of(statistics, self.plan_, weights, None)
        top = len(every)  # the class comes after the columns
        # Every column has the class as a parent, and the class, the last node, has none.
        return (*((int(p), top) if p >= 0 else (top,) for p in tree), ())

    def _tables(
        self, counts: list[Floats], shapes: list[tuple[int, ...]], parents: Families
    ) -> tuple[Floats, ...]:
        tables = []
        for count, shape in zip(counts, shapes, strict=True):
            n = count.reshape(shape)
            # The last axis is the node itself: counts are normalized for each combination of its parents.
            total = np.broadcast_to(n.sum(axis=-1, keepdims=True), shape)
            tables.append(log_share(n, total, np.array(float(shape[-1])), self.smoothing, self.alpha))
        if not parents[-1]:
            tables[-1] = self._log_prior(self.class_count_)
        return tuple(tables)

    def _names(self) -> list[str]:
        """The nodes: the counted columns in their order, then the class."""
        columns = [self.schema_.names[j] for j in (*self.schema_.coded, *self.schema_.numeric)]
        name = self.target if self.target is not None else str(getattr(self, "target_name_", "class"))
        if name in columns:
            raise ValueError(
                f"BayesianNetwork: the class is called {name!r}, and so is a column: give the class another "
                "name by the parameter 'target'."
            )
        return [*columns, name]

    def _nodes(self) -> Nodes:
        named = [(name, levels or ("no value",)) for name, levels in counted_names(self.plan_, self.schema_)]
        return [*named, (self._names()[-1], self.classes_.tolist())]

    def _current_model(self) -> NetworkModel:
        return self.factors_

    @property
    def class_prior_(self) -> Floats:
        """Frequency of each class."""
        return self._prior(self.class_count_)

    @property
    def parents_(self) -> dict[str, list[str]]:
        """For each column and the class the names of its parents."""
        names = self._names()
        return {
            name: [names[p] for p in above] for name, above in zip(names, self.factors_.parents, strict=True)
        }

    @property
    def edges_(self) -> list[tuple[str, str]]:
        """The edges, from parent to child."""
        return [(parent, name) for name, above in self.parents_.items() for parent in above]

    @property
    def tables_(self) -> dict[str, Table]:
        """For each column and the class its P(value | values of the parents)."""
        return network_tables(self.factors_, self._nodes())

    def query(self, *names: str, given: Mapping[str, Any] | None = None) -> Table:
        """Return the probabilities of some nodes when others are known.

        Parameters
        ----------
        *names : str
            Columns, or the class: the nodes to query, one or several jointly.
        given : mapping of name to value, optional
            What is known.

        Returns
        -------
        table : Table
            One row for each combination of values, with its probability; they sum to 1.
        """
        nodes = self._nodes()
        known = {self._node(name): self._level(nodes, name, value) for name, value in (given or {}).items()}
        wanted = [self._node(name) for name in names]
        if not wanted or len(set(wanted) - set(known)) < len(names):
            raise ValueError(
                "query: name at least one node, none of them twice and none that is given; got "
                f"{list(names)} given {list(given or {})}."
            )
        evidence = ", ".join(f"{name} = {value}" for name, value in (given or {}).items())
        title = f"P({', '.join(names)} | {evidence})" if evidence else f"P({', '.join(names)})"
        return query_table(self.factors_, nodes, wanted, known, title)

    def _node(self, name: str) -> int:
        names = self._names()
        if isinstance(name, Mapping):
            raise TypeError(f"query: pass what is known by keyword, as given={name!r}.")
        if name not in names:
            raise ValueError(f"query: there is no node {name!r} in the network.{suggest(str(name), names)}")
        return names.index(name)

    def _level(self, nodes: Nodes, name: str, value: Any) -> int:
        place = self._node(name)
        binned = place - len(self.plan_.n_levels)
        # Nodes of numbers come after those of categories, and their levels are bins.
        if 0 <= binned < len(self.schema_.numeric) and isinstance(value, Real):
            assert self.plan_.edges is not None
            if np.isnan(float(value)):
                raise ValueError(f"query: {name!r} is given as missing: leave out what is not known.")
            return int(bin_codes([float(value)], self.plan_.edges[binned])[0])
        levels = list(nodes[place][1])
        if value not in levels:
            raise ValueError(
                f"query: {name!r} has no value {value!r}; its values are {', '.join(map(repr, levels[:10]))}."
            )
        return levels.index(value)

    def _describe(self) -> Description:
        facts = {
            "rows": float(self.class_count_.sum()),
            "edges": len(self.edges_),
            "smoothing": self.smoothing,
        }
        title = f"Bayesian network with {len(self._nodes())} nodes, {len(self.classes_)} classes"
        prior = class_table(self.classes_, self.class_count_, self.class_prior_)
        arrows = Table("Edges", ["parent", "child"], self.edges_)
        return Description(title, facts, [prior, arrows, *self.tables_.values()])

    def _working(self, row: Frame) -> Working:
        terms = network_terms(self.factors_, self._nodes(), row)
        title = "Bayesian network: product of P(node | parents)"
        return Working(
            title, "product", self.classes_.tolist(), terms, self._answer(row)[0], self._working_costs()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        names = self._names()
        faint = names[-1:] if isinstance(self.edges, str) else []
        return draw_beside_rows(
            self, lambda place: network(self.edges_, nodes=names, faint=faint, ax=place), X, y, ax
        )


def _class_counts(block: Block, n_classes: int) -> Floats:
    y = np.asarray(block.y, dtype=np.int32)
    return np.bincount(y, weights=block.w, minlength=n_classes).astype(np.float64)


def _family_counts(
    block: Block, plan: CountingPlan, parents: Families, shapes: list[tuple[int, ...]]
) -> Floats:
    """Weight of each combination of a node's level and its parents', node after node."""
    counted = plan.codes(block.X.numbers, block.X.codes)
    codes = np.column_stack([counted, np.asarray(block.y, dtype=np.int32)]).astype(np.int64)
    w = np.ones(len(block)) if block.w is None else block.w
    counts = []
    for i, (above, shape) in enumerate(zip(parents, shapes, strict=True)):
        own = codes[:, [*above, i]]
        # A row counts in a table if it knows the node and all its parents.
        known = (own >= 0).all(axis=1)
        cell = np.ravel_multi_index(tuple(own[known].T), shape)
        counts.append(np.bincount(cell, weights=w[known], minlength=int(np.prod(shape))).astype(np.float64))
    return np.concatenate(counts)
