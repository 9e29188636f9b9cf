"""What `results.json` of a study contains, as text: the first screen of its report, and the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from hornbook.display import IntervalRow, Table, interval_lines

__all__ = ["learner_lines", "results_text"]

MARKS = {"best": "●", "tied best": "●", "too noisy to rank": "○", "worse": "·"}
MOST_CLASSES = 12  # of a confusion table that fits into a terminal
MOST_COLUMNS = 10  # whose importance is printed
MOST_MISTAKES = 5
MOST_BINS = 12  # of a calibration curve

Plain = Mapping[str, Any]


def results_text(results: Plain, *, width: int = 80) -> str:
    """Return a study as text, from its results alone.

    Parameters
    ----------
    results : mapping
        The content of ``results.json``.
    width : int, default 80
        Characters of a line.
    """
    return "\n\n".join(part for part in _parts(results, width) if part)


def _parts(results: Plain, width: int) -> Iterator[str]:
    yield "\n".join(wrap(str(results["sentence"]), width, break_long_words=False, break_on_hyphens=False))
    yield "\n".join(_facts(results))
    yield "\n".join(learner_lines(results.get("verdict"), width=width))
    yield from _evidence(results.get("evidence") or {})
    yield _importance(results.get("importance") or [])
    yield from _explanation(results.get("explanation") or {}, width)
    yield _listed("Checks before fitting", results.get("checks") or [], ("level", "code", "reason"))
    yield _listed("Left out", results.get("skipped") or [], ("name", "reason"))


def _facts(results: Plain) -> list[str]:
    settings = results["settings"]
    repeats = f"{settings['repeats']} repeat{'' if settings['repeats'] == 1 else 's'}"
    lines = [
        f"data: {settings['data'] or 'in memory'}, {results['n_rows']} rows, {results['n_columns']} columns",
        f"task: {results['task']}, set aside: {settings['target']}"
        if results["task"] in ("clustering", "outliers")
        else f"target: {settings['target']} ({results['task']})",
        f"folds: {settings['cv']} in {repeats}, seed {settings['seed']}",
        f"done: {results['done']} of {results['total']} folds, {results['ended']}",
    ]
    headline = (results.get("evidence") or {}).get("headline")
    if headline is not None:
        lines += [f"{one['name']}: {one['value']}, {one['beside']}" for one in headline["figures"]]
    elif (held_out := results.get("held_out")) is not None:
        first = held_out["scores"][0]
        rows = f"on {held_out['n_rows']} rows of {held_out['data']}"
        lines.append(f"test: {first['measure']} {first['value']:.3g} {rows}")
    return lines


def learner_lines(verdict: Plain | None, *, width: int = 80) -> list[str]:
    """Return all learners of a verdict with their intervals on one scale, best first.

    Parameters
    ----------
    verdict : mapping, optional
        A verdict as plain data; no lines without one.
    width : int, default 80
        Characters of a line.
    """
    if not verdict:
        return []
    ranked = [s for s in verdict["standings"] if s["mean"] is not None]
    rows = [IntervalRow(s["name"], *_ends(s["mean"]), MARKS.get(s["status"], "·")) for s in ranked]
    better = "larger" if verdict["greater_is_better"] else "smaller"
    level = f"{100 * (1 - verdict['alpha']):g} % intervals over {verdict['folds']} folds"
    lines = [f"{verdict['measure']}, {better} is better; {level}", *interval_lines(rows, width=width)]
    marks = {s["status"] for s in ranked}
    words = [
        ("● best or tied best", "best"),
        ("○ too noisy to rank", "too noisy to rank"),
        ("· worse", "worse"),
    ]
    lines.append("; ".join(text for text, status in words if status in marks))
    lines += [f"{s['name']}: not ranked, {s['note']}" for s in verdict["standings"] if s["mean"] is None]
    return lines


def _ends(mean: Plain) -> tuple[float, float, float]:
    return float(mean["estimate"]), float(mean["low"]), float(mean["high"])


def _evidence(evidence: Plain) -> Iterator[str]:
    counted = evidence.get("confusion")
    if counted is not None and len(counted["labels"]) <= MOST_CLASSES:
        labels = [str(label) for label in counted["labels"]]
        rows = [[label, *counts] for label, counts in zip(labels, counted["counts"], strict=True)]
        yield str(Table("Confusion: truth down, prediction across", ["", *labels], rows))
    elif (mistakes := evidence.get("mistakes")) is not None:
        yield str(Table(mistakes["title"], mistakes["head"], mistakes["rows"][:MOST_MISTAKES]))
    for figure in evidence.get("figures", ()):
        table = figure["table"]
        if figure["name"] == "calibration" and len(table["rows"]) <= MOST_BINS:
            yield str(Table(table["title"], table["head"], table["rows"]))


def _importance(columns: Sequence[Plain]) -> str:
    if not columns:
        return ""
    rows = [[one["column"], one["mean"], one["sd"]] for one in columns[:MOST_COLUMNS]]
    head = ["column", "loss when shuffled", "standard deviation"]
    return str(Table("Which columns matter", head, rows))


def _explanation(explanation: Plain, width: int) -> Iterator[str]:
    effects = [f"  With {one['column']}, {one['words']}." for one in explanation.get("effects", ())]
    if effects:
        yield "\n".join(["In which direction", *effects])
    related = [[one["column"], one["strength"], one["words"]] for one in explanation.get("columns", ())]
    if related:
        head = ["column", "explains", "where"]
        yield str(Table("Each column against the target, by itself", head, related[:MOST_COLUMNS]))
    head = ["column", "part", "n_rows", "error", "elsewhere"]
    if worse := [[one[name] for name in head] for one in explanation.get("slices", ())]:
        yield str(Table("Where the model is worse than elsewhere", head, worse))
    if explanation.get("more_rows"):
        yield "\n".join(wrap(f"More data? {explanation['more_rows']}", width))
    if (tree := explanation.get("surrogate")) is not None:
        rules = [f"  if {condition}: {answer}" for condition, answer in tree["rules"]]
        title = f"A small tree that imitates the model (fidelity {tree['fidelity']:.3g})"
        yield "\n".join([title, *rules])
    rows = [
        [a["kind"], a["row"], a["truth"], a["prediction"], a["loss"]] for a in explanation.get("rows", ())
    ]
    if rows:
        yield str(Table("Single rows", ["kind", "row", "truth", "prediction", "loss"], rows))


def _listed(title: str, entries: Sequence[Plain], names: Sequence[str]) -> str:
    lines = [f"  {'  '.join(str(one[name]) for name in names)}" for one in entries]
    return "\n".join([title, *lines]) if lines else ""
