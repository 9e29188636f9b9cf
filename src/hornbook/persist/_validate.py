"""The parts of a fitted learner, checked against what its classes declare and against one another.

Every fitted attribute and every field of a record has an annotation, which may declare sizes, indices and
finite numbers (`Shape`, `Index` and `Finite` of `hornbook.params`). They are checked here, in one way for all
learners, when a model is saved and when it is loaded. A record with further invariants, as a tree has, has a
method ``verify``; one that defines further sizes has a method ``sizes_by_name``.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar, get_origin, get_type_hints

import numpy as np

from hornbook.base import Learner
from hornbook.frame import Frame, Schema
from hornbook.persist._claims import Claims, Seen
from hornbook.persist._errors import Damaged, quoted
from hornbook.persist._fields import fits

__all__ = ["attributes", "fitted_state", "validate"]


def attributes(cls: Any) -> dict[str, Any]:
    """Return the fitted attributes that a class of learners declares, with their annotations."""
    return _attributes(cls)


@functools.cache
def _attributes(cls: Any) -> dict[str, Any]:
    # Annotations are texts that have to be evaluated, which is done once for each class.
    hints = get_type_hints(cls, include_extras=True)
    return {
        name: hint for name, hint in hints.items() if _is_fitted(name) and get_origin(hint) is not ClassVar
    }


def fitted_state(model: Learner) -> dict[str, Any]:
    """Return the fitted attributes of a learner, without any others set on it."""
    return {name: value for name, value in vars(model).items() if _is_fitted(name)}


def _is_fitted(name: str) -> bool:
    return name.endswith("_") and not name.startswith("_")


def validate(model: Learner, seen: Seen | None = None) -> None:
    """Reject a learner whose attributes are not what its class declares, or contradict each other.

    Parameters
    ----------
    model : Learner
        A fitted learner; those inside it are checked too.
    seen : Seen, optional
        Cache for parts that several learners share.
    """
    seen = Seen() if seen is None else seen
    kind, state, declared = type(model).__name__, fitted_state(model), attributes(type(model))
    for name, value in state.items():
        if name not in declared:
            raise Damaged(f"it sets {quoted(name)}, which is not the name of a fitted attribute of {kind}.")
        if not fits(value, declared[name]):
            raise Damaged(f"{quoted(name)} of its {kind} is not valid.")
    _check_columns(state)
    model, state = _learned(model, state)
    data = _data_schema(model)
    sizes, claims = _known_sizes(model, data), Claims(data, seen)
    for name, value in state.items():
        # All claims about sizes are collected before any is checked, since parts refer to sizes of others.
        claims.collect(value, declared[name], sizes, f"{kind}.{name}")
    claims.check()
    for member in claims.learners:
        # Members that are parameters, not results, are not fitted and have nothing to check.
        if fitted_state(member):
            validate(member, seen)


def _learned(model: Learner, state: dict[str, Any]) -> tuple[Learner, dict[str, Any]]:
    """The learner with the classes that its hooks know, which determine the sizes of its other parts."""
    absent = state.get("absent_classes_")
    if absent is None:
        return model, state
    classes = state["classes_"].tolist()
    labels = set(absent.tolist())
    # At least one class must have been seen, and none can be absent twice.
    if not 0 < len(labels) == len(absent) < len(classes) or not labels <= set(classes):
        raise Damaged("the classes that it never saw are not among its classes.")
    core = model._core()  # noqa: SLF001 - the learner as its own methods see it
    return core, fitted_state(core)


def _check_columns(state: dict[str, Any]) -> None:
    """Reject a schema that contradicts itself."""
    schema = state.get("schema_")
    if not isinstance(schema, Schema):
        raise Damaged("it does not say on which columns the model was fitted.")
    names = state.get("feature_names_in_")
    same = names is None or names.tolist() == list(schema.names)
    if not same or state.get("n_features_in_") != len(schema) or len(set(schema.names)) != len(schema):
        raise Damaged("the columns on which the model was fitted contradict each other.")


def _data_schema(model: Learner) -> Schema:
    """The columns of what the hooks of the learner receive."""
    encoding = vars(model).get("encoding_")
    if model.wants != "matrix" or encoding is None:
        return model.schema_
    if encoding.schema != model.schema_:
        raise Damaged("its columns are not those that become numbers.")
    return Frame(np.empty((0, int(encoding.offsets[-1])))).schema


def _known_sizes(model: Learner, data: Schema) -> dict[str, int]:
    """Sizes that have one name in all learners."""
    schema, classes = model.schema_, vars(model).get("classes_")
    sizes = {
        "n_columns": len(schema),
        "n_numeric": len(schema.numeric),
        "n_coded": len(schema.coded),
        "n_encoded": len(data),
        "n_outputs": 1,
    }
    if classes is None:
        return {**sizes, "n_outputs": int(vars(model).get("n_outputs_", 1))}
    n_classes = sum(map(len, classes)) if isinstance(classes, list) else len(classes)  # of several targets
    return {**sizes, "n_classes": n_classes, "n_outputs": n_classes}
