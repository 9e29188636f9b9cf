"""Combining predictors: the examples of the notes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.ensembles import average, plurality_vote, sign_vote


@pytest.mark.parametrize(
    ("right", "ensemble"),
    [
        ([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1, 1, 1]),  # accurate and different: the vote helps
        ([[1, 1, 0], [1, 1, 0], [1, 1, 0]], [1, 1, 0]),  # the same mistakes: no effect
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]),  # worse than chance: the vote hurts
    ],
    ids=["helps", "no effect", "hurts"],
)
def test_members_must_be_accurate_and_different(right, ensemble):
    votes = np.where(np.array(right, dtype=bool), 1, -1)  # the truth is 1
    assert (sign_vote(votes) == 1).astype(int).tolist() == ensemble
    assert (plurality_vote(votes) == 1).astype(int).tolist() == ensemble


def test_weak_learners_gain_most_by_voting():
    draw = np.random.default_rng(0)

    def gain(accuracy):
        votes = np.where(draw.random((21, 4000)) < accuracy, 1, -1)
        return (sign_vote(votes) == 1).mean() - accuracy

    assert gain(0.6) > 0.2 > gain(0.95) > 0
    assert gain(0.4) < -0.15  # below chance it makes things worse


def test_the_mean_guess_is_no_worse_than_the_guesses_are_on_average():
    guesses, truth = np.random.default_rng(0).normal(1200, 150, size=(787, 1)), 1198.0
    crowd = abs(average(guesses)[0] - truth)
    assert crowd < np.abs(guesses - truth).mean() / 10


def test_equal_votes_are_settled_at_random_or_by_confidence():
    votes = [["ripe"] * 1000, ["unripe"] * 1000]
    drawn = plurality_vote(votes, ties="random", random_state=1)
    assert 0.45 < (drawn == "ripe").mean() < 0.55
    confidence = np.repeat([[[0.6, 0.4]], [[0.1, 0.9]]], 1000, axis=1)
    assert set(plurality_vote(votes, ties="confidence", probabilities=confidence)) == {"unripe"}
