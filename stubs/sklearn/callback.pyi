from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Self
from uuid import UUID

# What a callback does not ask for is never computed, so a task may pass a function instead of a value.
_Attributes = Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None

class CallbackContext:
    estimator_name: str
    task_name: str
    task_id: int
    max_subtasks: int | None
    sequential_subtasks: bool
    parent: CallbackContext | None
    root_uuid: UUID
    init_time: datetime
    source_estimator_name: str | None
    source_task_name: str | None

    def __iter__(self) -> Iterator[CallbackContext]: ...
    def subcontext(
        self,
        task_name: str = "",
        task_id: int | None = None,
        max_subtasks: int | None = 0,
        sequential_subtasks: bool = True,
    ) -> CallbackContext: ...
    def call_on_fit_task_begin(
        self,
        *,
        estimator: object,
        X: Any = None,
        y: Any = None,
        metadata: Any = None,
        reconstruction_attributes: _Attributes = None,
    ) -> Self: ...
    def call_on_fit_task_end(
        self,
        *,
        estimator: object,
        X: Any = None,
        y: Any = None,
        metadata: Any = None,
        reconstruction_attributes: _Attributes = None,
    ) -> bool: ...
    def propagate_callback_context(self, sub_estimator: object) -> AbstractContextManager[None]: ...
