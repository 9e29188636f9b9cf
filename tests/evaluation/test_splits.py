"""Folds, single rows, time: what every split keeps, and scikit-learn as the judge."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as judge

from hornbook.evaluation import (
    GroupKFold,
    HoldOut,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    SmallFoldWarning,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from hornbook.params import ParameterError

small_folds = pytest.mark.filterwarnings("ignore::hornbook.evaluation.SmallFoldWarning")


def rows(n):
    return np.zeros((n, 1))


def pairs(splitter, *data):
    return [(train.tolist(), test.tolist()) for train, test in splitter.split(*data)]


@small_folds
class TestKFold:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(n=st.integers(2, 90), k=st.integers(2, 12), seed=st.none() | st.integers(0, 2**64 - 1))
    def test_folds_are_disjoint_cover_all_rows_and_differ_by_at_most_one(self, n, k, seed):
        k = min(k, n)
        folds = list(KFold(k, shuffle=seed is not None, random_state=seed).split(rows(n)))
        assert len(folds) == k
        for train, test in folds:
            assert sorted([*train, *test]) == list(range(n))
            assert (np.diff(train) > 0).all()
            assert (np.diff(test) > 0).all()
        tested = np.concatenate([test for _, test in folds])
        assert sorted(tested) == list(range(n))
        sizes = [len(test) for _, test in folds]
        assert max(sizes) - min(sizes) <= 1

    @pytest.mark.parametrize(("n", "k"), [(10, 3), (7, 7), (150, 10), (151, 10), (159, 10)])
    def test_without_shuffling_the_folds_are_scikit_learns(self, n, k):
        assert pairs(KFold(k), rows(n)) == pairs(judge.KFold(k), rows(n))

    def test_the_notes_cut_into_ten(self):
        assert KFold().n_splits == 10
        assert KFold().get_n_splits() == 10

    def test_the_same_seed_gives_the_same_folds_and_another_seed_others(self):
        first = pairs(KFold(5, shuffle=True, random_state=3), rows(50))
        assert first == pairs(KFold(5, shuffle=True, random_state=3), rows(50))
        assert first != pairs(KFold(5, shuffle=True, random_state=4), rows(50))
        assert first != pairs(KFold(5), rows(50))

    def test_the_folds_of_a_seed_are_these_on_every_machine(self):
        folds = [test for _, test in pairs(KFold(3, shuffle=True, random_state=0), rows(9))]
        assert folds == [[1, 6, 8], [2, 3, 5], [0, 4, 7]]

    def test_without_a_seed_each_use_differs(self):
        split = KFold(2, shuffle=True)
        assert pairs(split, rows(200)) != pairs(split, rows(200))

    def test_a_random_state_gives_one_draw_for_each_use(self):
        split = KFold(2, shuffle=True, random_state=np.random.RandomState(0))
        first, second = pairs(split, rows(200)), pairs(split, rows(200))
        assert first != second
        again = KFold(2, shuffle=True, random_state=np.random.RandomState(0))
        assert [pairs(again, rows(200)), pairs(again, rows(200))] == [first, second]

    def test_fold_numbers_say_where_each_row_is_tested(self):
        split = KFold(4, shuffle=True, random_state=1)
        numbers = split.fold_numbers(rows(21))
        for k, (_, test) in enumerate(split.split(rows(21))):
            np.testing.assert_array_equal(np.flatnonzero(numbers == k), test)

    def test_any_two_rows_are_equally_likely_to_share_a_fold(self):
        # 12 rows in 3 folds of 4: the chance that two rows share a fold is 3 / 11.
        together = np.zeros((12, 12))
        for seed in range(3000):
            numbers = KFold(3, shuffle=True, random_state=seed).fold_numbers(rows(12))
            together += numbers[:, None] == numbers
        share = together[np.triu_indices(12, 1)] / 3000
        # 66 pairs: five standard deviations of a share from 3000 draws
        assert abs(share - 3 / 11).max() < 5 * np.sqrt(3 / 11 * 8 / 11 / 3000)


@small_folds
class TestRepeatedKFold:
    def test_each_repeat_cuts_all_rows_and_no_two_alike(self):
        pairs_found = pairs(RepeatedKFold(n_splits=4, n_repeats=5, random_state=2), rows(43))
        assert len(pairs_found) == 20
        repeats = [[test for _, test in pairs_found[4 * r : 4 * r + 4]] for r in range(5)]
        for folds in repeats:
            assert sorted(row for fold in folds for row in fold) == list(range(43))
        assert len({str(folds) for folds in repeats}) == 5

    def test_the_first_repeat_is_the_shuffled_fold_of_the_same_seed(self):
        folds = pairs(RepeatedKFold(n_splits=4, n_repeats=2, random_state=2), rows(43))
        assert folds[:4] == pairs(KFold(4, shuffle=True, random_state=2), rows(43))

    def test_it_counts_the_folds_of_all_repeats(self):
        assert RepeatedKFold(n_splits=3, n_repeats=4).get_n_splits() == 12
        assert RepeatedKFold().get_n_splits() == 100


class TestLeaveOneOut:
    def test_the_splits_are_scikit_learns(self):
        assert pairs(LeaveOneOut(), rows(6)) == pairs(judge.LeaveOneOut(), rows(6))

    @small_folds
    def test_it_is_k_fold_with_as_many_folds_as_rows(self):
        assert pairs(LeaveOneOut(), rows(6)) == pairs(KFold(6), rows(6))

    def test_one_row_cannot_be_left_out(self):
        with pytest.raises(ValueError, match=r"^LeaveOneOut: needs at least 2 rows, .* got 1\.$"):
            LeaveOneOut().split(rows(1))

    def test_the_number_of_splits_needs_the_rows(self):
        assert LeaveOneOut().get_n_splits(rows(6)) == 6
        with pytest.raises(ValueError, match="pass X to count them"):
            LeaveOneOut().get_n_splits()


@small_folds
class TestTimeSeriesSplit:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(
        n=st.integers(1, 60),
        k=st.integers(2, 8),
        gap=st.integers(0, 6),
        test_size=st.none() | st.integers(1, 8),
        max_train_size=st.none() | st.integers(1, 20),
    )
    def test_the_splits_are_scikit_learns_and_so_are_the_refusals(self, n, k, gap, test_size, max_train_size):
        arguments = {"gap": gap, "test_size": test_size, "max_train_size": max_train_size}
        try:
            expected = pairs(judge.TimeSeriesSplit(k, **arguments), rows(n))
        except ValueError:
            expected = None
        try:
            folds = pairs(TimeSeriesSplit(k, **arguments), rows(n))
        except ValueError:
            folds = None
        assert folds == expected

    def test_too_few_rows(self):
        with pytest.raises(ValueError, match=r"need at least 14 rows; got 12: use fewer splits"):
            TimeSeriesSplit(2, test_size=5, gap=3).split(rows(12))
        assert TimeSeriesSplit(2).get_n_splits() == 2


class TestWarning:
    def uses(self):
        n, y, groups = 290, np.arange(290) % 2, np.arange(290) // 10
        return {
            KFold(10): (rows(n),),
            StratifiedKFold(10): (rows(n), y),
            RepeatedKFold(n_splits=10, n_repeats=3): (rows(n),),
            RepeatedStratifiedKFold(n_splits=10, n_repeats=3): (rows(n), y),
            GroupKFold(10): (rows(n), y, groups),
            StratifiedGroupKFold(10): (rows(n), y, groups),
            TimeSeriesSplit(10): (rows(n),),
            HoldOut(0.1): (rows(n),),
        }

    def test_fewer_than_thirty_rows_in_a_fold_are_said_once(self):
        for splitter, data in self.uses().items():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                list(splitter.split(*data))
            assert [warning.category for warning in caught] == [SmallFoldWarning]
            assert caught[0].filename == __file__
            name = type(splitter).__name__
            assert str(caught[0].message).startswith(f"{name}: the smallest test set has 2")
            assert "fewer than 30 is unreliable: use fewer folds" in str(caught[0].message)

    def test_thirty_rows_in_a_fold_are_enough(self):
        # 300 rows for 10 folds, as the notes count; warnings are errors here
        assert len(list(KFold(10).split(rows(300)))) == 10
        with pytest.warns(SmallFoldWarning):
            KFold(10).split(rows(299))

    def test_leave_one_out_says_nothing(self):
        assert len(list(LeaveOneOut().split(rows(5)))) == 5


class TestRefusals:
    @pytest.mark.parametrize(
        ("make", "sentence"),
        [
            (lambda: KFold(1), r"KFold: parameter 'n_splits' must be an integer in \[2, inf\); got 1\."),
            (lambda: KFold(2.5), r"KFold: parameter 'n_splits' must be an integer in .*; got 2\.5\."),
            (lambda: KFold(3, shuffle=1), r"KFold: parameter 'shuffle' must be True or False; got 1\."),
            (
                lambda: StratifiedKFold(3, random_state=0),
                r"StratifiedKFold: parameter 'random_state' has no effect without shuffling: set",
            ),
            (lambda: RepeatedKFold(n_repeats=0), r"'n_repeats' must be an integer in \[1, inf\); got 0"),
            (lambda: TimeSeriesSplit(2, gap=-1), r"'gap' must be an integer in \[0, inf\); got -1"),
            (lambda: HoldOut(1.0), r"'test_size' must be an integer .*; got 1\.0"),
            (lambda: HoldOut(0), r"'test_size' must be an integer .*; got 0"),
            (lambda: StratifiedKFold(by=1.5), r"'by' must be .*; got 1\.5"),
        ],
    )
    def test_a_wrong_parameter_is_named_when_the_object_is_made(self, make, sentence):
        with pytest.raises(ParameterError, match=sentence):
            make()

    def test_more_folds_than_rows(self):
        with pytest.raises(
            ValueError, match=r"^KFold: n_splits=10 folds need at least as many rows; got 9: use"
        ):
            KFold(10).split(rows(9))

    @pytest.mark.parametrize("split", [KFold(2), LeaveOneOut(), TimeSeriesSplit(2), HoldOut(0.5)])
    def test_columns_must_fit_the_table(self, split):
        with pytest.raises(
            ValueError, match=r"^'groups' must have one value for each of the 9 rows of X; got 8\.$"
        ):
            split.split(rows(9), None, np.zeros(8))

    def test_something_without_rows(self):
        with pytest.raises(TypeError, match="X must be a table, an array or a list.*got int"):
            KFold(2).split(3)
