"""BayesianNetwork against the whole joint distribution, and its corners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bayes.tables import coded, mixed
from tests.oracles.network import conditional_table, marginal, whole_joint

from hornbook import TAN, BayesianNetwork, NaiveBayes
from hornbook.bayes.models._elimination import Potential, eliminate

NAMES = ["x0", "x1", "x2", "class"]


def some_edges(draw, n=4):
    """A random graph without cycles: edges from earlier to later nodes of a random order."""
    order = draw.permutation(n)
    return [(NAMES[order[i]], NAMES[order[j]]) for j in range(n) for i in range(j) if draw.random() < 0.6]


def parents_of(edges):
    return [sorted(NAMES.index(a) for a, b in edges if b == name) for name in NAMES]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9999),
    missing=st.sampled_from([0.0, 0.3]),
    smoothing=st.sampled_from(["laplace", "none"]),
)
def test_agrees_with_the_whole_joint_distribution(seed, missing, smoothing):
    draw = np.random.default_rng(seed)
    codes, y, w, sizes, table = coded(seed, missing=missing)
    edges = some_edges(draw)
    model = BayesianNetwork(edges=edges, smoothing=smoothing, alpha=0.5).fit(table, y, w)
    every, sizes = np.column_stack([codes, y]), [*sizes, 3]
    parents = parents_of(edges)
    tables = [conditional_table(every, w, sizes, v, parents[v], smoothing, 0.5) for v in range(4)]
    if not parents[3]:
        tables[3] = np.bincount(y, weights=w) / w.sum()
    joint = whole_joint(tables, parents, sizes)
    judged = [marginal(joint, {j: code for j, code in enumerate(row) if code >= 0}, {3}) for row in codes]
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(table)), judged, rtol=1e-9, atol=1e-300)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999))
def test_queries_agree_with_the_whole_joint_distribution(seed):
    draw = np.random.default_rng(seed)
    codes, y, w, sizes, table = coded(seed)
    edges = some_edges(draw)
    model = BayesianNetwork(edges=edges).fit(table, y, w)
    sizes, parents = [*sizes, 3], parents_of(edges)
    every = np.column_stack([codes, y])
    tables = [conditional_table(every, w, sizes, v, parents[v], "laplace", 1.0) for v in range(4)]
    if not parents[3]:
        tables[3] = np.bincount(y, weights=w) / w.sum()
    joint = whole_joint(tables, parents, sizes)
    first, second, known = draw.permutation(4)[:3]
    level = int(draw.integers(sizes[known]))
    table = model.query(NAMES[first], NAMES[second], given={NAMES[known]: level})
    judged = marginal(joint, {known: level}, {first, second})
    judged = judged if first < second else judged.T
    shares = (judged / judged.sum()).ravel().tolist()
    assert [row[-1] for row in table.rows] == pytest.approx(shares, rel=1e-9)
    assert list(table.head) == [NAMES[first], NAMES[second], "P"]


def test_the_tree_is_that_of_tan():
    X, y = mixed(gaps=False)
    network, tan = BayesianNetwork().fit(X, y), TAN().fit(X, y)
    np.testing.assert_allclose(network.predict_proba(X), tan.predict_proba(X), rtol=1e-9)
    assert {name: [p for p in above if p != "class"] for name, above in network.parents_.items()} == {
        **{name: [] if parent is None else [parent] for name, parent in tan.parents_.items()},
        "class": [],
    }


def test_the_class_above_all_columns_is_naive_bayes():
    X, y = mixed()
    X = X[["color", "shape"]]
    model = BayesianNetwork(edges=[("class", "color"), ("class", "shape")]).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X), rtol=1e-12)


def test_missing_cells_are_summed_out_where_others_leave_them_out():
    """A chain class -> a -> b: when a is missing, b is still informative about the class, through a."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 500)
    a = np.where(draw.random(500) < 0.9, y, 1 - y)
    b = np.where(draw.random(500) < 0.9, a, 1 - a)
    X = pd.DataFrame({"a": a.astype(str), "b": b.astype(str)})
    model = BayesianNetwork(edges=[("class", "a"), ("a", "b")], smoothing="none").fit(X, y)
    tables = {name: np.array([row[-2:] for row in t.rows], float) for name, t in model.tables_.items()}
    judged = tables["class"][0] * (tables["a"] @ tables["b"])[:, 1]
    probabilities = model.predict_proba(pd.DataFrame({"a": pd.Series([None], dtype=object), "b": ["1"]}))[0]
    assert probabilities == pytest.approx(judged / judged.sum(), rel=1e-9)


