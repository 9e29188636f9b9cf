"""Rules that combine votes, numbers and probabilities: by hand, by their definitions, and bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import softmax

from hornbook.ensembles import (
    average,
    borda_count,
    crisp_votes,
    dempster_shafer,
    f_mean,
    majority_vote,
    max_rule,
    median_rule,
    min_rule,
    plurality_vote,
    product_rule,
    sign_vote,
    sum_rule,
    votes_needed,
)
from hornbook.params import ParameterError


def distributions(n_members=4, n_rows=6, n_classes=3, seed=0):
    return softmax(np.random.default_rng(seed).normal(size=(n_members, n_rows, n_classes)) * 2, axis=2)


def least_divergent(divergence):
    """The distribution over three classes with the least divergence, found by a general minimizer."""
    result = minimize(lambda z: divergence(softmax([*z, 0.0])), [0.0, 0.0], method="BFGS", tol=1e-12)
    return softmax([*result.x, 0.0])


@pytest.mark.parametrize("row", range(6))
def test_the_product_has_the_least_average_divergence_from_the_members(row):
    members = distributions()[:, row]
    expected = least_divergent(lambda p: np.mean([np.sum(p * np.log(p / q)) for q in members]))
    np.testing.assert_allclose(product_rule(members[:, None])[0], expected, atol=1e-6)


@pytest.mark.parametrize("row", range(6))
def test_the_sum_has_the_least_average_divergence_of_the_members_from_it(row):
    members = distributions()[:, row]
    expected = least_divergent(lambda p: np.mean([np.sum(q * np.log(q / p)) for q in members]))
    np.testing.assert_allclose(sum_rule(members[:, None])[0], expected, atol=1e-6)


def test_every_rule_by_hand():
    tables = [[[0.7, 0.2, 0.1]], [[0.1, 0.6, 0.3]], [[0.4, 0.4, 0.2]]]
    assert sum_rule(tables)[0] == pytest.approx([0.4, 0.4, 0.2])
    roots = np.cbrt([0.028, 0.048, 0.006])
    assert product_rule(tables)[0] == pytest.approx(roots / roots.sum())
    assert median_rule(tables)[0] == pytest.approx([0.4, 0.4, 0.2])
    assert min_rule(tables)[0] == pytest.approx([0.25, 0.5, 0.25])
    assert max_rule(tables)[0] == pytest.approx([0.4375, 0.375, 0.1875])
    assert borda_count(tables)[0] == pytest.approx([(2 + 0 + 1.5) / 3, (1 + 2 + 1.5) / 3, (0 + 1 + 0) / 3])
    assert dempster_shafer(tables)[0] == pytest.approx(np.array([28, 48, 6]) / 82)
    assert crisp_votes(tables)[:, 0].tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]


def dempster_by_sets(tables, trust):
    """Dempster's rule over all subsets of the classes, then the masses divided among their classes."""
    n_classes = tables.shape[1]
    everything = frozenset(range(n_classes))
    combined = {everything: 1.0}
    for member, r in zip(tables, trust, strict=True):
        masses = {frozenset([k]): r * p for k, p in enumerate(member)} | {everything: 1 - r}
        met = {}
        for (one, m), (other, n) in itertools.product(combined.items(), masses.items()):
            if one & other:
                met[one & other] = met.get(one & other, 0.0) + m * n
        total = sum(met.values())
        combined = {group: mass / total for group, mass in met.items()}
    return [sum(m / len(group) for group, m in combined.items() if k in group) for k in range(n_classes)]


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 1000), trust=st.lists(st.floats(0.0, 0.99), min_size=4, max_size=4))
def test_dempsters_rule_over_all_sets(seed, trust):
    tables = distributions(seed=seed)
    expected = [dempster_by_sets(tables[:, i], trust) for i in range(6)]
    np.testing.assert_allclose(dempster_shafer(tables, trust), expected, atol=1e-12)


def test_the_sum_and_the_product_are_f_means():
    tables = distributions()
    np.testing.assert_allclose(f_mean(tables, "identity"), sum_rule(tables))
    geometric = f_mean(tables, "log")
    np.testing.assert_allclose(geometric / geometric.sum(axis=1, keepdims=True), product_rule(tables))
    np.testing.assert_allclose(f_mean([[2.0], [6.0]], "reciprocal"), [3.0])
    np.testing.assert_allclose(f_mean([[1.0], [7.0]], "square"), [5.0])
    assert f_mean([[0.0], [7.0]], "log").tolist() == [0.0]


def test_equal_weights_are_no_weights_and_whole_ones_repeat_members():
    tables, w = distributions(), [1, 3, 0, 2]
    for rule in (sum_rule, product_rule, borda_count):
        np.testing.assert_allclose(rule(tables, weights=[5, 5, 5, 5]), rule(tables))
        np.testing.assert_allclose(rule(tables, weights=w), rule(np.repeat(tables, w, axis=0)))
    votes = tables.argmax(axis=2)
    assert plurality_vote(votes, weights=w).tolist() == plurality_vote(np.repeat(votes, w, axis=0)).tolist()
    np.testing.assert_allclose(average(votes, w), np.average(votes, axis=0, weights=w))


def test_a_single_zero_vetoes_a_class():
    tables = [[[0.0, 1.0]], *([[1.0, 0.0]] for _ in range(9))]
    assert product_rule(tables).tolist() == [[0.5, 0.5]]  # both are vetoed
    assert dempster_shafer(tables).tolist() == min_rule(tables).tolist() == [[0.5, 0.5]]
    assert median_rule(tables).tolist() == [[1.0, 0.0]]
    assert product_rule([[[0.01, 0.99]], [[1.0, 0.0]]]).tolist() == [[1.0, 0.0]]
    assert product_rule([[[0.3, 0.7]], [[1.0, 0.0]]], weights=[1, 0]).round(9).tolist() == [[0.3, 0.7]]


