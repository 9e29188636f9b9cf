"""Time and memory, measured the same way for everybody."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from ctypes import CDLL
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, sleep
from types import ModuleType
from typing import Any

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
REST = 0.1  # seconds: idle threads of OpenBLAS and others keep a processor busy for a while after work


@dataclass(frozen=True)
class Setting:
    """How one run of the benchmarks is made."""

    quick: bool = False
    jobs: int = 1
    rounds: int = 3
    pictures: Path | None = None

    def size(self, full: int, quick: int) -> int:
        return quick if self.quick else full


@dataclass(frozen=True)
class Timed:
    """The best time of a piece of work, and what it returned."""

    seconds: float
    result: Any


def best_of(works: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, Timed]:
    """Run every work twice a round, in both orders (A B, B A), and keep its best time.

    The first run of each, which pays for imports and cold caches, is one more than is counted.
    """
    results = {name: work() for name, work in works.items()}
    seconds: dict[str, float] = {}
    there = list(works)
    for _ in range(rounds):
        for name in there + there[::-1]:
            gc.collect()
            sleep(REST)
            start = perf_counter()
            works[name]()
            taken = perf_counter() - start
            seconds[name] = min(taken, seconds.get(name, taken))
    return {name: Timed(seconds[name], results[name]) for name in works}


def peer(module: str) -> ModuleType | None:
    """Return a peer's module, or None when it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and module.split(".", maxsplit=1)[0] == error.name.split(".")[0]:
            return None
        raise


def _status(field: str) -> int:
    """Return a memory figure of this process in bytes."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field + ":"))
    return int(line.split()[1]) * 1024


@dataclass(frozen=True)
class Alone:
    """What a piece of work took in a process of its own: time, memory beyond its input, and how well it did.

    Memory is None where the system does not tell.
    """

    seconds: float
    extra: int | None
    quality: Any


def _nothing(result: Any) -> None:
    del result


def _alone(
    make: Callable[..., Any],
    work: Callable[[Any], Any],
    judge: Callable[[Any], Any],
    arguments: tuple[Any, ...],
) -> Alone:
    data = make(*arguments)
    gc.collect()
    is_known = CLEAR.exists()
    getattr(CDLL(None), "malloc_trim", int)(0)  # give back what making the data left over
    before = _status("VmRSS") if is_known else 0
    if is_known:
        CLEAR.write_text("5")  # forget the highest mark so far
    start = perf_counter()
    result = work(data)
    seconds = perf_counter() - start
    return Alone(seconds, _status("VmHWM") - before if is_known else None, judge(result))


def alone(
    make: Callable[..., Any],
    work: Callable[[Any], Any],
    *arguments: Any,
    judge: Callable[[Any], Any] = _nothing,
) -> Alone:
    """Measure ``judge(work(make(*arguments)))`` once; only the work counts.

    A fresh process, because memory that was freed before and is used again would not be seen.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_alone, make, work, judge, arguments).result()


def peak_extra(make: Callable[..., Any], work: Callable[[Any], Any], *arguments: Any) -> int | None:
    """Return how many bytes ``work(make(*arguments))`` needs at its peak beyond its input.

    None where the system does not tell.
    """
    return alone(make, work, *arguments).extra if CLEAR.exists() else None
