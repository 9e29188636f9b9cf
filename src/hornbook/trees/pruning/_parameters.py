"""The parameters of pruning in groups, each explained once."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from hornbook.params import Range, parameter_group
from hornbook.trees._parameters import NotNegative

__all__ = ["ClassPruning", "CostComplexity", "NumberPruning"]

Share: TypeAlias = Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)]


@parameter_group
class CostComplexity:
    """Minimal cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984).

    Parameters
    ----------
    ccp_alpha : float
        Cost of a leaf: of all subtrees, the smallest one that minimizes impurity plus cost is kept.
    """

    ccp_alpha: NotNegative = 0.0


@parameter_group
class HeldOutRows:
    """Rows held out for pruning.

    Parameters
    ----------
    validation_fraction : float
        Fraction of the rows (of each class) held out for ``"pre"`` and ``"reduced_error"``.
    """

    validation_fraction: Share = 0.3


@parameter_group
class ClassPruning(CostComplexity, HeldOutRows):
    """How a tree for classes is pruned.

    Parameters
    ----------
    pruning : {"pre", "reduced_error", "pessimistic"}, optional
        How the tree is pruned. ``"pre"`` keeps a split only if it makes fewer errors on held-out rows,
        from the root downward. ``"reduced_error"`` makes a leaf of every node whose subtree makes no fewer
        errors there, from the leaves upward. ``"pessimistic"`` (Quinlan 1987) holds nothing out: a node of
        weight N with e errors, whose leaves make e' with half an error added for each, becomes a leaf when
        e + 1/2 <= e' + sqrt(e' (N - e') / N). The half is half a step of the count of errors. With
        ``missing="fractional"`` that count moves by parts of rows: their mean s in the node (sum p**2 / sum p
        over the parts p) takes the place of one, and the rule is e + s/2 <= e' + sqrt(s e' (N - e') / N).
    """

    pruning: Literal["pre", "reduced_error", "pessimistic"] | None = None


@parameter_group
class NumberPruning(CostComplexity, HeldOutRows):
    """How a tree for numbers is pruned.

    Parameters
    ----------
    pruning : {"pre", "reduced_error"}, optional
        How the tree is pruned. ``"pre"`` keeps a split only if it lowers the error on held-out rows, from
        the root downward. ``"reduced_error"`` makes a leaf of every node whose subtree has no smaller
        error there, from the leaves upward.
    """

    pruning: Literal["pre", "reduced_error"] | None = None
