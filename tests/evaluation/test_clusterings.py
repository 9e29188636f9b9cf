"""Stability, the number of clusters, clusters in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.metrics import adjusted_rand_score

from hornbook import Frame, GaussianMixture, KMeans, NaiveBayes, datasets, plots
from hornbook.evaluation import (
    cluster_count_curve,
    cluster_profile,
    cluster_recovery,
    cluster_stability,
    cluster_structure,
    compare_clusterings,
    gap_statistic,
    reference_table,
)
from hornbook.random import Stream


def blobs(n=90, distance=6.0, seed=0, groups=3):
    draw = np.random.default_rng(seed)
    labels = np.arange(n) % groups
    angles = 2 * np.pi * labels / groups
    return distance * np.column_stack([np.cos(angles), np.sin(angles)]) + draw.normal(size=(n, 2)), labels


def test_stability_is_the_agreement_of_models_of_two_halves():
    X, _ = blobs()
    stability = cluster_stability(KMeans(4, random_state=1), X, n_splits=3, random_state=5)
    for split, value in enumerate(stability.values):
        order = Stream(5, 61, split).permutation(90)
        halves = [np.sort(order[:45]), np.sort(order[45:])]
        labels = [KMeans(4, random_state=1).fit(X[rows]).predict(X) for rows in halves]
        assert value == pytest.approx(adjusted_rand_score(*labels), abs=1e-12)
    assert stability.interval.estimate == pytest.approx(stability.values.mean())


def test_well_separated_groups_are_stable_and_shuffled_columns_less():
    X, _ = blobs()
    stability = cluster_stability(KMeans(3, random_state=0), X, n_splits=4, n_references=19, random_state=0)
    assert stability.values.min() == 1.0
    assert stability.reference.max() < 1.0
    assert stability.p == pytest.approx(1 / 20)
    assert "without clusters" in str(stability)
    assert stability.to_dict()["p"] == stability.p


def test_one_cluster_says_nothing_and_is_not_called_stable():
    X, _ = blobs()
    assert cluster_stability(KMeans(1, random_state=0), X, n_splits=3).values.tolist() == [0.0] * 3


def test_foreign_clusterers_and_mixed_tables_are_taken():
    X, labels = blobs()
    theirs = cluster_stability(
        TheirKMeans(3, n_init=3, random_state=0), X, n_splits=3, n_references=1, random_state=0
    )
    assert theirs.values.min() == 1.0
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "site": np.array(["x", "y", "z"])[labels]})
    assert (
        cluster_stability(
            KMeans(3, random_state=0), table, n_splits=3, n_references=1, random_state=0
        ).values.min()
        == 1.0
    )


def test_the_right_number_of_clusters_wins_the_comparison():
    X, _ = blobs()
    learners = {str(k): KMeans(k, random_state=0) for k in (2, 3, 6)}
    verdict = compare_clusterings(learners, X, random_state=0)
    assert verdict.winners == ("3",)
    assert verdict.standings[0].mean.high == 1.0
    assert verdict.scores.measure == "stability"


def test_a_learner_that_fails_is_shown_and_not_ranked():
    X, _ = blobs(20)
    verdict = compare_clusterings(
        {"two": KMeans(2, random_state=0), "many": KMeans(15)}, X, n_splits=3, random_state=0
    )
    assert [standing.status for standing in verdict.standings] == ["best", "incomplete"]


@pytest.mark.parametrize("criterion", ["silhouette", "calinski_harabasz", "davies_bouldin", "dunn"])
def test_every_index_finds_three_groups(criterion):
    X, _ = blobs(distance=9.0)
    curve = cluster_count_curve(KMeans(random_state=0), X, sizes=range(2, 7), criterion=criterion)
    assert curve.best == 3
    assert curve.low is None
    assert plots.cluster_count(curve).get_ylabel() == criterion.replace("_", " ")


def test_stability_and_gap_find_three_groups_with_intervals():
    X, _ = blobs()
    for criterion, options in {"stability": {"n_splits": 5}, "gap": {"n_references": 5}}.items():
        curve = cluster_count_curve(
            KMeans(random_state=0), X, sizes=range(2, 6), criterion=criterion, random_state=0, **options
        )
        assert curve.best == 3
        assert (curve.low <= curve.values).all()
        assert (curve.values <= curve.high).all()
        assert plots.cluster_count(curve).collections
        assert curve.to_dict()["best"] == 3


def test_the_gap_is_the_difference_of_logarithms_and_its_rule_takes_the_first_size():
    X, labels = blobs()
    gap = gap_statistic(KMeans(random_state=0), X, sizes=range(1, 6), n_references=8, random_state=0)
    means = np.array([X[labels == k].mean(axis=0) for k in range(3)])
    assert gap.within[2] == pytest.approx(((X - means[labels]) ** 2).sum(), rel=1e-9)
    assert gap.within[0] == pytest.approx(X.var(axis=0).sum() * len(X), rel=1e-9)
    logs = []
    low, high = X.min(axis=0), X.max(axis=0)
    for index in range(8):
        rows = low + Stream(0, 63, index).uniform(X.size).reshape(X.shape) * (high - low)
        logs.append(np.log(KMeans(3, random_state=0).fit(rows).inertia_))
    assert gap.gap[2] == pytest.approx(np.mean(logs) - np.log(gap.within[2]), rel=1e-9)
    assert gap.error[2] == pytest.approx(np.std(logs) * np.sqrt(1 + 1 / 8), rel=1e-9)
    enough = [gap.gap[k] >= gap.gap[k + 1] - gap.error[k + 1] for k in range(4)]
    assert gap.best == 1 + enough.index(True) == 3


def test_rows_without_groups_have_one_cluster_by_the_gap():
    X = np.random.default_rng(3).uniform(size=(120, 2))
    assert (
        gap_statistic(KMeans(random_state=0), X, sizes=range(1, 5), n_references=10, random_state=0).best == 1
    )
    turned = X @ [[1.0, 1.0], [-0.2, 0.2]]
    gap = gap_statistic(
        KMeans(random_state=0), turned, sizes=range(1, 5), reference="principal", random_state=0
    )
    assert gap.best == 1


def test_clusters_in_words():
    table = {
        "petals": [1.0, 1.2, 0.9, 5.0, 5.3, 5.1],
        "site": ["A", "A", "B", "B", "B", "B"],
        "height": [3.0, np.nan, np.nan, 3.1, 2.9, 3.0],
    }
    profile = cluster_profile(table, ["short"] * 3 + ["tall"] * 3)
    assert profile.sentences[0].startswith("Cluster short (3 rows, 50 %): low petals")
    assert "mostly site=A" in profile.sentences[0]
    assert "mostly height missing" in profile.sentences[0]
    assert "all site=B" in profile.sentences[1]
    petals = profile.traits[1][0]
    one, other = np.array(table["petals"][3:]), np.array(table["petals"][:3])
    pooled = np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
    assert petals.effect == pytest.approx((one.mean() - other.mean()) / pooled)
    share = next(trait for trait in profile.traits[0] if trait.column == "site")
    assert share.effect == pytest.approx(2 * (np.arcsin(np.sqrt(2 / 3)) - 0.0))
    assert profile.to_dict()["clusters"][0]["traits"][0]["words"] == "low petals"


def test_clusters_that_do_not_differ_are_said_to():
    assert "nothing sets it apart" in cluster_profile([[1.0], [1.0], [1.0], [1.0]], [0, 0, 1, 1]).sentences[0]
    assert "nothing sets it apart" in cluster_profile([[1.0], [2.0]], [0, 0]).sentences[0]


def test_iris_profile_names_the_petals():
    flowers = datasets.iris().features
    labels = KMeans(2, random_state=0).fit(flowers).labels_
    first = cluster_profile(flowers, labels).traits
    assert {traits[0].column for traits in first} == {"petal_length"}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda X: cluster_stability(NaiveBayes(), X), TypeError, "must be a clusterer; got NaiveBayes"),
        (lambda X: cluster_stability(KMeans(2), X[:3]), ValueError, "at least 4 rows"),
        (lambda X: cluster_stability(KMeans(2), X, n_splits=1), ValueError, "'n_splits' must be at least 2"),
        (lambda X: cluster_stability(KMeans(2), X, n_references=-1), ValueError, "'n_references'"),
        (lambda X: compare_clusterings([], X), ValueError, "needs at least one learner"),
        (lambda X: gap_statistic(NaiveBayes(), X), TypeError, "must be a clusterer"),
        (lambda X: gap_statistic(KMeans(), X, sizes=[3, 2]), ValueError, "must ascend"),
        (lambda X: gap_statistic(KMeans(), X, sizes=["a"]), ValueError, "whole numbers"),
        (lambda X: gap_statistic(KMeans(), X, reference="x"), ValueError, "'reference'"),
        (lambda X: gap_statistic(KMeans(), X, n_references=0), ValueError, "'n_references'"),
        (
            lambda _: gap_statistic(KMeans(), {"a": list("xyxy")}, sizes=[2]),
            ValueError,
            "column 'a' is nominal",
        ),
        (lambda _: gap_statistic(KMeans(), [[1.0], [np.nan]], sizes=[1]), ValueError, "missing cells"),
        (
            lambda _: gap_statistic(KMeans(), [[1.0], [1.0], [2.0]], sizes=[1, 2]),
            ValueError,
            "2 clusters leave no distance",
        ),
        (lambda X: cluster_count_curve(KMeans(), X, criterion="x"), ValueError, "'criterion' must be one of"),
        (lambda X: cluster_count_curve(KMeans(), X, criterion="bic"), TypeError, "has no method 'bic'"),
        (lambda X: cluster_count_curve(KMeans(), X, sizes=[1, 2]), ValueError, "from at least 2"),
        (
            lambda X: cluster_count_curve(KMeans(), X, criterion="dunn", random_state=0),
            TypeError,
            "criterion='dunn' has no option 'random_state'; it takes metric, p, n_jobs",
        ),
        (
            lambda X: cluster_count_curve(GaussianMixture(), X, criterion="bic", random_state=0),
            TypeError,
            "criterion='bic' has no option 'random_state'; it takes none",
        ),
        (
            lambda X: cluster_count_curve(KMeans(), X, criterion="gap", repeats=2),
            TypeError,
            "criterion='gap' has no option 'repeats'; it takes n_references",
        ),
        (lambda X: cluster_profile(X, np.zeros(len(X), int), n_traits=0), ValueError, "'n_traits'"),
        (lambda _: plots.cluster_count([1.0]), TypeError, "must be a ClusterCountCurve"),
        (lambda _: plots.cluster_structure([1.0]), TypeError, "must be a ClusterStructure"),
        (lambda X: cluster_structure([KMeans()], X, n_references=0), ValueError, "'n_references'"),
        (lambda X: cluster_structure([NaiveBayes()], X), TypeError, "must be a clusterer"),
    ],
)
def test_wrong_use_gets_one_sentence(call, error, message):
    X, _ = blobs(30)
    with pytest.raises(error, match=message):
        call(X)


@pytest.mark.slow
@pytest.mark.parametrize("learners", [2, 20])
def test_equally_stable_learners_are_rarely_called_worse(learners):
    """Copies that differ by their seed only are equally stable: at most 5 % of studies may say otherwise."""
    wrong = 0
    for study in range(100):
        X = np.random.default_rng(study).normal(size=(40, 2))
        named = {
            str(i): KMeans(3, init="random", n_init=1, random_state=1000 * study + i) for i in range(learners)
        }
        verdict = compare_clusterings(named, X, n_splits=6, random_state=study, equivalence=0.0)
        wrong += any(standing.status == "worse" for standing in verdict.standings)
    assert wrong <= 11  # P(more | rate 0.05) < 0.01


def test_structure_is_found_where_there_is_some_and_drawn():
    X, _ = blobs(60)
    named = {f"k={k}": KMeans(k, random_state=0) for k in (2, 3)}
    structure = cluster_structure(named, X, n_splits=3, random_state=0)
    assert "k=3" in structure.found(0.05)
    assert structure.found(0.01) == ()  # 19 tables of each kind cannot show that much
    assert not structure.in_single_columns(0.05)
    assert set(structure.references) == {"normal", "uniform", "shuffled"}
    assert structure.smallest_p == pytest.approx(0.05)
    assert "adjusted p" in str(structure)
    ax = plots.cluster_structure(structure)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["k=2", "k=3"]


def test_references_have_the_kinds_moments_and_gaps_of_the_table():
    draw = np.random.default_rng(0)
    numbers = draw.normal(size=(400, 2)) @ np.array([[2.0, 1.5], [0.0, 0.5]]) + [5.0, -3.0]
    numbers[::7, 1] = np.nan
    frame = Frame({"a": numbers[:, 0], "b": numbers[:, 1], "c": draw.choice(["x", "y"], 400)})
    for kind in ("normal", "uniform", "shuffled"):
        drawn = reference_table(frame, kind, 0, 3)
        assert drawn.schema == frame.schema
        assert np.bincount(drawn.column("c")).tolist() == np.bincount(frame.column("c")).tolist()
        assert np.isnan(drawn.column("b")).sum() == np.isnan(numbers[:, 1]).sum()
        if kind != "uniform":  # whose center is that of the box
            assert drawn.column("a").mean() == pytest.approx(5.0, abs=0.5)
        known = ~np.isnan(drawn.column("b"))
        together = np.corrcoef(drawn.column("a")[known], drawn.column("b")[known])[0, 1]
        assert abs(together) < 0.2 if kind == "shuffled" else together > 0.5


def test_recovery_is_the_jaccard_index_with_the_most_similar_cluster():
    labels = np.array([0, 0, 0, 1, 1, 2])
    same, merged = np.array([5, 5, 5, 7, 7, 6]), np.array([0, 0, 0, 0, 0, 1])
    np.testing.assert_allclose(cluster_recovery(labels, [same]), [1.0, 1.0, 1.0])
    np.testing.assert_allclose(cluster_recovery(labels, [merged]), [3 / 5, 2 / 5, 1.0])
    np.testing.assert_allclose(cluster_recovery(labels, [same, merged]), [0.8, 0.7, 1.0])


def cloud(draw):
    return draw.normal(size=(60, 2)) @ np.array([[2.0, 1.0], [0.0, 1.0]])


def box(draw):
    return draw.uniform(size=(60, 2)) * [3.0, 1.0]


@pytest.mark.slow
@pytest.mark.parametrize("learners", [2, 20])
@pytest.mark.parametrize("table", [cloud, box])
def test_clusters_are_rarely_found_where_there_are_none(table, learners):
    """Neither one normal cloud nor a uniform box has clusters: at most 5 % of studies may say otherwise."""
    named = {str(i): KMeans(2 + i % 4, n_init=1, random_state=i) for i in range(learners)}
    studies = 80 if learners == 2 else 24
    wrong = 0
    for study in range(studies):
        rows = table(np.random.default_rng(study))
        wrong += bool(cluster_structure(named, rows, n_splits=2, random_state=study).found(0.05))
    assert wrong <= (10 if learners == 2 else 4)  # P(more | rate 0.05) < 0.01
