"""The files of a study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.evaluation import write_scores
from hornbook.frame import csv_safe
from hornbook.persist import ModelFileError, save
from hornbook.studies._files import place, write_text
from hornbook.studies._study import Study
from hornbook.studies.clusters._findings import ClusterFindings
from hornbook.studies.outliers._findings import OutlierFindings
from hornbook.studies.prepare._setting_text import setting_text
from hornbook.studies.report._figures import figures_as_svg

if TYPE_CHECKING:
    import polars as pl

__all__ = ["save_model", "write_files"]

MODEL, PLOTS = "model.hornbook", "plots"
IN_PYTHON = "# Run from Python: a table in memory and learners passed as objects are not in this file.\n"


def write_files(study: Study, folder: Path) -> None:
    """Write everything but the model; ``results.json`` comes last, as a sign that all else is complete.

    Parameters
    ----------
    study : Study
        The study.
    folder : path
        Its folder.
    """
    write_text(folder / "config.toml", ("" if study.command else IN_PYTHON) + study.settings.to_toml())
    if study.scores is not None:
        scores, cv = study.scores, study.settings.cv
        chosen = {
            (learner.name, choice["repeat"] * cv + choice["fold"]): setting_text(choice["setting"])
            for learner in study.learners
            for choice in learner.chosen
        }
        place(
            folder / "scores.csv",
            lambda path: write_scores(
                scores, path, folds_per_repeat=cv, settings=chosen, safe=study.settings.csv_safe
            ),
        )
    if study.outliers is not None:
        place(folder / "scores.csv", score_table(study.outliers).write_csv)
    elif study.clusters is not None and len(study.clusters.labels):
        place(folder / "clusters.csv", cluster_table(study.clusters).write_csv)
    elif study.clusters is None and study.recommended is not None:
        table = prediction_table(study, study.recommended)
        safe = csv_safe(table) if study.settings.csv_safe else table
        place(folder / "predictions.csv", safe.write_csv)
    (folder / PLOTS).mkdir(exist_ok=True)
    figures = figures_as_svg(study)
    # An earlier run of the same study may have had other plots, which would contradict the report.
    for old in {path.stem for path in (folder / PLOTS).glob("*.svg")} - set(figures):
        (folder / PLOTS / f"{old}.svg").unlink()
    for name, svg in figures.items():
        write_text(folder / PLOTS / f"{name}.svg", svg)
    place(folder / "report.html", study.report)
    # No NaN: it is not JSON, and browsers and other languages refuse it.
    write_text(folder / "results.json", json.dumps(study.to_dict(), indent=1, allow_nan=False) + "\n")


def save_model(model: Any, folder: Path, trained_on: Any = None) -> str:
    """Save the model; return why it cannot be saved, or an empty string.

    Parameters
    ----------
    model : learner or None
        Fitted to all rows; None deletes the model of an earlier verdict.
    folder : path
        The folder of the study.
    trained_on : (Frame, ndarray), optional
        The training rows, whose fingerprint the file keeps.
    """
    if model is None:
        (folder / MODEL).unlink(missing_ok=True)
        return ""
    try:
        save(model, folder / MODEL, trained_on=trained_on)
    except ModelFileError as error:
        # A full disk is the user's to mend; a learner that cannot be saved is only noted.
        if isinstance(error.__cause__, OSError):
            raise error.__cause__ from error
        save_model(None, folder)
        return f"model: not saved, because {error}"
    return ""


def cluster_table(clusters: ClusterFindings) -> pl.DataFrame:
    """Return the cluster of each row; -1 is noise.

    Parameters
    ----------
    clusters : ClusterFindings
        What a clustering found.
    """
    import polars as pl  # noqa: PLC0415 - slow to import, and only files need it

    return pl.DataFrame({"row": clusters.rows, "cluster": clusters.labels})


def score_table(outliers: OutlierFindings) -> pl.DataFrame:
    """Return how unusual each row is, by all methods together and by each.

    Parameters
    ----------
    outliers : OutlierFindings
        What a study of outliers found.
    """
    import polars as pl  # noqa: PLC0415 - slow to import, and only files need it

    unusual = np.isin(outliers.rows, [row.row for row in outliers.unusual])
    columns = {"row": outliers.rows, "score": outliers.scores, "low": outliers.low, "high": outliers.high}
    return pl.DataFrame({**columns, "sure": outliers.sure, "unusual": unusual, **outliers.by_method})


def prediction_table(study: Study, name: str) -> pl.DataFrame:
    """Return the out-of-fold predictions of one learner, repeat by repeat.

    Parameters
    ----------
    study : Study
        The study.
    name : str
        The learner.
    """
    import polars as pl  # noqa: PLC0415 - slow to import, and only files need it

    kept = study.predictions
    parts = []
    for repeat in range(len(kept.folds)):
        predicted = kept.labels(name, repeat)
        known = np.isfinite(predicted) if not kept.classes else np.array([p is not None for p in predicted])
        columns: dict[str, Any] = {
            "row": kept.rows[known],
            "truth": kept.truth[known].tolist(),
            "prediction": predicted[known].tolist(),
            "repeat": np.full(int(known.sum()), repeat),
            "fold": kept.folds[repeat][known],
        }
        if kept.kinds[name] == "probabilities":
            probabilities = kept.answers[name][repeat][known]
            columns |= {f"p({label})": probabilities[:, j] for j, label in enumerate(kept.classes)}
        parts.append(pl.DataFrame(columns))
    return pl.concat(parts, how="vertical_relaxed")
