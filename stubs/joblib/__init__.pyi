from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

class Memory:
    def __init__(
        self,
        location: str | Path | None = ...,
        backend: str = ...,
        mmap_mode: str | None = ...,
        compress: bool = ...,
        verbose: int = ...,
        backend_options: dict[str, Any] | None = ...,
    ) -> None: ...
    def cache(
        self,
        func: _Function = ...,
        ignore: Sequence[str] | None = ...,
        verbose: int | None = ...,
        mmap_mode: str | bool | None = ...,
        cache_validation_callback: Callable[[dict[str, Any]], bool] | None = ...,
    ) -> _Function: ...

def cpu_count(only_physical_cores: bool = ...) -> int: ...
def wrap_non_picklable_objects(obj: Any, keep_wrapper: bool = ...) -> Any: ...
