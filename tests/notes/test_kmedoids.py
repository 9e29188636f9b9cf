"""K-medoids with an arbitrary distance, as in the notes."""

from __future__ import annotations

import numpy as np

from hornbook import KMedoids, datasets


def by_notes(X, dis, medoids):
    """Assign every row to the nearest medoid, take the best row of each cluster, until no change."""
    D = np.array([[dis(a, b) for b in X] for a in X])
    while True:
        assigned = D[:, medoids].argmin(axis=1)
        parts = [np.flatnonzero(assigned == j) for j in range(len(medoids))]
        moved = [int(part[D[np.ix_(part, part)].sum(axis=1).argmin()]) for part in parts]
        if moved == medoids:
            return assigned, medoids
        medoids = moved


def test_alternation_with_any_distance():
    X = datasets.watermelon("4.0").features.numbers

    def dis(a, b):
        return float(np.abs(a - b).max())

    for start in ([5, 11, 23], [0, 1, 2], [29, 3, 14]):
        assigned, medoids = by_notes(X, dis, start)
        model = KMedoids(3, metric=dis, method="alternate", init=start).fit(X)
        assert sorted(model.medoid_indices_) == sorted(medoids)
        names = {old: model.labels_[medoid] for old, medoid in enumerate(medoids)}
        assert [names[j] for j in assigned] == model.labels_.tolist()


def test_medoids_start_at_random_rows_and_are_rows():
    X = datasets.watermelon("4.0").features.numbers
    model = KMedoids(3, method="alternate", init="random", random_state=1).fit(X)
    np.testing.assert_array_equal(model.cluster_centers_, X[model.medoid_indices_])
    first = {
        tuple(
            KMedoids(3, method="alternate", init="random", max_iter=50, random_state=s).fit(X).medoid_indices_
        )
        for s in range(8)
    }
    assert len(first) > 1  # the start decides where it ends
