"""``hornbook compare``: two runs, two files of predictions, or two models on the same rows."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._console import Console
from hornbook.cli._model_pair import compare_models, is_model
from hornbook.cli._reading import Reading, reading_options
from hornbook.cli._types import COLUMN, DATA, LEARNERS_LIST, METRIC, MODEL

__all__ = ["command"]

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(
    "compare",
    cls=Command,
    short_help="Compare two runs, two models, or two files of predictions.",
    epilog=examples(
        "hornbook compare build/monday build/tuesday             all learners of two studies",
        "hornbook compare a.hornbook b.hornbook new.csv          two models on the same rows",
        "hornbook compare a.csv b.csv --metric error_rate        two files of predictions",
        "hornbook study data.csv --learners NaiveBayes,Baseline  learners on a table",
    ),
)
@click.argument("first", metavar="A", type=MODEL)
@click.argument("second", metavar="B", type=MODEL, required=False)
@click.argument("data", metavar="[DATA]", type=DATA, required=False)
@click.option("--metric", type=METRIC, help="The measure to compare by; studies have one already.")
@click.option("--positive", metavar="CLASS", help="The positive class of two.")
@click.option("--target", "-y", type=COLUMN, help="For models: the target column.")
@click.option(
    "--alpha", default=0.05, show_default=True, type=SHARE, help="Probability of a false difference."
)
@click.option(
    "--equivalence",
    show_default="0.01; for RMSE and MAE 0.01 of the standard deviation of the target",
    type=click.FloatRange(min=0),
    help="Smaller differences do not matter.",
)
# Not an option of this command, but a likely guess: the error then names the command to use.
@click.option("--learners", type=LEARNERS_LIST, hidden=True)
@reading_options
@click.pass_obj
def command(
    console: Console,
    /,
    first: str,
    second: str | None,
    data: str | None,
    target: str | None,
    **asked: Any,
) -> None:
    """Compare A and B and say whether they can be told apart.

    A and B are the folders of two studies, compared fold by fold if they have the same folds, and else only
    shown beside each other; or two model files, evaluated on the rows of DATA, whose target is known and
    which neither model was fitted on; or two CSV files with the columns `row`, `truth` and `prediction`, and
    optionally `fold` and probabilities `p(class)`, as written by `hornbook predict`.
    """
    reading, metric, learners = (asked.pop(name) for name in ("reading", "metric", "learners"))
    # Left out, so that the default of the library applies, which depends on the measure.
    if asked["equivalence"] is None:
        del asked["equivalence"]
    if second is None or learners:
        names = ",".join(learners or ("NaiveBayes", "Baseline"))
        raise click.UsageError(
            "compare takes two folders, two models or two files; for learners on a table: "
            f"hornbook study {first} --learners {names}"
        )
    if data is not None or is_model(first) or is_model(second):
        verdict, seen = _models(
            console, (first, second), data, reading=reading, target=target, measure=metric, **asked
        )
        _say_verdict(console, verdict, seen_in_training=seen)
        return
    if target is not None or reading != Reading():
        raise click.UsageError("--target, --kinds, --delimiter and --missing are for models with DATA.")
    folders = [Path(path).is_dir() for path in (first, second)]
    if folders[0] != folders[1]:
        raise click.UsageError("A and B must be two folders of studies, or two models, or two files.")
    if all(folders):
        for option, value in (("--metric", metric), ("--positive", asked.pop("positive"))):
            if value is not None:
                raise click.UsageError(
                    f"{option} is for files of predictions and models; studies have their own."
                )
        from hornbook.studies import compare_studies  # noqa: PLC0415 - lazy: files need no studies

        pair = compare_studies(Path(first), Path(second), **asked)
        _say_positive(console, pair.verdict)
        console.result(pair, pair.to_dict)
        return
    _say_verdict(console, hornbook.evaluation.compare_predictions(first, second, measure=metric, **asked))


def _say_positive(console: Console, verdict: Any) -> None:
    if verdict is not None and verdict.scores.positive is not None:
        console.note(f"positive: '{verdict.scores.positive}'; --positive names the other.")


def _say_verdict(console: Console, verdict: Any, **more: Any) -> None:
    _say_positive(console, verdict)
    console.result(verdict, lambda: {**verdict.to_dict(), "positive": verdict.scores.positive, **more})


def _models(console: Console, models: tuple[str, str], data: str | None, **options: Any) -> Any:
    if data is None:
        raise click.UsageError(
            "two models are compared on rows whose target is known: "
            f"hornbook compare {shlex.join(models)} DATA"
        )
    for path in models:
        if not is_model(path) and not Path(path).is_dir():
            raise click.UsageError(
                f"'{path}' is not a model file: with DATA, A and B are models or folders of studies."
            )
    return compare_models(models, data, console, **options)
