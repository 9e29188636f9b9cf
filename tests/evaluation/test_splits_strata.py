"""Folds and hold-outs by class or by a column: each stratum has its share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as judge

from hornbook.evaluation import (
    HoldOut,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    three_way_split,
)
from hornbook.frame import Frame

pytestmark = pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")

classes = st.integers(2, 6).flatmap(
    lambda k: st.lists(st.integers(k, 25), min_size=1, max_size=5).map(lambda sizes: (k, sizes))
)


def rows(n):
    return np.zeros((n, 1))


def mixed(sizes, seed):
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


def counts(y, positions):
    return np.array([(y[positions] == c).sum() for c in np.unique(y)])


class TestStratifiedKFold:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(made=classes, seed=st.none() | st.integers(0, 1000))
    def test_folds_and_classes_in_them_differ_by_at_most_one(self, made, seed):
        k, sizes = made
        y = mixed(sizes, 0)
        folds = list(StratifiedKFold(k, shuffle=seed is not None, random_state=seed).split(rows(len(y)), y))
        assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(y)))
        assert all(sorted([*train, *test]) == list(range(len(y))) for train, test in folds)
        in_fold = np.array([counts(y, test) for _, test in folds])
        assert np.ptp(in_fold.sum(axis=1)) <= 1
        assert np.ptp(in_fold, axis=0).max() <= 1
        assert abs(in_fold - np.array(sizes) / k).max() < 1

    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(made=classes, seed=st.integers(0, 1000))
    def test_without_shuffling_the_folds_are_scikit_learns(self, made, seed):
        k, sizes = made
        y = mixed(sizes, seed)
        ours = StratifiedKFold(k).split(rows(len(y)), y)
        for (_, ours_test), (_, test) in zip(
            ours, judge.StratifiedKFold(k).split(rows(len(y)), y), strict=True
        ):
            np.testing.assert_array_equal(ours_test, test)

    @pytest.mark.parametrize(
        "labels",
        [
            lambda y: np.where(y == 0, "no", "yes"),
            lambda y: np.where(y == 0, "no", "yes").astype(object),
            lambda y: y == 1,
            lambda y: y.astype(float),
            lambda y: pd.Series(np.where(y == 0, "no", "yes"), dtype="category"),
            lambda y: pl.Series(np.where(y == 0, "no", "yes")),
            lambda y: y.tolist(),
        ],
        ids=["text", "objects", "booleans", "whole floats", "pandas category", "polars", "list"],
    )
    def test_labels_of_any_kind_make_the_same_folds(self, labels):
        y = mixed([13, 20], 1)
        split = StratifiedKFold(4, shuffle=True, random_state=0)
        np.testing.assert_array_equal(
            split.fold_numbers(rows(33), labels(y)), split.fold_numbers(rows(33), y)
        )

    def test_the_target_of_a_frame_is_used_when_no_other_is_given(self):
        y = mixed([13, 20], 1)
        frame = Frame({"x": np.arange(33.0), "y": y}, target="y")
        split = StratifiedKFold(3)
        np.testing.assert_array_equal(split.fold_numbers(frame), split.fold_numbers(rows(33), y))

    def test_repeats_differ_and_each_keeps_the_shares(self):
        y = mixed([12, 18], 0)
        folds = list(RepeatedStratifiedKFold(n_splits=6, n_repeats=4, random_state=9).split(rows(30), y))
        assert all(counts(y, test).tolist() == [2, 3] for _, test in folds)
        firsts = [test.tolist() for _, test in folds]
        assert firsts[:6] == [
            test.tolist() for _, test in StratifiedKFold(6, shuffle=True, random_state=9).split(rows(30), y)
        ]
        assert len({str(firsts[6 * r : 6 * r + 6]) for r in range(4)}) == 4


class TestByColumn:
    def table(self):
        rng = np.random.default_rng(5)
        return {
            "color": rng.permutation(np.repeat(["red", "green", "blue"], [60, 30, 9])),
            "shape": rng.permutation(np.repeat(["round", "long"], [49, 50])),
        }

    @pytest.mark.parametrize(
        "make", [Frame, pd.DataFrame, pl.DataFrame, lambda t: pl.DataFrame(t).to_arrow()]
    )
    def test_a_column_of_any_kind_of_table(self, make):
        table = self.table()
        split = StratifiedKFold(3, by="color", shuffle=True, random_state=0)
        for _, test in split.split(make(table)):
            names, n = np.unique(table["color"][test], return_counts=True)
            assert dict(zip(names.tolist(), n.tolist(), strict=True)) == {"red": 20, "green": 10, "blue": 3}

    def test_a_column_by_its_position_in_an_array(self):
        X = np.column_stack([np.arange(40.0), np.arange(40) % 2])
        for _, test in StratifiedKFold(4, by=1).split(X):
            assert X[test, 1].sum() == 5

    def test_several_columns_share_out_their_combinations(self):
        table = self.table()
        split = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, by=["color", "shape"], random_state=0)
        both = np.char.add(table["color"], table["shape"])
        names, n = np.unique(both, return_counts=True)
        for _, test in split.split(Frame(table)):
            for name, total in zip(names, n, strict=True):
                assert abs((both[test] == name).sum() - total / 3) < 1

    def test_numbers_are_shared_out_in_ten_parts(self):
        size = np.random.default_rng(5).normal(size=120)
        part = np.argsort(np.argsort(size)) // 12
        for _, test in StratifiedKFold(3, by="size").split(Frame({"size": size})):
            assert np.bincount(part[test]).tolist() == [4] * 10

    def test_missing_cells_are_a_level(self):
        color = np.array(["red"] * 12 + [None] * 6, dtype=object)
        size = np.concatenate([np.arange(30.0), np.full(6, np.nan)])
        for _, test in StratifiedKFold(3, by="color").split(Frame({"color": color})):
            assert (color[test] == None).sum() == 2  # noqa: E711  elementwise
        for _, test in StratifiedKFold(3, by="size").split(Frame({"size": size})):
            assert np.isnan(size[test]).sum() == 2


class TestHoldOut:
    @settings(derandomize=True, max_examples=80, deadline=None)
    @given(
        sizes=st.lists(st.integers(2, 30), min_size=1, max_size=6),
        share=st.floats(0.05, 0.9),
        seed=st.none() | st.integers(0, 99),
        stratify=st.booleans(),
    )
    def test_the_parts_are_disjoint_cover_and_have_the_size_asked_for(self, sizes, share, seed, stratify):
        y = mixed(sizes, 0)
        n, n_test = len(y), int(np.ceil(share * len(y)))
        if n_test == n:
            return
        split = HoldOut(share, stratify=stratify, shuffle=seed is not None, random_state=seed)
        [(train, test)] = split.split(rows(n), y)
        assert sorted([*train, *test]) == list(range(n))
        assert len(test) == n_test
        if stratify:
            assert abs(counts(y, test) - np.array(sizes) * n_test / n).max() < 1
            assert abs(counts(y, train) - np.array(sizes) * (n - n_test) / n).max() < 1

    @pytest.mark.parametrize("size", [0.2, 0.25, 0.33, 7, 1])
    def test_the_sizes_are_scikit_learns(self, size):
        for n in (10, 47, 150):
            [(train, test)] = HoldOut(size).split(rows(n))
            expected = judge.train_test_split(np.arange(n), test_size=size)
            assert (len(train), len(test)) == tuple(map(len, expected))

    def test_without_shuffling_the_last_rows_are_held_out(self):
        [(train, test)] = HoldOut(0.3, shuffle=False).split(rows(10))
        assert (train.tolist(), test.tolist()) == (list(range(7)), [7, 8, 9])
        y = np.array([0, 1] * 5)
        [(_, test)] = HoldOut(0.4, shuffle=False, stratify=True).split(rows(10), y)
        assert test.tolist() == [6, 7, 8, 9]

    def test_by_a_column(self):
        table = Frame({"color": ["red", "green"] * 20, "y": [0, 0, 1, 1] * 10}, target="y")
        [(_, test)] = HoldOut(0.25, stratify="color", random_state=0).split(table)
        assert (table["color"][test] == "red").sum() == 5
        [(_, test)] = HoldOut(0.2, stratify=["color", "y"], random_state=0).split(table)
        assert len(set(zip(table["color"][test].tolist(), table.y[test].tolist(), strict=True))) == 4
        [(_, test)] = HoldOut(0.25, stratify=True, random_state=0).split(table)
        assert table.y[test].sum() == 5

    def test_every_row_is_equally_likely_to_be_held_out(self):
        held = np.zeros(20)
        for seed in range(2000):
            [(_, test)] = HoldOut(5, random_state=seed).split(rows(20))
            held[test] += 1
        assert abs(held / 2000 - 0.25).max() < 5 * np.sqrt(0.25 * 0.75 / 2000)

    def test_it_counts_one(self):
        assert HoldOut().get_n_splits() == 1

    def test_nothing_left_to_learn_from(self):
        with pytest.raises(
            ValueError, match=r"^HoldOut: test_size=5 leave none of the 5 rows for training: hold"
        ):
            HoldOut(5).split(rows(5))


class TestThreeWaySplit:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(sizes=st.lists(st.integers(2, 40), min_size=2, max_size=5), seed=st.none() | st.integers(0, 99))
    def test_three_disjoint_parts_with_their_shares_of_every_class(self, sizes, seed):
        y = mixed(sizes, 0)
        parts = three_way_split(
            rows(len(y)),
            y,
            validation_size=0.25,
            test_size=0.2,
            stratify=True,
            shuffle=seed is not None,
            random_state=seed,
        )
        assert sorted(np.concatenate(parts)) == list(range(len(y)))
        assert len(parts.test) == int(np.ceil(0.2 * len(y)))
        assert len(parts.validation) == int(np.ceil(0.25 * len(y)))
        for part in parts:
            assert abs(counts(y, part) - np.array(sizes) * len(part) / len(y)).max() < 2

    def test_without_shuffling_the_parts_follow_each_other(self):
        parts = three_way_split(rows(10), validation_size=2, test_size=3, shuffle=False)
        assert [part.tolist() for part in parts] == [[0, 1, 2, 3, 4], [5, 6], [7, 8, 9]]

    def test_the_test_part_is_that_of_the_hold_out_with_the_same_seed(self):
        parts = three_way_split(rows(60), test_size=0.2, random_state=4)
        [(_, test)] = HoldOut(0.2, random_state=4).split(rows(60))
        np.testing.assert_array_equal(parts.test, test)

    def test_nothing_left_to_learn_from(self):
        with pytest.raises(
            ValueError, match=r"^three_way_split: validation_size=0\.5 and test_size=0\.5 leave none"
        ):
            three_way_split(rows(10), validation_size=0.5, test_size=0.5)
        with pytest.raises(
            ValueError, match=r"'validation_size' must be a fraction in \(0, 1\) or a number of rows"
        ):
            three_way_split(rows(10), validation_size=1.5)


class TestRefusals:
    def test_a_class_with_too_few_rows_is_named(self):
        y = ["a"] * 20 + ["b"] * 2
        with pytest.raises(
            ValueError,
            match=r"^StratifiedKFold: class 'b' has 2 rows, but each of n_splits=3 folds needs one: join it",
        ):
            StratifiedKFold(3).split(rows(22), y)
        with pytest.raises(ValueError, match=r"^HoldOut: class 'b' has 1 row, but two are needed"):
            HoldOut(0.2, stratify=True).split(rows(21), ["a"] * 20 + ["b"])

    def test_a_level_with_too_few_rows_is_named(self):
        table = Frame({"color": ["red"] * 20 + ["green"], "shape": ["round", "long", "flat"] * 7})
        with pytest.raises(ValueError, match=r"StratifiedKFold: 'color' 'green' has 1 row, but each"):
            StratifiedKFold(2, by="color").split(table)
        with pytest.raises(ValueError, match=r"'color' 'green' with 'shape' 'flat' has 1 row"):
            StratifiedKFold(2, by=["color", "shape"]).split(table)

    def test_real_numbers_are_not_classes(self):
        with pytest.raises(
            ValueError, match=r"^StratifiedKFold: y holds real numbers such as 0\.5, not classes"
        ):
            StratifiedKFold(2).split(rows(4), [1.0, 0.5, 1.0, 0.5])

    def test_no_classes_at_all(self):
        with pytest.raises(
            ValueError, match="^StratifiedKFold: strata come from the classes: pass y, or name a"
        ):
            StratifiedKFold(2).split(rows(4))
        with pytest.raises(
            ValueError, match=r"y must be one column of classes; got an array of shape \(4, 2\)"
        ):
            StratifiedKFold(2).split(rows(4), np.zeros((4, 2)))

    def test_a_column_that_is_not_there(self):
        with pytest.raises(ValueError, match="There is no column 'colr': did you mean 'color'"):
            StratifiedKFold(2, by="colr").split(Frame({"color": ["red"] * 4}))
        with pytest.raises(ValueError, match="Strata need at least one column"):
            StratifiedKFold(2, by=[]).split(rows(4))
