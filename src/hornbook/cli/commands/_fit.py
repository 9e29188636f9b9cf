"""``hornbook fit``: one learner, one model file."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import click
from click.core import ParameterSource

import hornbook
from hornbook.cli._cluster import cluster_option, on_cluster
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._data import is_dataset, open_table
from hornbook.cli._parameters import parameter_table, seeded, with_parameters
from hornbook.cli._reading import reading_options
from hornbook.cli._types import COLUMN, DATA, LEARNER, MODEL

__all__ = ["command"]

DEFAULT_SEED = 0  # fits are reproducible even without --seed


@click.command(
    "fit",
    cls=Command,
    short_help="Fit one learner and save it as a model file.",
    epilog=examples(
        "hornbook fit iris --learner NaiveBayes --out iris.hornbook",
        "hornbook fit data.csv --target ripe --learner KNeighborsClassifier --scale --set n_neighbors=7",
        "hornbook fit large.csv --target ripe --learner NaiveBayes --stream",
        "hornbook fit 'folder/*.parquet' --target ripe --learner NaiveBayes --cluster tcp://10.0.0.1:8786",
        "hornbook fit data.csv --kinds zip=nominal --missing - --learner RandomForestClassifier --seed 1",
        "hornbook fit --learner NaiveBayes --show     what can be set",
    ),
)
@click.argument("data", type=DATA, required=False)
@click.option("--target", "-y", type=COLUMN, help="The column to predict; the last one by default.")
@click.option(
    "--learner", "-l", type=LEARNER, required=True, help="Name of the learner; see hornbook learners."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter; can be repeated.")
@click.option("--show", is_flag=True, help="List the parameters of the learner, without fitting.")
@click.option("--scale", is_flag=True, help="Standardize numeric columns first, as part of the model.")
@click.option("--weight", type=COLUMN, help="The column with the weights of the rows.")
@click.option("--ignore", type=COLUMN, multiple=True, help="A column to leave out; can be repeated.")
@click.option("--stream", is_flag=True, help="Read the file in pieces: it need not fit into memory.")
@cluster_option
@click.option("--no-fingerprint", is_flag=True, help="Do not store a fingerprint of the training rows.")
@click.option(
    "--seed",
    default=DEFAULT_SEED,
    show_default=True,
    type=click.IntRange(0, 2**32 - 1),
    help="Seed of randomized learners: the same seed gives the same model.",
)
@click.option("--out", "-o", type=MODEL, default="model.hornbook", show_default=True, help="The model file.")
@reading_options
@click.pass_obj
def command(
    console: Console, /, data: str | None, learner: str, settings: tuple[str, ...], show: bool, **asked: Any
) -> None:
    """Fit one learner to DATA and save it as a model file.

    The file contains data only, never code, and is verified at every load. `hornbook study` finds out which
    learner to take.
    """
    if show:
        table = parameter_table(learner)
        console.result(str(table), table.to_dict)
        return
    if data is None:
        raise click.UsageError("Missing argument 'DATA': a file or the name of a data set.")
    model = with_parameters(learner, settings)
    _set_seed(console, model, asked["seed"], settings)
    if asked["scale"]:
        model = hornbook.Scaled(model)
    # Said, not done: a direct fit never scales, as in scikit-learn.
    elif model.scale_sensitive:
        console.note(f"{learner} depends on the scales of the columns; --scale standardizes them.")
    with on_cluster(asked["cluster"]) as client:
        rows = _rows(console, data, asked, client)
        start = perf_counter()
        model.fit(rows)
        seconds = perf_counter() - start
        # The fingerprint lets `evaluate` and `compare` notice rows that the model has learned from.
        hornbook.save(model, asked["out"], trained_on=None if asked["no_fingerprint"] else rows)
    console.note(f"{model} fitted in {seconds:.2g} s; the model is in {asked['out']}.")
    description = model.describe()
    console.result(
        description, lambda: {"model": asked["out"], "seconds": seconds, "description": description.to_dict()}
    )


def _set_seed(console: Console, model: Any, seed: int, settings: tuple[str, ...]) -> None:
    """Seed a randomized learner, and print the choice."""
    chosen = click.get_current_context().get_parameter_source("seed") is not ParameterSource.DEFAULT
    seeds = seeded(model, seed, settings)
    if seeds and not chosen:
        console.note(f"seed: {seed}, the default; --seed sets another.")
    # A seed that changes nothing would suggest that the model depends on it.
    if chosen and not seeds:
        seeded_already = any("random_state=" in text for text in settings)
        why = "--set gives its random_state" if seeded_already else "it is not randomized"
        raise click.UsageError(f"--seed does not apply to {type(model).__name__}: {why}; leave it out.")


def _rows(console: Console, data: str, asked: dict[str, Any], client: Any) -> Any:
    """The training rows, in memory, streamed, or on a cluster."""
    if not asked["stream"] and client is None:
        chosen = {name: asked[name] for name in ("target", "weight", "ignore")}
        return open_table(data, console, asked["reading"], **chosen)
    if asked["stream"] and client is not None:
        raise click.UsageError("--stream reads here and --cluster on workers: leave one of them out.")
    option = "--stream" if client is None else "--cluster"
    if is_dataset(data):
        raise click.UsageError(f"{option} is for files; data sets are in memory anyway.")
    if asked["ignore"] or asked["target"] is None:
        raise click.UsageError(f"{option} needs --target and cannot be combined with --ignore.")
    options = {"target": asked["target"], "weight": asked["weight"], **asked["reading"].file_options}
    return (
        hornbook.scan(data, **options)
        if client is None
        else hornbook.cluster.scan(data, client=client, **options)
    )
