"""Two studies side by side: paired by fold where both used the same, else only shown beside each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hornbook.display import Cell, Table
from hornbook.evaluation import Verdict, compare_runs
from hornbook.studies._settings import StudyError
from hornbook.studies.run._records import require_same_folds

__all__ = ["StudyPair", "compare_studies"]

RESULTS = "results.json"


@dataclass(frozen=True)
class StudyPair:
    """Two studies beside each other.

    Parameters
    ----------
    names : (str, str)
        How they are called.
    results : tuple of mapping
        The contents of their ``results.json``; empty if there are none.
    verdict : Verdict or None
        All learners of both, compared fold by fold; None if the folds are not the same.
    reason : str
        Why there is no verdict.
    """

    names: tuple[str, str]
    results: tuple[Mapping[str, Any], ...]
    verdict: Verdict | None
    reason: str

    @property
    def table(self) -> Table | None:
        """What both studies did and found, one column for each."""
        if not self.results:
            return None
        facts = [_facts(results) for results in self.results]
        rows: list[list[Cell]] = [[name, facts[0][name], facts[1].get(name)] for name in facts[0]]
        rows += [[name, None, value] for name, value in facts[1].items() if name not in facts[0]]
        return Table("The two studies", ["", *self.names], rows)

    @property
    def learners(self) -> Table | None:
        """The score of each learner in both studies, by the measure that both have in common."""
        verdicts = [results["verdict"] for results in self.results if results.get("verdict") is not None]
        if len(verdicts) < 2 or verdicts[0]["measure"] != verdicts[1]["measure"]:
            return None
        means = [{s["name"]: s["mean"] for s in verdict["standings"]} for verdict in verdicts]
        names = dict.fromkeys([*means[0], *means[1]])
        rows: list[list[Cell]] = [[name, *(_interval_text(one.get(name)) for one in means)] for name in names]
        return Table(f"{verdicts[0]['measure']} of each learner", ["learner", *self.names], rows)

    def __str__(self) -> str:
        parts = [str(self.verdict) if self.verdict is not None else _unpaired(self.reason)]
        parts += [] if self.table is None else [str(self.table)]
        # With a verdict all learners are in its table already.
        parts += [str(self.learners)] if self.verdict is None and self.learners is not None else []
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        shown = {
            "paired": self.verdict is not None,
            "reason": self.reason,
            "studies": None if self.table is None else self.table.to_dict(),
            "learners": None if self.learners is None else self.learners.to_dict(),
        }
        if self.verdict is None:
            return shown
        return {**self.verdict.to_dict(), "positive": self.verdict.scores.positive, **shown}


def compare_studies(
    first: Path, second: Path, *, alpha: float = 0.05, equivalence: float | None = None
) -> StudyPair:
    """Compare two studies fold by fold if their folds are the same, else show them beside each other.

    Parameters
    ----------
    first, second : path
        Their folders.
    alpha : float, default 0.05
        Probability of calling any learner worse that is as good as the best.
    equivalence : float, optional
        Differences up to this do not matter; that of the first study when left out.
    """
    if first.resolve() == second.resolve():
        raise StudyError(f"{first} and {second} are the same study: pass the folders of two.")
    known = all((folder / RESULTS).is_file() for folder in (first, second))
    results = tuple(_read(folder) for folder in (first, second)) if known else ()
    names = (first.name, second.name) if first.name != second.name else (str(first), str(second))
    usual = results[0]["settings"].get("equivalence") if results else None
    limit = usual if equivalence is None else equivalence
    options = {"alpha": alpha, **({} if limit is None else {"equivalence": limit})}
    try:
        require_same_folds(first, second)
        return StudyPair(names, results, compare_runs(first, second, **options), "")
    except ValueError as error:
        # Without results there is nothing to show beside each other.
        if not results:
            raise
        return StudyPair(names, results, None, str(error))


def _unpaired(reason: str) -> str:
    return (
        f"These studies are only shown beside each other, not compared: {reason} Differences between them "
        "may come from other rows or other folds."
    )


def _read(folder: Path) -> dict[str, Any]:
    path = folder / RESULTS
    try:
        results = dict(json.loads(path.read_text(encoding="utf-8")))
        _facts(results)
    # The file may have been edited by hand, so anything can be missing or of another type.
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StudyError(f"'{path}' is damaged ({type(error).__name__}): run the study again.") from error
    return results


def _facts(results: Mapping[str, Any]) -> dict[str, Cell]:
    settings, verdict = results["settings"], results.get("verdict")
    facts: dict[str, Cell] = {
        "data": Path(settings["data"]).name or "in memory",
        "target": settings["target"],
        "task": results["task"],
        "rows": results["n_rows"],
        "columns": results["n_columns"],
        "folds": f"{settings['cv']} x {settings['repeats']}, seed {settings['seed']}",
        "tuning": settings.get("tune"),
        "learners": len(results["learners"]),
    }
    if verdict is not None:
        best = verdict["recommended"]
        facts["recommended"] = best
        baseline = next((s for s in verdict["standings"] if s["name"] == "Baseline"), None)
        mean = next(s["mean"] for s in verdict["standings"] if s["name"] == best)
        facts[str(verdict["measure"])] = _interval_text(mean)
        if baseline is not None and best != "Baseline":
            facts[f"{verdict['measure']} of Baseline"] = _interval_text(baseline["mean"])
        for measure in ("accuracy", "r2"):
            if best in results["beside"].get(measure, {}):
                facts[measure] = f"{results['beside'][measure][best]:.4g}"
    facts["seconds"] = f"{results['seconds']:.3g}"
    return facts


def _interval_text(mean: Mapping[str, Any] | None) -> str | None:
    if mean is None:
        return None
    return f"{mean['estimate']:.4g} [{mean['low']:.3g}, {mean['high']:.3g}]"
