"""Many classes from learners of two, as the notes tell it: how many members, who wins."""

from __future__ import annotations

import numpy as np

from hornbook import NaiveBayes, OneVsOne, OneVsRest, OutputCodes, datasets

GLASS = datasets.glass()
INSIDE = NaiveBayes(var_smoothing=0.01)


def test_a_wrapper_around_any_learner_of_two_classes():
    model = OneVsRest(INSIDE).fit(GLASS)
    for member in model.estimators_:
        assert member.classes_.tolist() == [0, 1]


def test_one_against_one_has_a_member_for_each_pair_and_the_most_votes_win():
    model = OneVsOne(INSIDE).fit(GLASS)
    n = len(model.classes_)
    assert len(model.estimators_) == n * (n - 1) // 2 == 15
    votes = np.zeros((len(GLASS), n))
    for member, column in zip(model.estimators_, model.code_.T, strict=True):
        one, other = np.flatnonzero(column == 1)[0], np.flatnonzero(column == -1)[0]
        for_one = member.predict(GLASS.features) == 1
        votes[for_one, one] += 1
        votes[~for_one, other] += 1
    predicted = np.searchsorted(model.classes_, model.predict(GLASS))
    np.testing.assert_array_equal(votes[np.arange(len(GLASS)), predicted], votes.max(axis=1))


def test_one_against_the_rest_has_a_member_for_each_class_and_the_surest_wins():
    model = OneVsRest(INSIDE).fit(GLASS)
    assert len(model.estimators_) == len(model.classes_) == 6
    yes = np.column_stack([member.predict_proba(GLASS.features)[:, 1] for member in model.estimators_])
    predicted = np.searchsorted(model.classes_, model.predict(GLASS))
    clear = (yes > 0.5).sum(axis=1) == 1
    np.testing.assert_array_equal(predicted[clear], (yes > 0.5).argmax(axis=1)[clear])
    np.testing.assert_array_equal(yes[np.arange(len(GLASS)), predicted], yes.max(axis=1))


def test_many_against_many_codes_the_classes_and_the_nearest_word_wins():
    model = OutputCodes(INSIDE, code="exhaustive").fit(GLASS)
    assert model.code_.shape == (6, 31)
    bits = np.column_stack([2 * member.predict(GLASS.features) - 1 for member in model.estimators_])
    differ = (bits[:, None, :] != model.code_).sum(axis=2)
    np.testing.assert_array_equal(model.distances(GLASS), differ)
    np.testing.assert_array_equal(model.predict(GLASS), model.classes_[differ.argmin(axis=1)])


def test_one_against_one_and_against_the_rest_are_codes():
    words = OutputCodes(INSIDE, code="one_vs_rest", decoding="hinge").fit(GLASS)
    rest = OneVsRest(INSIDE).fit(GLASS)
    np.testing.assert_array_equal(words.code_, rest.code_)
    # The sum of hinge losses falls with the score of the class itself.
    np.testing.assert_array_equal(words.predict(GLASS), rest.predict(GLASS))
    pairs = OutputCodes(INSIDE, code="one_vs_one").fit(GLASS)
    np.testing.assert_array_equal(pairs.code_, OneVsOne(INSIDE).fit(GLASS).code_)
