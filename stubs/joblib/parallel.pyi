from __future__ import annotations

class ParallelBackendBase:
    nesting_level: int

def get_active_backend(
    prefer: str | None = ..., require: str | None = ..., verbose: int = ...
) -> tuple[ParallelBackendBase, int | None]: ...
