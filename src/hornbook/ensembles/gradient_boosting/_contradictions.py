"""Parameters of boosting that contradict each other."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any, ClassVar, Literal, Protocol

from hornbook.ensembles.gradient_boosting._losses_by_name import loss_name
from hornbook.losses import Loss

__all__ = ["refuse_contradictions"]

# What makes sense for gradient-pair trees only, and for trees only.
_OF_PAIRS = (
    "reg_lambda",
    "l2_regularization",
    "reg_alpha",
    "gamma",
    "min_hessian",
    "monotonic_cst",
    "interaction_cst",
    "colsample_bylevel",
)
_OF_TREES = (
    *_OF_PAIRS,
    "max_depth",
    "max_leaf_nodes",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "leaf_size",
    "min_gain",
    "min_impurity_decrease",
    "max_features",
    "subspace",
    "colsample_bytree",
    "ccp_alpha",
    "max_bins",
    "categorical_features",
)

# Parameters of single losses; scikit-learn's alpha, which has a default, is set for all losses in grids.
_OF_LOSSES = {"power": ("tweedie",), "quantile": ("quantile", "huber")}


class BoostingParameters(Protocol):
    """The parameters that exclude each other."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    loss: Any
    init: Any
    estimator: Any
    step: Literal["gradient", "newton"]
    leaf: Literal["newton", "exact"]
    subspace: Literal["node", "tree"]
    colsample_bytree: float
    subsample: float
    sampling: Literal["uniform", "gradient"]
    validation_fraction: Any


def refuse_contradictions(learner: BoostingParameters, loss: Loss) -> None:
    """Reject parameters that exclude each other, or have no effect because of another one."""
    name, changed = type(learner).__name__, _changed(learner)
    if isinstance(learner.init, str) and learner.init != "zero":
        raise ValueError(
            f"{name}: parameter 'init' must be 'zero', an estimator or None; got {learner.init!r}."
        )
    _refuse_of_other_losses(name, changed, learner.loss)
    newton = learner.step == "newton" and (learner.leaf == "exact" or learner.estimator is not None)
    if newton and not loss.has_curvature:
        raise ValueError(
            f"{name}: step='newton' divides by the second derivative, which loss {loss_name(learner.loss)} "
            "does not have: set step='gradient'."
        )
    if learner.estimator is not None:
        _refuse(name, _OF_TREES, changed, "applies to trees, but an estimator is given: leave it out")
    if learner.step != "newton" or learner.leaf != "newton":
        remedy = "applies to gradient-pair trees: set step='newton' and leaf='newton', or leave it out"
        _refuse(name, _OF_PAIRS, changed, remedy)
    elif "min_weight_fraction_leaf" in changed:
        raise ValueError(
            f"{name}: parameter 'min_weight_fraction_leaf' applies to row weights, but gradient-pair trees "
            "count second derivatives: set min_hessian instead."
        )
    elif "ccp_alpha" in changed:
        raise ValueError(
            f"{name}: parameter 'ccp_alpha' applies to trees fitted by least squares, but step and leaf are "
            "'newton': set gamma, the cost of a leaf, instead."
        )
    if learner.subspace == "tree" and learner.colsample_bytree < 1:
        raise ValueError(
            f"{name}: subspace='tree' makes max_features the columns of a tree, as colsample_bytree does: "
            "set only one of them."
        )
    if learner.subsample >= 1 and learner.sampling == "gradient":
        raise ValueError(
            f"{name}: sampling='gradient' says which rows are drawn, but subsample={learner.subsample:g} "
            "takes all: set subsample below 1, such as 0.3."
        )
    if learner.subsample >= 1 and learner.validation_fraction == "oob":
        raise ValueError(
            f"{name}: validation_fraction='oob' judges by rows that are not drawn, but "
            f"subsample={learner.subsample:g} draws all: set subsample below 1, or a fraction to hold out."
        )


def _refuse_of_other_losses(name: str, changed: set[str], loss: str | Loss) -> None:
    for parameter, losses in _OF_LOSSES.items():
        if parameter in changed and not (isinstance(loss, str) and loss in losses):
            names = " or ".join(f"loss={other!r}" for other in losses)
            raise ValueError(
                f"{name}: parameter {parameter!r} applies to {names}, but the loss is {loss_name(loss)}: "
                "leave it out, or choose that loss."
            )


def _refuse(name: str, parameters: tuple[str, ...], changed: set[str], sentence: str) -> None:
    for parameter in parameters:
        if parameter in changed:
            raise ValueError(f"{name}: parameter {parameter!r} {sentence}.")


def _changed(learner: BoostingParameters) -> set[str]:
    """Parameters that differ from their default."""
    return {entry.name for entry in fields(learner) if not _same(getattr(learner, entry.name), entry.default)}


def _same(value: Any, default: Any) -> bool:
    # Arrays and estimators compare by identity: == of an array is an array.
    return value is default or (isinstance(value, str | int | float) and bool(value == default))
