"""``hornbook compare``: two runs, or two files of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import hornbook
from hornbook.cli._command import Command, examples
from hornbook.cli._say import Say
from hornbook.cli._types import LEARNERS_LIST, METRIC, MODEL

__all__ = ["command"]

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command(
    "compare",
    cls=Command,
    short_help="Compare two runs or two files of predictions.",
    epilog=examples(
        "hornbook compare build/monday build/tuesday             all learners of two studies",
        "hornbook compare a.csv b.csv --metric error_rate        two files of predictions",
        "hornbook study data.csv --learners NaiveBayes,Baseline  learners on a table",
    ),
)
@click.argument("first", metavar="A", type=MODEL)
@click.argument("second", metavar="B", type=MODEL, required=False)
@click.option("--metric", type=METRIC, help="The measure that decides, for files of predictions.")
@click.option(
    "--alpha", default=0.05, show_default=True, type=SHARE, help="Probability of calling equals different."
)
@click.option(
    "--equivalence",
    default=0.01,
    show_default=True,
    type=click.FloatRange(min=0),
    help="Differences up to this do not matter.",
)
@click.option("--learners", type=LEARNERS_LIST, hidden=True)
@click.pass_obj
def command(
    say: Say,
    /,
    first: str,
    second: str | None,
    learners: Any,
    metric: str | None,
    alpha: float,
    equivalence: float,
) -> None:
    """Compare A and B and say whether they can be told apart.

    A and B are the folders of two studies with the same folds, or two CSV files with the columns `row`,
    `truth` and `prediction`, with `fold` and probabilities `p(class)` if there are any; `hornbook predict`
    writes such files.
    """
    if second is None or learners:
        names = ",".join(learners or ("NaiveBayes", "Baseline"))
        raise click.UsageError(
            "compare takes two folders or two files; for learners on a table: "
            f"hornbook study {first} --learners {names}"
        )
    folders = [Path(each).is_dir() for each in (first, second)]
    if folders[0] != folders[1]:
        raise click.UsageError("A and B must be two folders of studies, or two files of predictions.")
    if all(folders):
        if metric is not None:
            raise click.UsageError("--metric is for files of predictions; studies have measured already.")
        from hornbook.studies import require_same_folds  # noqa: PLC0415 - lazy: files need no studies

        require_same_folds(Path(first), Path(second))
        verdict = hornbook.evaluation.compare_runs(first, second, alpha=alpha, equivalence=equivalence)
    else:
        verdict = hornbook.evaluation.compare_predictions(
            first, second, measure=metric, alpha=alpha, equivalence=equivalence
        )
    say.result(verdict, verdict.to_dict)
