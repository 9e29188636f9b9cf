"""Objects that live where the rows are, from one question to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from hornbook.frame.rows._block import Block

__all__ = ["LocalResident", "LostRowsError", "Residents"]


class LostRowsError(RuntimeError):
    """Objects were lost with the machine that had them: `Residents.restore` makes them again."""


class Residents(ABC):
    """Objects that live beside the rows, each of some of them, and keep what they know between calls.

    A `Carry` holds arrays and passes them to a function; a resident holds whatever it likes, which spares
    iterative fits from finding in each pass what the one before has found, and from sending it. In exchange
    its owner has to begin a step anew when a resident was lost.
    """

    @abstractmethod
    def ask(self, method: str, *args: Any, merge: Callable[[Any, Any], Any]) -> Any:
        """Call a method of all objects, and merge the results in any order.

        Parameters
        ----------
        method : str
            Name of a method.
        *args : object
            What it is given.
        merge : callable
            Makes one of two results; it must not matter which come first. It may change the first of them.

        Raises
        ------
        LostRowsError
            When an object was lost before it has answered.
        """

    @abstractmethod
    def restore(self, *state: Any) -> None:
        """Make the objects that were lost again, from their rows and the state now; the others stay."""


class LocalResident(Residents):
    """The one object of rows in this process.

    Parameters
    ----------
    make : callable
        ``make(blocks, n_threads, *state)`` gives an object for the rows of some blocks.
    state : tuple
        What it needs beside the rows.
    block : Block
        All rows.
    n_threads : int
        Threads it may use.
    """

    def __init__(
        self, make: Callable[..., Any], state: tuple[Any, ...], block: Block, n_threads: int
    ) -> None:
        self._object = make([block], n_threads, *state)

    def ask(self, method: str, *args: Any, merge: Callable[[Any, Any], Any]) -> Any:  # noqa: ARG002
        """Nothing has to be merged."""
        return getattr(self._object, method)(*args)

    def restore(self, *state: Any) -> None:
        """Nothing can have been lost."""
