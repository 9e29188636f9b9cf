"""A study as text and as tables: what a reader sees first."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from tests.studies.some_study import study_of

from hornbook import Frame, datasets
from hornbook.display import Table
from hornbook.evaluation import Scores, Verdict, confusion_table, measures_beside
from hornbook.studies.report._columns import columns_of
from hornbook.studies.report._figure_tables import mistakes
from hornbook.studies.report._grid import grid_of, ranking


@pytest.fixture(scope="module")
def iris():
    return study_of(datasets.iris(), curve=False)


def test_the_text_has_the_table_of_the_report(iris):
    text = str(iris)
    assert text.startswith(f"{iris.sentence}\ndata: 150 rows, 4 columns\ntarget: species (classification)\n")
    assert "folds: 5 in 2 repeats, seed 0" in text
    assert "folds: 5 in 1 repeat, seed 0" in str(replace(iris, settings=replace(iris.settings, repeats=1)))
    for line in ranking(iris).lines:
        cells = [cell.text.replace("\u202f", " ") for cell in line.cells if cell.text]
        assert any([word for word in row.split("  ") if word] == cells for row in _trimmed(text))
    assert "  warning  duplicate_rows  3 rows repeat. Use --drop-duplicates." in text
    assert "  LogisticRegression  It would take longer than the budget." in text
    assert "e-" not in text.partition("Learners, best first")[2].partition("Checks")[0]  # no 1.2e-17
    table = text.partition("Learners, best first")[2].partition("Checks")[0]
    assert max(map(len, table.splitlines())) <= 110


def _trimmed(text):
    return ["  ".join(word.strip() for word in row.strip().split("  ") if word) for row in text.splitlines()]


def test_a_study_without_a_verdict_has_no_table(iris):
    text = str(replace(iris, verdict=None, unfinished="There was no time."))
    assert text.startswith("There was no time.\ndata: ")
    assert "Learners, best first" not in text


def test_dates_are_shown_as_dates():
    days = [date(1969, 12, 30) + timedelta(days=i) for i in range(5)]
    profile = Frame({"day": days, "x": np.arange(5.0)}).profile()
    line = columns_of(profile).seen[0]
    assert (line.kind, line.words) == ("date", "1969-12-30 to 1970-01-03, median 1970-01-01")


def test_numbers_of_a_column_have_the_same_decimals_where_that_suits_them():
    rows = [["a", 1.0, 3.14159, 50.0, 0.5], ["b", 0.96, -12.0, 7.0, 1e-9], ["c", None, 0.25, 2.0, 0.25]]
    grid = grid_of(Table("", ["", "share", "number", "count", "wide"], rows))
    texts = [[cell.text.replace("\u2212", "-") for cell in line.cells] for line in grid.lines]
    assert [row[1] for row in texts] == ["1.000", "0.960", ""]
    assert [row[2] for row in texts] == ["3.14", "-12.00", "0.25"]
    assert [row[3] for row in texts] == ["50", "7", "2"]
    assert [row[4] for row in texts] == ["0.5", "1e-09", "0.25"]  # 0.0000 would not be true


def test_the_most_frequent_mistakes_come_first():
    truth, predicted = list("aaaabbbccc"), list("abbcbbbbcc")
    table = mistakes(confusion_table(truth, predicted))
    assert [row[:3] for row in table.rows] == [["a", "b", 2.0], ["a", "c", 1.0], ["c", "b", 1.0]]
    assert [row[3] for row in table.rows] == pytest.approx([2 / 4, 1 / 4, 1 / 3])
    assert mistakes(confusion_table(truth, truth)) is None


def test_accuracy_and_the_share_of_variance_stand_beside_the_metric():
    assert measures_beside("rmse", 0)[0] == "r2"
    assert measures_beside("log_loss", 2)[0] == "accuracy"


def verdict_with(measure, greater_is_better, values):
    sizes = np.full(6, 10)
    names = [f"learner {i}" for i in range(len(values))]
    return Verdict.of(
        Scores(measure, greater_is_better, names, np.array(values), 5 * sizes, sizes), equivalence=0.0
    )


@pytest.mark.parametrize(
    ("measure", "greater", "best", "worse"),
    [("auc", True, 0.9, 0.7), ("accuracy", True, 0.9, 0.7), ("log_loss", False, 0.7, 0.9)],
)
def test_behind_best_is_how_much_worse_whichever_way_is_better(iris, measure, greater, best, worse):
    jitter = np.array([0.0, 0.01, -0.01, 0.02, -0.02, 0.0])
    verdict = verdict_with(measure, greater, [worse + jitter, best + jitter[::-1]])
    grid = ranking(replace(iris, verdict=verdict))
    place = [head for head, _ in grid.heads].index("behind best")
    assert [line.cells[place].text for line in grid.lines] == ["", "0.200"]


def test_tiny_scores_are_not_zeros(iris):
    jitter = np.array([0.0, 1e-15, -1e-15, 2e-15, -2e-15, 0.0])
    verdict = verdict_with("rmse", False, [3.2e-14 + jitter, 9.6e-14 + jitter])
    grid = ranking(replace(iris, verdict=verdict))
    place = [head for head, _ in grid.heads].index("rmse")
    assert [line.cells[place].text for line in grid.lines] == ["3.2e\u221214", "9.6e\u221214"]
    assert [line.cells[place + 2].text for line in grid.lines] == ["", "6.4e\u221214"]
