from typing import Any

from __future__ import annotations

def cpu_count(only_physical_cores: bool = ...) -> int: ...

def wrap_non_picklable_objects(obj: Any, keep_wrapper: bool = ...) -> Any: ...
