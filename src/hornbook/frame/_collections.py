"""Tables that are spread over other machines, known by the library they are of."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from numpy.typing import NDArray

__all__ = ["brought_here", "collection_module", "partition_answers"]

# The module that makes Blocks of the collections of a library; it is imported with the first of them.
COLLECTIONS = {"dask": "hornbook.cluster._blocks"}


def collection_module(X: Any) -> ModuleType | None:
    """The module for a collection; None for a table that is here.

    Parameters
    ----------
    X : object
        Anything.

    Examples
    --------
    >>> collection_module([[1.0]]) is None
    True
    """
    name = COLLECTIONS.get(type(X).__module__.partition(".")[0])
    return None if name is None else import_module(name)


def partition_answers(learner: Any, method: str, X: Any) -> NDArray[Any] | None:
    """What a learner says of the rows of a collection: a collection too, not yet computed.

    Parameters
    ----------
    learner : Learner
        Fitted.
    method : str
        The method that answers row by row.
    X : object
        The rows; None is returned for a table that is here.

    Examples
    --------
    >>> partition_answers(None, "predict", [[1.0]]) is None
    True
    """
    module = collection_module(X)
    if module is None:
        return None
    answers: NDArray[Any] = module.collection_answers(learner, method, X)
    return answers


def brought_here(values: Any) -> Any:
    """The values of a collection, computed; anything that is here already as it is.

    Parameters
    ----------
    values : object
        One number or label for each row, such as a target.

    Examples
    --------
    >>> brought_here([1.0, 2.0])
    [1.0, 2.0]
    """
    module = collection_module(values)
    return values if module is None else module.collection_values(values)
