"""The diagram of mean ranks: bars join exactly those that cannot be told apart."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import nemenyi, rank_groups
from hornbook.plots import critical_difference


def bars(ax):
    return [tuple(line.get_xdata()) for line in ax.lines if line.get_linewidth() == 4]


def test_bars_are_the_groups():
    scores = np.random.default_rng(0).normal([0, 0.2, 0.8, 1.0, 2.5], size=(20, 5))
    result = nemenyi(scores, names=list("abcde"))
    ax = critical_difference(result.mean_ranks, result.names, result.critical_difference)
    assert result.groups
    drawn = bars(ax)
    assert len(drawn) == len(result.groups)
    for (low, high), group in zip(drawn, result.groups, strict=True):
        inside = {i for i, rank in enumerate(result.mean_ranks) if low <= rank <= high}
        assert inside == set(group)
    for i in range(5):
        for j in range(i):
            joined = any(
                low <= min(pair) and max(pair) <= high
                for low, high in drawn
                for pair in [result.mean_ranks[[i, j]]]
            )
            assert joined == (not result.rejected[i, j])


def test_names_hang_on_their_ranks():
    ranks, names = [2.9, 1.2, 1.9, 3.7], ["tree", "forest", "bayes", "guess"]
    ax = critical_difference(ranks, names, 0.8)
    hung = {line.get_xdata()[0]: line.get_ydata()[-1] for line in ax.lines if len(line.get_xdata()) == 3}
    assert set(hung) == set(ranks)
    texts = {text.get_text(): text for text in ax.texts}
    for rank, name in zip(ranks, names, strict=True):
        assert texts[name].xy[1] == hung[rank]
    # the better half is at the left, the best on top
    assert texts["forest"].get_horizontalalignment() == "right"
    assert texts["tree"].get_horizontalalignment() == "left"
    assert texts["forest"].xy[1] > texts["bayes"].xy[1]
    assert texts["guess"].xy[1] > texts["tree"].xy[1]
    assert {"1", "2", "3", "4", "critical difference 0.8"} <= set(texts)


def test_the_ruler_shows_the_critical_difference():
    ax = critical_difference([1.0, 2.0, 3.0], "abc", 5.0)
    (ruler,) = [line for line in ax.lines if line.get_marker() == "|"]
    assert np.ptp(ruler.get_xdata()) == 5.0
    assert ax.get_xlim()[1] > ruler.get_xdata()[1]
    assert rank_groups([1.0, 2.0, 3.0], 5.0) == [[0, 1, 2]]
    assert len(bars(ax)) == 1
    assert bars(critical_difference([1.0, 2.0, 3.0], "abc", 0.5)) == []
    assert len(bars(critical_difference([1.5, 1.5], "ab", 0.5))) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([1.0, 2.0], ["a"], 1.0),
            r"one finite number for each of at least 2 'names'; got an array of shape \(2,\)",
        ),
        (([1.0], ["a"], 1.0), r"at least 2 'names'; got an array of shape \(1,\) and 1 names"),
        (([1.0, np.nan], ["a", "b"], 1.0), r"one finite number for each"),
        (([1.0, 2.0], ["a", "b"], 0.0), r"'critical_difference' must be a number in \(0, inf\); got 0\.0\."),
    ],
)
def test_wrong_input_is_one_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        critical_difference(*arguments)


def test_the_numbers_of_many_ranks_keep_apart():
    ax = critical_difference(np.arange(1.0, 31.0), [f"L{i}" for i in range(30)], 5.0)
    numbers = [int(text.get_text()) for text in ax.texts if text.get_text().isdigit()]
    assert numbers == list(range(1, 31, 3))
