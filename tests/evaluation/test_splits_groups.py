"""Folds that keep groups together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as judge

from hornbook.evaluation import GroupKFold, StratifiedGroupKFold
from hornbook.frame import Frame

pytestmark = pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")

group_sizes = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.integers(1, 12), min_size=k, max_size=15).map(lambda sizes: (k, sizes))
)


def rows(n):
    return np.zeros((n, 1))


def mixed(sizes, seed=0):
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


def fold_sizes(split, *data):
    return [len(test) for _, test in split.split(*data)]


def imbalance(split, y, groups):
    """Sum over classes of the variance over folds of the share of the class in each fold."""
    shares = np.array(
        [np.bincount(y[test], minlength=y.max() + 1) for _, test in split.split(rows(len(y)), y, groups)]
    )
    return (shares / shares.sum(axis=0)).var(axis=0).sum()


class TestGroupKFold:
    @settings(derandomize=True, max_examples=80, deadline=None)
    @given(made=group_sizes, seed=st.none() | st.integers(0, 99))
    def test_no_group_is_torn_apart_and_sizes_differ_at_most_by_the_largest_group(self, made, seed):
        k, sizes = made
        groups = mixed(sizes)
        folds = list(
            GroupKFold(k, shuffle=seed is not None, random_state=seed).split(rows(len(groups)), None, groups)
        )
        assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(groups)))
        for train, test in folds:
            assert not set(groups[train]) & set(groups[test])
            assert len(train) + len(test) == len(groups)
        tested = [len(test) for _, test in folds]
        assert min(tested) > 0
        assert max(tested) - min(tested) <= max(sizes)

    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(made=group_sizes)
    def test_without_shuffling_the_sizes_are_scikit_learns(self, made):
        k, sizes = made
        groups = mixed(sizes)
        data = rows(len(groups)), None, groups
        assert sorted(fold_sizes(GroupKFold(k), *data)) == sorted(fold_sizes(judge.GroupKFold(k), *data))

    def test_shuffling_exchanges_groups_of_equal_size(self):
        groups = np.arange(60) // 3
        split = GroupKFold(4, shuffle=True, random_state=1)
        assert fold_sizes(split, rows(60), None, groups) == [15] * 4
        other = GroupKFold(4, shuffle=True, random_state=2)
        assert (
            split.fold_numbers(rows(60), None, groups).tolist()
            != other.fold_numbers(rows(60), None, groups).tolist()
        )

    def test_the_group_column_of_a_frame_is_used(self):
        patients = np.repeat(["ann", "bob", "cy", "dee"], 5)
        frame = Frame({"x": np.arange(20.0), "patient": patients}, group="patient")
        for train, test in GroupKFold(4).split(frame):
            assert len(set(patients[test])) == 1
            assert not set(patients[train]) & set(patients[test])

    def test_refusals(self):
        with pytest.raises(
            ValueError, match=r"^GroupKFold: n_splits=5 folds need at least as many groups; got 2: use"
        ):
            GroupKFold(5).split(rows(8), None, [1, 1, 1, 1, 2, 2, 2, 2])
        with pytest.raises(ValueError, match="^GroupKFold: needs the group of each row: pass groups"):
            GroupKFold(2).split(rows(8))
        with pytest.raises(
            ValueError, match=r"^GroupKFold: groups is missing in row 2: give every row a group"
        ):
            GroupKFold(2).split(rows(4), None, ["a", "b", None, "a"])
        with pytest.raises(ValueError, match="groups is missing in row 1"):
            GroupKFold(2).split(rows(3), None, [1.0, np.nan, 2.0])
        with pytest.raises(ValueError, match=r"groups must be one column; got an array of shape \(4, 2\)"):
            GroupKFold(2).split(rows(4), None, np.zeros((4, 2)))

    def test_minus_one_is_a_group_like_any_other(self):
        assert fold_sizes(GroupKFold(2), rows(4), None, [-1, -1, 7, 7]) == [2, 2]


class TestStratifiedGroupKFold:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(made=group_sizes, seed=st.none() | st.integers(0, 99))
    def test_no_group_is_torn_apart_and_no_fold_is_empty(self, made, seed):
        k, sizes = made
        groups = mixed(sizes)
        y = (np.arange(len(groups)) // max(k, len(groups) // 2)).clip(0, 1)
        if np.bincount(y).min() < k:
            return
        split = StratifiedGroupKFold(k, shuffle=seed is not None, random_state=seed)
        folds = list(split.split(rows(len(groups)), y, groups))
        assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(groups)))
        for train, test in folds:
            assert not set(groups[train]) & set(groups[test])
            assert len(test) > 0

    @settings(derandomize=True, max_examples=40, deadline=None)
    @given(sizes=st.lists(st.integers(4, 20), min_size=1, max_size=4), seed=st.none() | st.integers(0, 99))
    def test_groups_of_one_row_give_the_shares_of_stratified_folds(self, sizes, seed):
        y = mixed(sizes)
        split = StratifiedGroupKFold(4, shuffle=seed is not None, random_state=seed)
        in_fold = [
            np.bincount(y[test], minlength=len(sizes))
            for _, test in split.split(rows(len(y)), y, np.arange(len(y)))
        ]
        assert np.ptp(in_fold, axis=0).max() <= 1

    def test_shares_are_as_even_as_scikit_learns(self):
        ours, theirs = [], []
        for seed in range(40):
            rng = np.random.default_rng(seed)
            groups = rng.integers(0, 30, 300)
            y = (rng.random(300) < rng.random(30)[groups]).astype(int) + (rng.random(300) < 0.2)
            ours.append(imbalance(StratifiedGroupKFold(4), y, groups))
            theirs.append(imbalance(judge.StratifiedGroupKFold(4), y, groups))
        assert np.mean(ours) <= np.mean(theirs)

    def test_an_exact_answer_is_found_where_it_is_easy(self):
        y, groups = np.repeat([0, 1] * 6, 3), np.repeat(np.arange(12), 3)
        for _, test in StratifiedGroupKFold(3).split(rows(36), y, groups):
            assert np.bincount(y[test]).tolist() == [6, 6]

    def test_refusals(self):
        with pytest.raises(
            ValueError, match="^StratifiedGroupKFold: class 1 has 2 rows, but each of n_splits=3"
        ):
            StratifiedGroupKFold(3).split(rows(9), [0] * 7 + [1] * 2, np.arange(9))
        with pytest.raises(
            ValueError, match="^StratifiedGroupKFold: n_splits=5 folds need at least as many groups"
        ):
            StratifiedGroupKFold().split(rows(9), [0] * 9, [1] * 9)
