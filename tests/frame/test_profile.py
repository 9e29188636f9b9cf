"""What a profile says about a table."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.frame import Frame
from hornbook.frame.profile import _findings as rules
from hornbook.frame.profile._relations import correlations, dependence, spaced_rows


def findings_of(frame: Frame) -> list[tuple[str, tuple[str, ...]]]:
    return [(finding.code, finding.columns) for finding in frame.profile().findings]


def noise(seed: int = 0, n: int = 200) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(n)


def test_numbers_in_a_few_numbers():
    values = [*noise(1).tolist(), np.nan, np.inf]
    column = Frame({"a": values}).profile().columns[0]
    clean = pd.Series(values[:-2])
    spread = column.spread
    assert (column.n_missing, column.n_infinite, column.n_distinct) == (1, 1, 201)
    np.testing.assert_allclose(
        [
            spread.low,
            spread.quartile_1,
            spread.median,
            spread.quartile_3,
            spread.high,
            spread.mean,
            spread.sd,
        ],
        [*clean.quantile([0, 0.25, 0.5, 0.75, 1]), clean.mean(), clean.std()],
    )
    assert sum(spread.counts) == 200
    assert len(spread.counts) == 20
    inner = pd.cut(clean, spread.edges, include_lowest=True).value_counts(sort=False)
    assert inner.tolist() == list(spread.counts)


def test_categories_in_a_few_numbers():
    column = Frame({"a": ["x", "y", "x", None, "z", "x", "z"]}).profile().columns[0]
    assert (column.n_missing, column.n_distinct) == (1, 3)
    assert column.missing_share == pytest.approx(1 / 7)
    assert column.frequent == (("x", 3), ("z", 2), ("y", 1))
    many = Frame({"a": [f"v{i:02d}" for i in range(30)]}).profile().columns[0]
    assert len(many.frequent) == 10


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6) | st.none(), min_size=1, max_size=40))
def test_numbers_agree_with_pandas(values):
    column = Frame({"a": np.array(values, dtype=float)}).profile().columns[0]
    clean = pd.Series(values, dtype=float).dropna()
    assert column.n_missing == len(values) - len(clean)
    assert column.n_distinct == clean.nunique()
    if len(clean):
        np.testing.assert_allclose(column.spread.median, clean.median(), rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(column.spread.quartile_1, clean.quantile(0.25), rtol=1e-12, atol=1e-9)
        assert sum(column.spread.counts) == len(clean)


def test_nothing_odd():
    frame = Frame({"a": noise(1), "b": noise(2), "c": ["x", "y"] * 100})
    assert findings_of(frame) == []


def test_columns_that_teach_nothing():
    frame = Frame(
        {
            "one": ["kg"] * 50,
            "gaps": [1.0, None] * 25,
            "none": [None] * 50,
            "inf": [1.0, np.inf] * 25,
            "no": list(range(50)),
            "name": [f"person {i}" for i in range(50)],
            "x": noise(1, 50),
        }
    )
    assert findings_of(frame) == [
        ("constant", ("one",)),
        ("constant", ("gaps",)),
        ("all_missing", ("none",)),
        ("infinite", ("inf",)),
        ("id_like", ("no",)),
        ("id_like", ("name",)),
    ]
    texts = [str(finding) for finding in frame.profile().findings]
    assert texts[1] == (
        "Column 'gaps' has the same value in every row where it is not missing. "
        "Leave it out, unless its gaps mean something."
    )
    assert texts[4] == (
        "Column 'no' has a different value in each of the 50 rows, as an ID has. "
        "Leave it out, or give it the role id."
    )


def test_roles_are_not_taken_for_features():
    frame = Frame({"no": list(range(50)), "w": [1.0] * 50, "x": noise(1, 50)}, id="no", weight="w")
    assert findings_of(frame) == []
    assert findings_of(Frame({"x": noise(1, 50), "y": ["same"] * 50}, target="y")) == [("constant", ("y",))]


def test_few_rows_and_dates_are_no_ids():
    assert findings_of(Frame({"a": list(range(19))})) == []
    assert findings_of(Frame({"a": [dt.date(2024, 1, 1) + dt.timedelta(days=i) for i in range(50)]})) == []


def test_text_and_many_levels():
    frame = Frame(
        {
            "review": [f"a film of {i} that nobody saw" for i in range(50)] * 8,
            "city": [f"city{i}" for i in range(200)] * 2,
            "x": noise(1, 400),
        }
    )
    assert findings_of(frame) == [("text", ("review",)), ("many_levels", ("city",))]


def test_columns_that_are_the_same():
    a, b = noise(1), noise(2)
    a[3] = np.nan
    frame = Frame(
        {
            "a": a,
            "b": b,
            "again": a.copy(),
            "t": ["x", "y"] * 100,
            "third": a.copy(),
            "u": ["x", "y"] * 100,
            "sorted": np.sort(b),
        }
    )
    assert findings_of(frame) == [
        ("duplicate_columns", ("a", "again", "third")),
        ("duplicate_columns", ("t", "u")),
    ]


def test_columns_that_say_the_same():
    a = noise(1)
    gaps = -3 * a + 7
    gaps[::5] = np.nan
    frame = Frame({"a": a, "b": noise(2), "twice": 2 * a + 1, "gaps": gaps, "near": a + 0.2 * noise(3)})
    assert findings_of(frame) == [("redundant", ("a", "twice")), ("redundant", ("a", "gaps"))]
    assert str(frame.profile().findings[1]) == (
        "Columns 'a' and 'gaps' carry the same information: correlation -1.0000. "
        "Keep one of them, for example 'a'."
    )


def test_a_sample_is_said(monkeypatch):
    monkeypatch.setattr(rules, "SAMPLED_CELLS", 2_000)
    a = noise(1, 3_000)
    (finding,) = Frame({"a": a, "b": 2 * a}).profile().findings
    assert "correlation 1.0000 in a sample of 1000 rows" in finding.sentence


def test_useless_columns():
    y = np.array(["sick", "well"] * 200)
    rng = np.random.default_rng(5)
    frame = Frame(
        {
            "noise": rng.standard_normal(400),
            "signal": rng.standard_normal(400) + (y == "sick"),
            "square": np.where(y == "sick", 1.0, 0.1)
            * rng.standard_normal(400),  # no correlation, but a relation
            "coin": rng.choice(["heads", "tails"], 400),
            "hint": np.where(rng.random(400) < 0.8, y, "sick"),
            "y": y,
        },
        target="y",
    )
    assert findings_of(frame) == [("useless", ("noise",)), ("useless", ("coin",))]
    assert "Column 'coin' by itself shows no relation with 'y': mutual information 0.00" in str(
        frame.profile().findings[1]
    )


def test_useless_columns_of_a_regression():
    x, z = noise(1, 500), noise(2, 500)
    frame = Frame({"x": x, "z": z, "y": x**2 + 0.1 * noise(3, 500)}, target="y")
    assert findings_of(frame) == [("useless", ("z",))]


def test_too_few_rows_to_call_a_column_useless():
    frame = Frame({"x": noise(1, 8), "y": ["a", "b"] * 4}, target="y")
    assert findings_of(frame) == []


def test_rows_that_repeat_earlier_ones():
    frame = Frame({"no": [1, 2, 3, 4], "a": [1.0, 0.0, 1.0, -0.0], "b": ["x", "z", "x", "z"]}, id="no")
    assert findings_of(frame) == [("duplicate_rows", ())]
    assert str(frame.profile().findings[0]).startswith("2 of 4 rows repeat an earlier row.")
    nan = Frame({"a": [np.nan, 1.0, np.nan, 3.0], "b": [1, 2, 1, 3]})
    assert [f.sentence for f in nan.profile().findings] == ["1 of 4 rows repeat an earlier row."]


def test_words_dicts_and_html():
    frame = Frame(
        {"age": [31.0, 44.0, None], "<b>": ["x", "y", "x"], "day": [dt.date(2024, 1, d) for d in (1, 2, 4)]},
        target="<b>",
    )
    profile = frame.profile()
    text = str(profile).splitlines()
    assert text[0] == "3 rows, 3 columns"
    assert text[1].split() == ["column", "kind", "role", "missing", "distinct", "values"]
    assert text[2].startswith(
        "age     numeric  feature  1 (33.3%)  2         31 to 44, median 37.5, mean 37.5"
    )
    assert text[3].split() == ["<b>", "nominal", "target", "0", "2", "x", "(2),", "y", "(1)"]
    assert text[5] == "- Column 'day': dates are read as days since 1970."
    html = profile._repr_html_()
    assert "<td>&lt;b&gt;</td>" in html
    assert "dates are read as days since 1970" in html
    plain = json.loads(json.dumps(profile.to_dict()))
    assert plain["n_rows"] == 3
    assert plain["columns"][0]["spread"]["median"] == 37.5
    assert plain["columns"][1]["frequent"] == [["x", 2], ["y", 1]]


def test_dates_are_written_as_dates():
    days = Frame({"day": [dt.date(2024, 1, 1), None, dt.date(2024, 3, 2)]}).profile()
    assert days.columns[0].dates == "2024-01-01 to 2024-03-02, median 2024-01-31"
    assert "2024-01-01 to 2024-03-02, median 2024-01-31  █" in str(days)
    assert "2024-01-01 to 2024-03-02, median 2024-01-31  █" in days._repr_html_()
    assert days.to_dict()["columns"][0]["spread"]["high"] == 19784.0


def test_moments_are_written_with_hours_and_minutes():
    late, early = np.datetime64("2024-01-05T10:30"), np.datetime64("1969-12-31T23:59")
    column = Frame({"at": np.array([late, early, late])}).profile().columns[0]
    assert column.dates == "1969-12-31 23:59 to 2024-01-05 10:30, median 2024-01-05 10:30"


def test_only_dates_are_written_as_dates():
    frame = Frame({"x": [1.0, 2.0], "word": ["a", "b"]})
    assert [column.dates for column in frame.profile().columns] == ["", ""]


def test_tables_without_rows_or_columns_have_a_profile():
    assert findings_of(Frame(np.empty((3, 0)))) == []
    assert findings_of(Frame(np.empty((0, 2)))) == [("all_missing", ("x0",)), ("all_missing", ("x1",))]


def test_correlations_over_known_pairs():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 4)) @ rng.standard_normal((4, 4))
    np.testing.assert_allclose(correlations(X), np.corrcoef(X.T), atol=1e-12)
    X[rng.random(X.shape) < 0.3] = np.nan
    np.testing.assert_allclose(correlations(X), pd.DataFrame(X).corr(), atol=1e-12)
    assert correlations(np.column_stack([X[:, 0], np.full(60, 0.1)]))[0, 1] == 0.0


def test_mutual_information():
    # A fair coin and its copy share one bit; independent coins share none.
    coin, other = np.tile([0, 1], 50).astype(np.int32), np.repeat([0, 1], 50).astype(np.int32)
    assert dependence(coin, coin).bits == pytest.approx(1.0)
    assert dependence(coin, coin).p_value < 1e-20
    assert dependence(coin, other).bits == pytest.approx(0.0, abs=1e-12)
    assert dependence(coin, other).p_value == pytest.approx(1.0)
    assert dependence(coin, np.zeros(100, dtype=np.int32)) is None


def test_evenly_spaced_rows():
    assert spaced_rows(10, 3).tolist() == [0, 4, 9]
    assert spaced_rows(3, 10).tolist() == [0, 1, 2]
