"""Version spaces against brute force, and concepts that learn from them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook import ConjunctiveConcept, load, save
from hornbook.concepts import hypothesis_space_size

ANY = -1


def all_conjunctions(n_values):
    return list(product(*[[ANY, *range(n)] for n in n_values]))


def covers(conjunction, row):
    return all(want in (ANY, cell) for want, cell in zip(conjunction, row, strict=True))


def brute_force(positive, negative, n_values):
    """Every conjunction that covers all positive and no negative rows."""
    return [
        conjunction
        for conjunction in all_conjunctions(n_values)
        if all(covers(conjunction, row) for row in positive)
        and not any(covers(conjunction, row) for row in negative)
    ]


def more_general(one, other):
    return one != other and all(a in (ANY, b) for a, b in zip(one, other, strict=True))


def boundaries(space):
    """Boundaries of a fitted version space as tuples of wanted values."""
    wanted = [tuple(np.where(kept, space.values, ANY).tolist()) for kept in space.general]
    return tuple(np.where(space.specific, space.values, ANY).tolist()), set(wanted)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(seed=st.integers(0, 10_000), d=st.integers(1, 4), n=st.integers(2, 9))
def test_boundaries_and_size_are_those_of_brute_force(seed, d, n):
    rng = np.random.default_rng(seed)
    n_values = rng.integers(2, 4, d).tolist()
    rows = np.column_stack([rng.integers(0, k, n) for k in n_values])
    rule = [rng.integers(0, k) if rng.random() < 0.5 else ANY for k in n_values]
    y = np.array([covers(rule, row) for row in rows.tolist()]) ^ (rng.random(n) < 0.05)
    if len(set(y.tolist())) < 2:
        return
    levels = [list("abc")[:k] for k in n_values]
    table = pd.DataFrame({f"x{j}": pd.Categorical.from_codes(rows[:, j], levels[j]) for j in range(d)})
    consistent = brute_force(rows[y].tolist(), rows[~y].tolist(), n_values)
    if not consistent:
        with pytest.warns(UserWarning, match="no conjunction covers all rows of class True"):
            (space,) = ConjunctiveConcept().fit(table, y).concepts_
        assert space.empty
        assert space.size == 0
        return
    model = ConjunctiveConcept().fit(table, y)
    (space,) = model.concepts_
    specific, general = boundaries(space)
    assert space.size == len(consistent)
    assert [one for one in consistent if not any(more_general(one, other) for other in consistent)] == [
        specific
    ]
    most_general = {one for one in consistent if not any(more_general(other, one) for other in consistent)}
    assert general == most_general
    rows = list(product(*map(range, n_values)))
    columns = enumerate(zip(*rows, strict=True))
    every = pd.DataFrame({f"x{j}": pd.Categorical.from_codes(codes, levels[j]) for j, codes in columns})
    by_any = ConjunctiveConcept(hypothesis="general").fit(table, y).predict(every)
    assert by_any.tolist() == [any(covers(g, row) for g in general) for row in rows]
    assert model.predict(every).tolist() == [covers(specific, row) for row in rows]


def weather():
    return pd.DataFrame(
        {
            "sky": ["sunny", "sunny", "rainy", "sunny"],
            "air": ["warm", "warm", "cold", "warm"],
            "humidity": ["normal", "high", "high", "high"],
            "wind": ["strong", "strong", "strong", "strong"],
        }
    )


def test_the_space_is_told_in_words():
    model = ConjunctiveConcept().fit(weather(), ["yes", "yes", "no", "yes"])
    (space,) = model.concepts_
    assert space.size == 6
    assert space.size < hypothesis_space_size(weather())
    text = str(model.describe())
    assert "sky = sunny and air = warm and wind = strong" in text
    assert "sky = sunny; air = warm" in text or "air = warm; sky = sunny" in text
    assert "yes if sky = sunny and air = warm and wind = strong: holds" in str(model.working(weather()[:1]))


def test_several_classes_have_a_conjunction_each_and_one_has_the_rest():
    table = pd.DataFrame(
        {"wings": ["yes", "yes", "no", "no", "no"], "home": ["air", "air", "sea", "sea", "land"]}
    )
    y = ["bird", "bird", "fish", "fish", "cat"]
    model = ConjunctiveConcept(negative="cat").fit(table, y)
    assert model.classes_[model.owners_].tolist() == ["bird", "fish"]
    assert model.predict(table).tolist() == y
    unknown = pd.DataFrame({"wings": ["no"], "home": ["land"]})
    assert model.predict(unknown).tolist() == ["cat"]


def test_missing_cells_and_numbers():
    table = pd.DataFrame({"color": ["red", None, "red", "blue"], "wheels": [4, 4, 2, 4]})
    with pytest.warns(UserWarning, match="no conjunction covers all rows of class 1"):
        # The missing color is no color, so only the wheels are shared, and a negative row has four, too.
        ConjunctiveConcept().fit(table, [1, 1, 0, 0])
    fine = ConjunctiveConcept().fit(table[:3], [1, 1, 0])
    assert "wheels = 4" in str(fine.describe())
    assert fine.predict(pd.DataFrame({"color": ["red", None], "wheels": [4, np.nan]})).tolist() == [1, 0]


def test_many_literals_are_not_counted(tmp_path):
    wide = np.ones((3, 25))
    wide[2, 0] = 0
    model = ConjunctiveConcept().fit(wide, [1, 1, 0])
    assert model.concepts_[0].size is None
    save(model, tmp_path / "m.hornbook")
    assert load(tmp_path / "m.hornbook").predict(wide).tolist() == [1, 1, 0]


@pytest.mark.parametrize("hypothesis", ["specific", "general"])
def test_too_many_boundaries_are_not_listed_and_decide_all_the_same(hypothesis, tmp_path):
    # Each negative row violates one of two literals of its own: 2^14 shortest conjunctions.
    rows = np.ones((15, 28))
    for i in range(14):
        rows[i + 1, 2 * i : 2 * i + 2] = 0
    model = ConjunctiveConcept(hypothesis=hypothesis).fit(rows, [1] + [0] * 14)
    (space,) = model.concepts_
    assert space.general is None
    assert not space.empty
    assert "any of more than 1000 conjunctions" in str(model.describe())
    save(model, tmp_path / "m.hornbook")
    model = load(tmp_path / "m.hornbook")
    assert model.predict(rows).tolist() == [1] + [0] * 14
    # One violation out of each two leaves a conjunction that covers the row.
    half = np.tile([0.0, 1.0], 14)[None]
    assert model.predict(half).tolist() == [int(hypothesis == "general")]
    text = "any of more than 1000 conjunctions: holds" if hypothesis == "general" else "does not hold"
    assert text in str(model.working(half))


def test_one_positive_among_many_negatives_of_many_columns_is_quick():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (3000, 40)).astype(float)
    model = ConjunctiveConcept(hypothesis="general", negative=0).fit(rows, np.arange(3000) == 0)
    (space,) = model.concepts_
    assert model.predict(rows).tolist() == [True] + [False] * 2999
    # No row that must be rejected follows from another one.
    contains = (space.rejected @ ~space.rejected.T == 0) & ~np.eye(len(space.rejected), dtype=bool)
    assert not contains.any()


def test_refusals():
    with pytest.raises(ValueError, match="'negative' must be one of the classes"):
        ConjunctiveConcept(negative="maybe").fit(weather(), ["yes", "yes", "no", "yes"])
