"""Values of tasks, which arrive on another machine as they were."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from dask.sizeof import sizeof

from hornbook.frame import Block, Frame

__all__ = ["Parcel", "task", "unpacked"]


OUT_OF_BAND = 5  # the version of pickle from which cells of arrays need not be copied


class Parcel:
    """Anything, as it was when it arrives on another machine.

    Dask sends the cells of arrays apart from the rest and makes arrays of what has come as it is, which then
    are neither aligned nor writable, as kernels expect arrays to be.

    Parameters
    ----------
    value : object
        What is sent.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce_ex__(self, protocol: Any) -> tuple[Callable[..., Parcel], tuple[Any, ...]]:
        if protocol < OUT_OF_BAND:
            return _opened, (pickle.dumps(self.value, protocol=OUT_OF_BAND),)
        cells: list[pickle.PickleBuffer] = []
        message = pickle.dumps(self.value, protocol=OUT_OF_BAND, buffer_callback=cells.append)
        return _opened, (message, *cells)


def _opened(message: bytes, *cells: Any) -> Parcel:
    # Copied once, to memory that is aligned and can be written to.
    own = [np.array(np.frombuffer(part, dtype=np.uint8)) for part in cells]
    return Parcel(pickle.loads(message, buffers=own))  # noqa: S301 - from a machine of this cluster


def unpacked(value: Any) -> Any:
    """What is in a parcel, or in a list of them."""
    if isinstance(value, Parcel):
        return value.value
    return [unpacked(part) for part in value] if isinstance(value, list) else value


def task(function: Callable[..., Any]) -> Callable[..., Parcel]:
    """Make a function take parcels where other tasks have packed something, and pack its result."""

    @wraps(function)
    def packed(*args: Any, **kwargs: Any) -> Parcel:
        return Parcel(function(*map(unpacked, args), **kwargs))

    return packed


def _bytes_of(value: Any) -> int:
    if isinstance(value, Frame):
        if value.array is not None:
            return int(value.array.nbytes)
        return sum(int(value.column(j).nbytes) for j in range(value.shape[1]))
    if isinstance(value, Block):
        return sum(map(_bytes_of, (value.X, value.y, value.w)))
    if isinstance(value, list | tuple):
        return sum(map(_bytes_of, value))
    return int(getattr(value, "nbytes", 64))


@sizeof.register(Parcel)  # type: ignore[untyped-decorator]
def _size_of(parcel: Parcel) -> int:
    """Bytes, by which Dask decides where tasks run and what is spilled."""
    return 200 + _bytes_of(parcel.value)