def test_explaining_away():
    """Rain and sprinkler are independent, until the grass is wet."""
    draw = np.random.default_rng(1)
    rain, sprinkler = draw.random((2, 4000)) < [[0.2], [0.3]]
    wet = (rain | sprinkler) & (draw.random(4000) < 0.95)
    X = pd.DataFrame({"rain": rain, "sprinkler": sprinkler})
    edges = [("rain", "wet"), ("sprinkler", "wet")]
    model = BayesianNetwork(edges=edges, target="wet").fit(X, wet)

    def chance(**evidence):
        return next(row[-1] for row in model.query("rain", given=evidence).rows if row[0] is True)

    assert chance(sprinkler=True) == pytest.approx(chance(), rel=1e-9)
    assert chance(wet=True) > chance() + 0.2
    assert chance(wet=True, sprinkler=True) < chance(wet=True) - 0.2
    assert model.predict(X).tolist() == (rain | sprinkler).tolist()


def test_the_name_of_the_target_is_the_name_of_the_class():
    X, y = mixed()
    model = BayesianNetwork(edges=[("kind", "color")]).fit(X, pd.Series(y, name="kind"))
    assert model.parents_["color"] == ["kind"]
    with pytest.raises(ValueError, match="the class is called 'color', and so is a column.*'target'"):
        BayesianNetwork(target="color").fit(X, y)


def test_numbers_are_asked_for_by_their_bins():
    X, y = mixed(gaps=False)
    model = BayesianNetwork(n_bins=3).fit(X, y)
    table = model.query("size")
    assert len(table.rows) == 3
    bins = {row[0]: row[1] for row in model.query("class", given={"size": 0.1}).rows}
    named = next(row[0] for row in table.rows if float(row[0][:-1].split(",")[1]) >= 0.1)
    for value in (named, np.float32(0.1), np.float64(0.1)):
        assert bins == {row[0]: row[1] for row in model.query("class", given={"size": value}).rows}
    with pytest.raises(ValueError, match="query: 'size' is given as missing: leave out what is not known"):
        model.query("class", given={"size": float("nan")})


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), rows=st.integers(1, 3))
def test_elimination_agrees_with_one_large_product(seed, rows):
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 4, 5).tolist()
    potentials = []
    for _ in range(4):
        variables = tuple(sorted(draw.choice(5, draw.integers(1, 4), replace=False).tolist()))
        shape = [sizes[v] for v in variables]
        n = rows if draw.random() < 0.5 else 1
        potentials.append(Potential(variables, draw.normal(size=(n, *shape))))
    keep = {potentials[0].variables[0]}
    marginal = eliminate(potentials, keep, sizes)
    whole = potentials[0]
    for potential in potentials[1:]:
        whole = whole.times(potential)
    hidden = tuple(1 + i for i, v in enumerate(whole.variables) if v not in keep)
    np.testing.assert_allclose(np.exp(marginal.logs), np.exp(whole.logs).sum(axis=hidden), rtol=1e-9)
    assert marginal.variables == tuple(keep)


