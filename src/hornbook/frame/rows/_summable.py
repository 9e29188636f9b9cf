"""What functions below `Blocks` need to know of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._schema import Schema
from hornbook.frame.rows._block import Block

__all__ = ["Summable"]


class Summable(Protocol):
    """Rows that can be summed over, as those of `Blocks`."""

    @property
    def n_rows(self) -> int: ...
    @property
    def schema(self) -> Schema: ...
    def map(self, function: Callable[[Block], Block]) -> Summable: ...
    def take(self, rows: NDArray[np.intp]) -> Block: ...
    def reduce(
        self,
        function: Callable[..., Any],
        *state: Any,
        merge: Callable[[Any, Any], Any] = ...,
        together: int = ...,
    ) -> Any: ...
