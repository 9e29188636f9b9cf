"""Checks before anything is fitted: what is odd about a table is told with a code, a reason and a remedy."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from tests.studies.tables import flowers, prepared, trend

from hornbook.studies import Settings, StudyError


def codes(ready):
    return {check.code: check for check in ready.checks}


def test_a_clean_table_has_nothing_but_notes():
    ready, notes = prepared(flowers())
    assert codes(ready) == {}
    assert "target: the last column 'kind'; target= names another" in notes
    assert "task: classification, because 'kind' is nominal; task= overrides this" in notes


@pytest.mark.parametrize(
    ("column", "code", "reason"),
    [
        (np.arange(1000, 1060), "id_like", "Column 'extra' has a different value in each of the 60 rows"),
        (np.full(60, 7.5), "constant", "Column 'extra' has the same value in every row."),
        (np.full(60, np.nan), "all_missing", "Column 'extra' has no values at all."),
        (
            np.array([f"a sentence of some words {i % 7}" for i in range(60)]),
            "text",
            "Column 'extra' holds text of 6 words on average.",
        ),
        (np.arange(60) % 2 * 3, "target_leak", "Column 'extra' is the target under another name"),
        (np.array(["x", "y"])[np.arange(60) % 2], "target_leak", "each determines the other"),
    ],
)
def test_columns_that_are_left_out_are_named_and_can_be_kept(column, code, reason):
    ready, notes = prepared(flowers(extra=column))
    check = codes(ready)[code]
    assert check.level == "left out"
    assert check.columns == ("extra",)
    assert reason in check.reason
    assert "keep=['extra']" in check.remedy
    assert str(check) in notes
    assert ready.training.features.schema.names == ("length", "width")
    kept, _ = prepared(flowers(extra=column), keep=["extra"])
    assert codes(kept)[code].level == "warning"
    assert kept.training.features.schema.names == ("length", "width", "extra")


def test_columns_that_are_left_out_are_not_told_to_be_useless_as_well():
    draws = np.random.default_rng(3).permutation(200)
    ready, _ = prepared(flowers(200, number=1000 + draws))
    assert codes(ready)["id_like"].columns == ("number",)
    assert all(check.columns != ("number",) for check in ready.checks if check.code != "id_like")
    kept, _ = prepared(flowers(200, number=1000 + draws), keep=["number"])
    assert codes(kept)["useless"].columns == ("number",)


def test_ignored_columns_are_not_looked_at():
    ready, _ = prepared(flowers(extra=np.full(60, 7.5)), ignore=["extra"])
    assert codes(ready) == {}
    assert ready.training.features.schema.names == ("length", "width")


def test_a_column_that_almost_gives_the_target_away_is_a_warning():
    y = np.arange(400) % 2
    ready, _ = prepared(flowers(400, score=y + np.linspace(0, 0.5, 400)))
    check = codes(ready)["target_leak"]
    assert (check.level, check.columns) == ("warning", ("score",))
    assert "100.0% of the rows right" in check.reason
    assert "ignore=['score']" in check.remedy
    assert "target_leak" not in codes(prepared(flowers(400))[0])


def test_numbers_that_are_the_target_in_another_unit():
    table = trend()
    table = {"feet": table["y"] * 3.28 + 1, **table}
    ready, _ = prepared(table, learners=["KNeighborsRegressor"])
    assert codes(ready)["target_leak"].columns == ("feet",)
    assert codes(ready)["target_leak"].level == "left out"
    curved = trend(400)
    curved = {"bent": np.exp(curved["y"] / 4), **curved}
    check = codes(prepared(curved, learners=["KNeighborsRegressor"])[0])["target_leak"]
    assert (check.level, check.columns) == ("warning", ("bent",))
    alone = {"feet": table["feet"], "y": table["y"]}
    assert codes(prepared(alone, learners=["KNeighborsRegressor"])[0])["target_leak"].level == "warning"


def test_dates_gaps_and_copies_are_told():
    days = [date(2024, 1, 1) + timedelta(days=int(i) // 2) for i in range(60)]
    table = flowers(day=days)
    table["length"][3] = np.nan
    table["twin"] = table["width"]
    ready, messages = prepared({"twin": table.pop("twin"), **table})
    notes = codes(ready)
    assert str(notes["date"]) in messages
    assert notes["date"].reason == "Dates are read as days since 1970: 'day'."
    assert notes["missing"].reason == "Columns with missing cells: 'length' (1.7%)."
    assert notes["duplicate_columns"].level == "warning"
    assert [check.level for check in ready.checks] == sorted(
        (check.level for check in ready.checks), key=["left out", "warning", "note"].index
    )


def test_repeated_rows_are_a_warning_and_can_be_dropped():
    table = {name: np.concatenate([column, column[:5]]) for name, column in flowers().items()}
    check = codes(prepared(table)[0])["duplicate_rows"]
    assert check.reason == "5 of 65 rows repeat an earlier row."
    assert "drop_duplicates=True" in check.remedy
    ready, notes = prepared(table, drop_duplicates=True)
    assert len(ready.training.target.codes) == 60
    assert ready.training.rows.tolist() == list(range(60))
    assert "rows: 5 of 65 are left out, as requested" in notes
    assert "duplicate_rows" not in codes(ready)


def test_a_class_with_fewer_rows_than_folds_is_a_warning():
    table = flowers()
    table["kind"][0] = "odd"
    ready, _ = prepared(table, cv=5)
    assert "Classes with fewer rows than the 5 folds: 'odd' (1)." in codes(ready)["tiny_class"].reason
    assert ready.training.target.classes == ("odd", "tame", "wild")
    assert sorted(np.bincount(ready.folds[0])) == [12] * 5


@pytest.mark.parametrize(
    ("table", "settings", "sentence"),
    [
        (flowers(3), {}, "with 3 folds needs at least 6. Collect more rows: 6 are enough for cv=3."),
        (flowers(8), {"cv": 10}, "folds needs at least 10. Use fewer folds, cv=4, or collect more rows."),
        (
            {**flowers(), "kind": np.arange(60) % 3 + 0.5},
            {"task": "classification"},
            "The target 'kind' holds numbers such as 0.5, which are not classes. Use task='regression', or",
        ),
        (
            {**flowers(), "kind": ["wild"] * 60},
            {},
            (
                "The target 'kind' has the same value in every row, so there is nothing to predict. "
                "Choose another target with target=."
            ),
        ),
        (
            {**flowers(3000), "kind": np.arange(3000) % 1000},
            {"task": "classification"},
            (
                "The target 'kind' has 1000 classes for 3000 rows. That is too few rows of each to learn "
                "from: use task='regression', or group the rare ones, or choose another target."
            ),
        ),
        (
            {**flowers(), "kind": [None, *flowers()["kind"][1:]]},
            {},
            (
                "1 of 60 rows have no value in the target 'kind'. Fill them in, or leave these rows out with "
                "drop_missing_target=True."
            ),
        ),
        (
            {**trend(), "y": [np.inf, *trend()["y"][1:]]},
            {"learners": ["KNeighborsRegressor"]},
            "The target 'y' has infinite values.",
        ),
        (
            flowers(extra=[np.inf, *range(59)]),
            {},
            (
                "Column 'extra' has 1 infinite values. Correct them or make them missing, or leave the "
                "column out with ignore=['extra']."
            ),
        ),
        ({"a": np.ones(60), "kind": flowers()["kind"]}, {}, "No column is left to learn from: 'a'"),
        (flowers(w=-np.ones(60)), {"weight": "w"}, "Weights in 'w' must be numbers >= 0, not all of them 0."),
        (flowers(g=np.arange(60) % 2), {"group": "g"}, "2 groups in 'g' are too few for 3 folds."),
        (
            flowers(g=[None, *"ab" * 29, "a"]),
            {"group": "g"},
            "1 rows have no group in 'g'. Give every row a group.",
        ),
    ],
)
def test_what_stops_a_study(table, settings, sentence):
    learners = settings.pop("learners", ["NaiveBayes"]) if settings else ["NaiveBayes"]
    with pytest.raises(StudyError) as caught:
        prepared(table, learners=learners, **settings)
    assert sentence in str(caught.value)


def test_a_thousand_classes_with_enough_rows_are_a_warning():
    table = {"a": np.arange(6000) % 77, "b": np.arange(6000) % 13, "kind": np.arange(6000) % 1000}
    ready, _ = prepared(table, task="classification")
    assert codes(ready)["too_many_classes"].level == "warning"
    assert len(ready.training.target.classes) == 1000


def test_rows_without_a_target_are_dropped_when_asked():
    table = flowers()
    table["kind"][4] = None
    ready, notes = prepared(table, drop_missing_target=True)
    assert ready.training.rows.tolist() == [0, 1, 2, 3, *range(5, 60)]
    assert "rows: 1 of 60 are left out, as requested" in notes


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"target": "knid"}, r"there is no column 'knid' to be the target; .* Did you mean 'kind'\?"),
        (
            {"ignore": ["lenght"]},
            r"no column 'lenght' for ignore=; the columns are .* Did you mean 'length'\?",
        ),
        ({"keep": ["kind"]}, "keep= names the target 'kind': leave it out there"),
        (
            {"weight": "widht"},
            r"there is no column 'widht' for weight=; the columns are .* Did you mean 'width'\?",
        ),
        ({"metric": "acuracy"}, r"'acuracy' is not a measure; .* Did you mean 'accuracy'\?"),
        ({"metric": "rmse"}, "'rmse' is not a measure for classification; there are accuracy"),
        ({"metric": "cost_risk"}, "cost_risk cannot be the metric of this study: "),
        ({"learners": ["NaiveBays"]}, r"there is no learner 'NaiveBays'; .* Did you mean 'NaiveBayes'\?"),
        ({"learners": ["KNeighborsRegressor"]}, "KNeighborsRegressor is for regression, and this is a clas"),
        (
            {"learners": ["Scaled"]},
            r"Scaled wraps another learner: pass it as an object",
        ),
        ({"learners": {"a": 3}}, "'a' is not a learner for classification: 3."),
        ({"task": "regression"}, "the target 'kind' is nominal, so it cannot be the target of a regression"),
    ],
)
def test_wrong_names_are_one_sentence(settings, sentence):
    learners = settings.get("learners", ["NaiveBayes"])
    rest = {name: value for name, value in settings.items() if name != "learners"}
    with pytest.raises(StudyError, match=sentence):
        prepared(flowers(), learners=learners, **rest)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("butterfly", "a study needs a target, and the table 'butterfly' has none: name one of its columns"),
        ("irs", r"there is no file and no data set 'irs'; .* Did you mean 'iris'\?"),
        ("", "a study needs data: pass a table, a file or the name"),
        (
            {"a": [1.0, 2.0]},
            "a study needs a target and at least one more column; the table has fewer than two",
        ),
    ],
)
def test_data_without_a_target_or_without_a_name(data, sentence):
    with pytest.raises(StudyError, match=sentence):
        prepared(data)


def test_what_can_be_known_before_the_study_is_checked_without_it():
    assert Settings(cv=2).repeats == 3
    ready, notes = prepared(flowers(), learners=None)
    assert ready.candidates[0].name == "Baseline"
    scaled = [candidate.name for candidate in ready.candidates if candidate.scaled]
    assert "KNeighborsClassifier" in scaled
    assert any("Columns are standardized inside each fold for" in note for note in notes)
    plain, notes = prepared(flowers(), learners=["KNeighborsClassifier"], scale=False)
    assert codes(plain)["not_scaled"].level == "warning"