def test_many_members_do_not_underflow():
    tables = np.repeat([[[1e-9, 1e-8, 1 - 1.1e-8]]], 1000, axis=0)
    np.testing.assert_allclose(product_rule(tables), tables[0])
    assert dempster_shafer(tables).tolist() == [[0.0, 0.0, 1.0]]


def test_votes_of_signs_and_labels_agree():
    votes = np.random.default_rng(0).choice([-1, 1], (5, 40))
    assert sign_vote(votes).tolist() == plurality_vote(votes).tolist()
    assert sign_vote([[1], [-1]]).tolist() == [0]


@pytest.mark.parametrize("n_members", range(1, 9))
def test_a_majority_is_the_number_of_votes_needed(n_members):
    needed = votes_needed(n_members)
    assert needed == ((n_members + 1) // 2 if n_members % 2 else n_members // 2 + 1)
    for agreed in range(n_members + 1):
        votes = [["a"]] * agreed + [[f"other {i}"] for i in range(n_members - agreed)]
        answer = "a" if agreed >= needed else "none" if n_members > 1 else "other 0"
        assert majority_vote(votes, reject="none").tolist() == [answer]
        assert majority_vote(votes, reject="none", quorum=needed).tolist() == [answer]


def test_ties_are_settled_as_asked():
    votes = [["b"] * 400, ["a"] * 400]
    assert set(plurality_vote(votes)) == {"a"}
    drawn = plurality_vote(votes, ties="random", random_state=0)
    assert 150 < (drawn == "a").sum() < 250
    assert drawn.tolist() == plurality_vote(votes, ties="random", random_state=0).tolist()
    sure = np.array([[[0.2, 0.8]], [[0.6, 0.4]]])
    assert plurality_vote([["b"], ["a"]], ties="confidence", probabilities=sure).tolist() == ["b"]
    assert plurality_vote([["a"], ["b"], ["c"]], weights=[0.1, 0.2, 0.3]).tolist() == ["c"]
    # 0.1 + 0.2 is 0.3, whatever rounding makes of it.
    assert plurality_vote([["b"], ["b"], ["a"]], weights=[0.1, 0.2, 0.3]).tolist() == ["a"]
    assert plurality_vote([["b"], ["a"]], ties="random", random_state=1).dtype.kind == "U"


def test_what_stands_for_no_decision_keeps_its_type():
    assert majority_vote([[1], [2]], reject=-1).tolist() == [-1]
    mixed = majority_vote([[1, 1], [2, 1]], reject="unsure")
    assert mixed.tolist() == ["unsure", 1]
    assert majority_vote([["a"], ["b"]], reject="cannot tell").tolist() == ["cannot tell"]


def test_weights_decide_a_majority():
    assert majority_vote([["a"], ["b"], ["b"]], reject="?", weights=[3, 1, 1]).tolist() == ["a"]
    assert majority_vote([["a"], ["b"], ["b"]], reject="?", weights=[2, 1, 1]).tolist() == ["?"]
    assert majority_vote([["a"], ["b"], ["b"]], reject="?", weights=[2, 1, 1], quorum=0.5).tolist() == ["a"]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: sum_rule([[0.5, 0.5]]), r"shape \(n_members, n_rows, n_classes\); got \(1, 2\)"),
        (lambda: max_rule([[[2.0, -1.0]]]), "between 0 and 1; got 2.0: calibrate"),
        (lambda: min_rule([[[np.nan, 1.0]]]), "between 0 and 1; got nan"),
        (lambda: average([[1.0]], weights=[1, 2]), "must be equal; got 2 weights, 1 estimators"),
        (lambda: average([[1.0], [2.0]], weights=[1, -2]), "one number >= 0"),
        (lambda: average([[1.0], [2.0]], weights=[0, 0]), "not all 0"),
        (lambda: average([]), "an entry for each member"),
        (
            lambda: sum_rule([[[0.1, 0.9]], [[0.1, 0.2, 0.7]]]),
            "must be an array of numbers, with as many",
        ),
        (lambda: plurality_vote([["a", "b"], ["a"]]), "must be an array of labels, with as many for each"),
        (lambda: average([["a"], ["b"]]), "must be an array of numbers"),
        (lambda: f_mean([[1.0]], np.log), "one of identity, .*, or two functions; got <ufunc 'log'>"),
        (lambda: f_mean([[1.0]], "cube"), "one of identity, log, reciprocal, square"),
        (lambda: sign_vote([[0, 1]]), "must be -1 or 1; got 0"),
        (lambda: plurality_vote(["a", "b"]), "a row for each member"),
        (lambda: plurality_vote([["a"], ["b"]], ties="confidence"), "needs the 'probabilities'"),
        (lambda: majority_vote([["a"]], reject="?", quorum=2), "between 1 and 1"),
        (lambda: majority_vote([["a"]], reject="?", quorum=1.5), r"share of the votes in \(0, 1\]"),
        (lambda: dempster_shafer([[[0.5, 0.5]]], [2.0]), "between 0 and 1 for each of the 1 members"),
        (lambda: votes_needed(0), "at least 1"),
    ],
)
def test_bad_input_is_named(call, text):
    with pytest.raises((ValueError, ParameterError), match=text) as error:
        call()
    assert str(error.value).count(". ") == 0
