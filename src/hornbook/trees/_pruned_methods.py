"""Methods of trees that can be pruned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from sklearn.base import clone

from hornbook._scikit import available_if
from hornbook.frame import Blocks
from hornbook.random import seed_of
from hornbook.trees._grower import require_categories
from hornbook.trees._settings import settings_of, warn_of_friedman
from hornbook.trees._targets import class_codes
from hornbook.trees._tree_methods import TreeMethods
from hornbook.trees.binned._fit_blocks import fit_tree_from_blocks
from hornbook.trees.pruning._complexity import PruningPath, prune_to, pruning_path
from hornbook.trees.pruning._pruning import pessimistic, pruned_by_rows

__all__ = ["PrunedMethods"]


def _grows_from_sums(tree: PrunedMethods) -> bool:
    """Whether a tree can be grown from sums over the rows alone."""
    if tree.max_bins is None:  # nearly always, and asked in every fit
        return False
    return not settings_of(tree).needs_all_rows and not tree._pruning().holds_out  # noqa: SLF001 - the same family


class PrunedMethods(TreeMethods):
    """Methods of trees that grow large and are pruned."""

    ccp_alpha: float
    max_bins: int | None
    whole_table_first: ClassVar[bool] = True
    whole_table_remedy: ClassVar[str] = (
        "set max_bins=255, leave out max_leaf_nodes, monotonic_cst, missing='fractional' and held-out "
        "pruning, or pass blocks.to_frame()"
    )
    adjustable: ClassVar[frozenset[str]] = frozenset({"ccp_alpha"})

    @available_if(_grows_from_sums)
    def _fit_blocks(self, blocks: Blocks) -> None:
        warn_of_friedman(self)
        require_categories(blocks.schema.features, self.categorical_features)
        settings, pruning = settings_of(self), self._pruning()
        tree, self.tree_gaps_ = fit_tree_from_blocks(
            blocks,
            self._class_factors(blocks),
            settings,
            n_classes=len(getattr(self, "classes_", ())),  # one target: several are rows in memory
            seed=seed_of(self.random_state),
            bin_seed=self._bin_seed(),
        )
        tree = pessimistic(tree, None) if pruning.rule == "pessimistic" else tree
        self.tree_schema_ = blocks.schema.features
        self.nodes_ = prune_to(tree, settings.ccp_alpha) if settings.ccp_alpha > 0 else tree

    def _variants(self, rows: Any, settings: Sequence[Mapping[str, Any]]) -> Iterator[Self]:
        """The same tree with other smoothing, or pruned further; pruned nodes cannot be restored."""
        tree, trees = self.nodes_, {self.ccp_alpha: self.nodes_}
        for alpha in sorted({setting.get("ccp_alpha", self.ccp_alpha) for setting in settings}):
            if alpha < self.ccp_alpha:
                raise ValueError(
                    f"ccp_alpha={alpha:g} needs a tree that was grown with at most that; got one with "
                    f"{self.ccp_alpha:g}: fit again."
                )
            if alpha > self.ccp_alpha:  # best subtrees are nested
                tree = trees[alpha] = prune_to(tree, alpha)
        for twin in super()._variants(rows, settings):
            twin.nodes_ = trees[twin.ccp_alpha]
            yield twin

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> PruningPath:
        """Compute the subtrees of minimal cost-complexity pruning, weakest link first.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,)
            Their target.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        path : PruningPath
            ``ccp_alphas`` and ``impurities``: at which alpha each subtree becomes the best, and the
            impurity of its leaves.
        """
        # From the full tree: the path of a pruned one would lack the weakest links.
        full = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight=sample_weight)
        return pruning_path(full.nodes_)

    def prune(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Prune the fitted tree by rows it was not grown on (reduced-error pruning, Quinlan 1987).

        From the leaves upward, a node becomes a leaf when its subtree has no smaller error on these rows.
        Rows are also weighted by ``class_weight``.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            Other rows than those of the fit.
        y : array-like of shape (n_rows,)
            Their target.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The learner.
        """
        self._require_one_target("prune")
        rows, target, w = self._checked_rows(X, y, sample_weight)
        labels = self._labels_of_one()
        loss = settings_of(self).criterion
        if labels is not None:
            target, loss = class_codes(target, labels), "errors"
        self.nodes_ = pruned_by_rows(self.nodes_, rows, target, w, loss, ahead=False)
        return self
