from contextlib import AbstractContextManager
from typing import Any, Literal

class LibController:
    user_api: Literal["blas", "openmp"]
    def get_num_threads(self) -> int: ...
    def set_num_threads(self, num_threads: int) -> Any: ...

class ThreadpoolController:
    lib_controllers: list[LibController]
    def limit(
        self,
        *,
        limits: int | dict[str, int] | Literal["sequential_blas_under_openmp"] | None = None,
        user_api: Literal["blas", "openmp"] | None = None,
    ) -> AbstractContextManager[Any]: ...
