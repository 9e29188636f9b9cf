"""Categories in `describe`: each level against the first, as with a reference level by hand."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

import hornbook
from hornbook import (
    Frame,
    GeneralizedLinearRegressor,
    LinearRegression,
    LogisticRegression,
    LogLinearRegression,
    Ridge,
)

PAIRS = {"intercept": 0, "sex=m": 1, "size=b": 2, "size=c": 3, "x": 4}  # positions in statsmodels' results
REFERENCES = ("sex=f (reference)", "size=a (reference)")


def table(n=40):
    rng = np.random.default_rng(0)
    sex, size = np.array(["f", "m"])[rng.integers(0, 2, n)], np.array(["a", "b", "c"])[rng.integers(0, 3, n)]
    x = rng.normal(size=n)
    y = np.exp(0.3 * x + (sex == "m") + 0.1 * rng.normal(size=n))
    by_hand = np.column_stack([sex == "m", size == "b", size == "c", x]).astype(float)
    return Frame({"sex": sex, "size": size, "x": x}), by_hand, y


def rows_of(model):
    (table,) = model.describe().to_dict()["tables"]
    return {row[0]: row[1:] for row in table["rows"]}


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
    weights = (by_hand[:, 0] == 1).astype(float)  # all rows of the first level have weight 0
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


def family_of(name, link):
    families = {
        "gaussian": sm.families.Gaussian,
        "poisson": sm.families.Poisson,
        "gamma": sm.families.Gamma,
        "binomial": sm.families.Binomial,
    }
    own = {"gaussian": "Identity", "poisson": "Log", "gamma": "InversePower", "binomial": "Logit"}
    chosen = own[name] if link == "canonical" else "Log"
    return families[name](link=getattr(sm.families.links, chosen)())


@pytest.mark.filterwarnings("ignore:The InversePower link function does not respect the domain")
@pytest.mark.parametrize(
    ("family", "link"),
    [
        ("gaussian", "canonical"),
        ("gaussian", "log"),
        ("poisson", "canonical"),
        ("gamma", "canonical"),
        ("gamma", "log"),
        ("binomial", "canonical"),
    ],
)
def test_generalized_linear_models_are_tested_as_in_statsmodels(family, link):
    frame, by_hand, y = table(120)
    y = y / (1 + y) if family == "binomial" else np.floor(3 * y) if family == "poisson" else y
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    model = GeneralizedLinearRegressor(family=family, link=link)
    description = model.fit(frame, y, sample_weight=weights).describe().to_dict()
    rows = {row[0]: row[1:] for row in description["tables"][0]["rows"]}
    # Treatment coding, by hand; tests by the normal distribution, a row of weight 2 counted as two.
    theirs = sm.GLM(y, sm.add_constant(by_hand), family=family_of(family, link), freq_weights=weights)
    fitted = theirs.fit(tol=1e-14, maxiter=200)
    columns = [fitted.params, fitted.bse, fitted.tvalues, fitted.pvalues, *fitted.conf_int().T]
    for term, place in PAIRS.items():
        np.testing.assert_allclose(rows[term], [column[place] for column in columns], rtol=1e-6, err_msg=term)
    for level in REFERENCES:
        assert rows[level] == [0.0, 0.0, None, None, 0.0, 0.0]
    assert len(rows) == len(PAIRS) + len(REFERENCES)
    assert description["facts"]["categories"].startswith("each level against the reference level")
    assert "rank" not in description["facts"]


def test_an_offset_stays_as_it_is_among_levels():
    frame, by_hand, y = table(120)
    counts = np.floor(3 * y)
    rows = rows_of(GeneralizedLinearRegressor(family="poisson", offset="x").fit(frame, counts))
    exog, offset = sm.add_constant(by_hand[:, :3]), by_hand[:, 3]
    fitted = sm.GLM(counts, exog, family=sm.families.Poisson(), offset=offset).fit(tol=1e-14)
    for term, place in list(PAIRS.items())[:4]:
        np.testing.assert_allclose(rows[term][:2], [fitted.params[place], fitted.bse[place]], rtol=1e-6)
    assert rows["x"][:2] == [1.0, 0.0]


def test_generalized_linear_models_say_what_follows_from_others():
    frame, by_hand, y = table()
    doubled = Frame({"sex": frame["sex"], "x": by_hand[:, 3], "again": by_hand[:, 3]})
    facts = (
        GeneralizedLinearRegressor(family="gamma", link="log").fit(doubled, y).describe().to_dict()["facts"]
    )
    assert facts["rank"] == "2 of 3: some columns follow from others"


def test_a_file_of_a_generalized_linear_model_keeps_the_comparisons(tmp_path):
    frame, _, y = table()
    model = GeneralizedLinearRegressor(family="gamma", link="log").fit(frame, y)
    hornbook.save(model, tmp_path / "levels.hornbook")
    assert str(hornbook.load(tmp_path / "levels.hornbook").describe()) == str(model.describe())
    assert model.reference_levels_.tolist() == [0, 2]
    del model.reference_levels_, model.reference_errors_  # as in older files
    assert "sex=f" in rows_of(model)


def test_log_odds_without_a_penalty_are_those_of_treatment_coding():
    frame, by_hand, y = table(200)
    ill = (y + np.random.default_rng(2).normal(size=len(y)) > 1.5).astype(int)
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(frame, ill)
    rows, expected = rows_of(model), sm.Logit(ill, sm.add_constant(by_hand)).fit(disp=0).params
    for term, place in PAIRS.items():
        np.testing.assert_allclose(rows[term], [expected[place], np.exp(expected[place])], rtol=1e-6)
    for level in REFERENCES:
        assert rows[level] == [0.0, 1.0]
    assert "categories" in model.describe().to_dict()["facts"]


def test_log_odds_of_several_classes_differ_as_those_of_treatment_coding():
    frame, by_hand, y = table(300)
    kind = np.digitize(y + np.random.default_rng(2).normal(size=len(y)), [0.5, 2.0])
    coefficients, _ = LogisticRegression(C=np.inf, tol=1e-8).fit(frame, kind).describe().to_dict()["tables"]
    rows = {row[0]: np.array(row[1:]) for row in coefficients["rows"]}
    expected = sm.MNLogit(kind, sm.add_constant(by_hand)).fit(disp=0).params  # against the first class
    for term, place in PAIRS.items():
        np.testing.assert_allclose(rows[term][1:] - rows[term][0], expected[place], rtol=1e-5)
    assert rows[REFERENCES[0]].tolist() == [0.0, 0.0, 0.0]


def test_a_penalty_makes_all_levels_unique_and_they_are_shown():
    frame, _, y = table()
    for model in (Ridge(alpha=1.0).fit(frame, y), LogisticRegression().fit(frame, y > 1)):
        assert rows_of(model)["sex=f"][0] == pytest.approx(-rows_of(model)["sex=m"][0])
        assert not model.reference_levels_.size


def test_ridge_without_a_penalty_is_least_squares_in_words_too():
    frame, _, y = table()
    ridge, plain = rows_of(Ridge(alpha=0.0).fit(frame, y)), rows_of(LinearRegression().fit(frame, y))
    assert list(ridge) == list(plain)
    for term, (coefficient,) in ridge.items():
        assert coefficient == pytest.approx(plain[term][0])
