"""Commands on a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import click

import hornbook
from hornbook.cli._console import Console
from hornbook.cli._progress import PAUSE, time_left

__all__ = ["RowsDone", "cluster_option", "on_cluster", "require_folder"]

FORMS = re.compile(r"local:[1-9]\d{0,3}|[a-z]+://\S+")


class _ClusterPlace(click.ParamType):  # type: ignore[type-arg]  # generic in the newest versions of click only
    """Where a cluster is."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reject what is neither an address nor a number of workers."""
        if not FORMS.fullmatch(str(value)):
            self.fail(
                f"'{value}' is not a cluster: write tcp://host:port, or local:4 for four workers here.",
                param,
                ctx,
            )
        return str(value)


def cluster_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--cluster`` to a command.

    Parameters
    ----------
    command : function
        The command.
    """
    return click.option(
        "--cluster",
        type=_ClusterPlace(),
        help="Compute on a Dask cluster: the address of its scheduler, or local:4 for four workers here.",
    )(command)


@contextmanager
def on_cluster(place: str | None) -> Iterator[Any]:
    """Connect to a cluster; None without ``--cluster``.

    Parameters
    ----------
    place : str, optional
        The option.
    """
    if place is None:
        yield None
        return
    with hornbook.cluster.connected(place) as client:
        yield client


def require_folder(out: str | None) -> Path:
    """Reject an ``--out`` that is no new folder.

    Parameters
    ----------
    out : str, optional
        The option.
    """
    if out is None or Path(out).suffix:
        raise click.BadParameter(
            "with --cluster, workers write one Parquet file for each partition: name a new folder, such as "
            "build/predictions.",
            param_hint="--out",
        )
    if Path(out).exists():
        raise click.BadParameter(f"'{out}' exists: name a new folder.", param_hint="--out")
    return Path(out)


class RowsDone:
    """Says how many rows are done and how long the others will take, every few seconds.

    Parameters
    ----------
    console : Console
        Where to say it.
    """

    def __init__(self, console: Console) -> None:
        self._console, self._start = console, monotonic()
        self._next = self._start + PAUSE

    def __call__(self, done: int, total: int) -> None:
        """Some rows are done.

        Parameters
        ----------
        done, total : int
            How many, and of how many.
        """
        now = monotonic()
        if done and done < total and now >= self._next:
            self._next = now + PAUSE
            left = (now - self._start) * (total - done) / done
            self._console.note(f"{done:,} of {total:,} rows, about {time_left(left)} left.")
