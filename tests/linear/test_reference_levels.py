"""Categories in `describe`: each level against the first, as with a reference level by hand."""

from __future__ import annotations

import numpy as np
import pytest

import hornbook
from hornbook import Frame, LinearRegression, LogLinearRegression


def table(n=40):
    rng = np.random.default_rng(0)
    sex, size = np.array(["f", "m"])[rng.integers(0, 2, n)], np.array(["a", "b", "c"])[rng.integers(0, 3, n)]
    x = rng.normal(size=n)
    y = np.exp(0.3 * x + (sex == "m") + 0.1 * rng.normal(size=n))
    by_hand = np.column_stack([sex == "m", size == "b", size == "c", x]).astype(float)
    return Frame({"sex": sex, "size": size, "x": x}), by_hand, y


def rows_of(model):
    (found,) = model.describe().to_dict()["tables"]
    return {row[0]: row[1:] for row in found["rows"]}


@pytest.mark.parametrize("learner", [LinearRegression, LogLinearRegression])
def test_levels_are_tested_as_with_a_reference_level_by_hand(learner):
    frame, by_hand, y = table()
    coded, plain = rows_of(learner().fit(frame, y)), rows_of(learner().fit(by_hand, y))
    pairs = {"intercept": "intercept", "sex=m": "x0", "size=b": "x1", "size=c": "x2", "x": "x3"}
    for ours, hand in pairs.items():
        np.testing.assert_allclose(coded[ours], plain[hand], rtol=1e-9)
    for level in ("sex=f (reference)", "size=a (reference)"):
        assert coded[level] == [0.0, 0.0, None, None, 0.0, 0.0]


def test_the_coding_is_explained_and_the_data_not_blamed():
    frame, _, y = table()
    model = LinearRegression().fit(frame, y)
    facts = model.describe().to_dict()["facts"]
    assert "rank" not in facts
    assert facts["categories"].startswith("each level against the reference level of its column")
    assert model.coef_[:2].sum() == pytest.approx(0.0, abs=1e-12)  # the shortest weights, as documented
    assert model.reference_levels_.tolist() == [0, 2]


def test_columns_that_do_follow_from_others_are_still_counted():
    _, by_hand, y = table()
    doubled = Frame(
        {"sex": np.where(by_hand[:, 0] == 1, "m", "f"), "x": by_hand[:, 3], "again": by_hand[:, 3]}
    )
    facts = LinearRegression().fit(doubled, y).describe().to_dict()["facts"]
    assert facts["rank"] == "2 of 3: some columns follow from others"


def test_a_level_that_does_not_occur_is_no_reference():
    frame, by_hand, y = table()
    weights = (by_hand[:, 0] == 1).astype(float)  # all rows of the first level weigh nothing
    model = LinearRegression().fit(frame, y, sample_weight=weights)
    assert model.reference_levels_.tolist()[0] == 1


def test_without_an_intercept_all_levels_are_shown():
    _, _, y = table()
    model = LinearRegression(fit_intercept=False).fit(Frame({"sex": np.where(y > 1, "m", "f")}), y)
    assert list(rows_of(model)) == ["sex=f", "sex=m"]
    assert not model.reference_levels_.size


def test_several_targets_have_a_table_each():
    frame, by_hand, y = table()
    both = np.column_stack([y, -y])
    coded = LinearRegression().fit(frame, both).describe().to_dict()["tables"]
    plain = LinearRegression().fit(by_hand, both).describe().to_dict()["tables"]
    for one, other in zip(coded, plain, strict=True):
        np.testing.assert_allclose(one["rows"][2][1:], other["rows"][1][1:], rtol=1e-9)


def test_a_model_file_keeps_the_comparisons(tmp_path):
    frame, _, y = table()
    model = LinearRegression().fit(frame, y)
    hornbook.save(model, tmp_path / "levels.hornbook")
    assert str(hornbook.load(tmp_path / "levels.hornbook").describe()) == str(model.describe())


def test_a_model_of_an_older_file_shows_all_levels():
    frame, _, y = table()
    model = LinearRegression().fit(frame, y)
    del model.reference_levels_, model.reference_errors_
    assert "sex=f" in rows_of(model)