@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        ([("color", "shape"), ("shape", "class"), ("class", "color")], "must not form a cycle"),
        ([("color", "shape"), ("shape", "color")], "'color' <- 'shape' <- 'color': leave one of them out"),
        ([("colr", "shape")], r"names 'colr', which is no column or class\. Did you mean 'color'\?"),
        ([("something", "shape")], r"names 'something', which is no column or class\. The nodes are 'color'"),
        ([("color", "color")], "an edge from a node to itself: leave it out"),
        ([("color", "shape"), ("color", "shape")], "has the edge .* twice: leave one out"),
        ([("color",)], "must be a pair"),
        (["color"], "must be a pair"),
        ("tree", "parameter 'edges'"),
    ],
)
def test_edges_that_make_no_network_are_refused(edges, sentence):
    X, y = mixed()
    with pytest.raises(ValueError, match=sentence):
        BayesianNetwork(edges=edges).fit(X[["color", "shape"]], y)


def test_questions_that_make_no_sense_are_refused():
    X, y = mixed()
    model = BayesianNetwork(smoothing="none").fit(X[["color", "shape"]], y)
    with pytest.raises(ValueError, match=r"no node 'colr' in the network\. Did you mean 'color'"):
        model.query("colr")
    with pytest.raises(TypeError, match=r"known by keyword, as given=\{'shape': 'round'\}"):
        model.query("color", {"shape": "round"})
    with pytest.raises(ValueError, match="'shape' has no value 'square'; its values are 'long', 'round'"):
        model.query("color", given={"shape": "square"})
    for names, known in (((), {}), (("color", "color"), {}), (("color",), {"color": "dark"})):
        with pytest.raises(ValueError, match="name at least one node, none of them twice"):
            model.query(*names, given=known)
    y = np.array([0, 1, 0, 1])
    never = BayesianNetwork(edges=[("class", "a")], smoothing="none").fit({"a": ["x", "y", "x", "y"]}, y)
    with pytest.raises(ValueError, match="'given' has probability 0"):
        BayesianNetwork(edges=[("a", "b")], smoothing="none").fit(
            {"a": ["x", "y"], "b": ["x", "y"]}, [0, 1]
        ).query("class", given={"a": "x", "b": "y"})
    assert never.query("class", given={"a": "x"}).rows[0][1] == 1.0


def test_tables_that_do_not_fit_into_memory_are_refused(monkeypatch):
    import hornbook.frame._memory as memory

    X, y = mixed()
    monkeypatch.setattr(memory, "_free", lambda: 4000)
    edges = [("class", "color"), ("shape", "color")]
    with pytest.raises(MemoryError, match="give columns fewer parents"):
        BayesianNetwork(edges=edges).fit(X, y)


def test_a_network_that_hangs_together_too_densely_is_refused(monkeypatch):
    draw = np.random.default_rng(0)
    X = pd.DataFrame({f"c{j}": draw.integers(0, 8, 50).astype(str) for j in range(7)})
    edges = [(f"c{j}", "class") for j in range(3)] + [(f"c{j}", f"c{j + 1}") for j in range(6)]
    model = BayesianNetwork(edges=edges).fit(X, np.arange(50) % 2)
    import hornbook.frame._memory as memory

    monkeypatch.setattr(memory, "_free", lambda: 5000)
    blank = X.iloc[:1].copy()
    blank.iloc[0, :6] = None
    with pytest.raises(MemoryError, match="fewer edges"):
        model.predict(blank)


def test_told_and_drawn():
    X, y = mixed()
    model = BayesianNetwork(edges=[("class", "color"), ("color", "shape")]).fit(X[["color", "shape"]], y)
    text = str(model.describe())
    assert "P(shape | color)" in text
    assert model.edges_ == [("class", "color"), ("color", "shape")]
    row = X[["color", "shape"]].dropna().iloc[[0]].copy()
    assert "P(color = " in str(model.working(row))
    row["color"] = None
    assert "summed over color" in str(model.working(row.astype(object)))
    heights = {text.get_text(): text.get_position()[1] for text in model.plot().texts if text.get_text()}
    assert heights == {"class": 0.0, "color": -1.0, "shape": -2.0}
