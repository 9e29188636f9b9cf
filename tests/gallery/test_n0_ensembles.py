"""What the figures of note N0 about ensembles show."""

from __future__ import annotations

import numpy as np
from tests.gallery.drawn import contours, legend, texts

from gallery import n0_ensembles as shown


def test_members_stand_between_the_row_and_the_combination():
    [ax] = shown.ensemble_flow().axes
    places = {text.get_text(): text.get_position() for text in ax.texts if text.get_text()}
    assert set(places) == {"x", "learner 1", "learner 2", "learner T", "combination", "prediction"}
    across = [places[name][0] for name in ("x", "learner 1", "combination", "prediction")]
    assert across == sorted(across)
    arrows = [text for text in ax.texts if not text.get_text()]
    assert len(arrows) == 7


def test_a_vote_helps_does_not_help_and_hurts():
    axes = shown.three_votes().axes
    assert [ax.get_title() for ax in axes] == ["helps", "does not help", "hurts"]
    assert [texts(ax)[-3:] for ax in axes] == [["✓"] * 3, ["✓", "✓", "✗"], ["✗"] * 3]
    assert [texts(ax).count("✓") for ax in axes] == [6 + 3, 6 + 2, 3]


def test_adaboost_weights_mistakes_and_votes():
    [ax] = shown.adaboost_algorithm().axes
    words = texts(ax)
    assert "α_t = ½ ln((1 - ε_t) / ε_t)" in words  # noqa: RUF001
    assert "# weighted error" in words
    assert ax.get_title(loc="left") == "AdaBoost"


def test_boosted_stumps_err_on_as_many_melons_as_in_the_notes():
    axes = shown.adaboost_boundaries().axes
    assert [ax.get_title() for ax in axes] == [
        "3 members, 1 wrong",
        "5 members, 1 wrong",
        "11 members, 0 wrong",
    ]
    assert [len(contours(ax)) for ax in axes] == [4, 6, 12]  # of each member, and of the vote
    corners = contours(axes[0])
    # The first three stumps: sugar 0.2045, density 0.3815, sugar 0.373; a grid shows them to half a step.
    cuts = [corners[i].mean(axis=0)[j] for i, j in ((0, 1), (1, 0), (2, 1))]
    np.testing.assert_allclose(cuts, [0.2045, 0.3815, 0.373], atol=0.004)


def test_bagging_draws_rows_and_votes():
    [ax] = shown.bagging_algorithm().axes
    assert "D_t = m rows drawn from D with replacement" in texts(ax)
    assert "# 63.2 % of the rows on average" in texts(ax)


def test_bagged_trees_are_drawn_with_their_vote():
    axes = shown.bagging_boundaries().axes
    assert [len(contours(ax)) for ax in axes] == [4, 6, 12]
    assert [ax.get_title().split()[0] for ax in axes] == ["3", "5", "11"]
    for ax in axes:
        widths = [part.get_linewidth()[0] for part in ax.collections[: len(contours(ax))]]
        assert widths == [0.8] * (len(widths) - 1) + [2.6]


def test_errors_fall_with_the_size_of_the_ensemble():
    left, right = shown.errors_by_size().axes
    for ax in (left, right):
        assert legend(ax) == ["random forest", "bagging"]
        assert ax.get_xlabel() == "number of trees"
        for line in ax.lines:
            np.testing.assert_array_equal(line.get_xdata(), np.arange(1, 61))
            errors = line.get_ydata()
            assert errors[-10:].mean() < 0.8 * errors[0]
    assert (left.get_ylabel(), right.get_ylabel()) == ("error rate", "mean squared error")


def test_the_mean_is_closer_to_the_best_model_than_most_members():
    axes = shown.reasons_to_combine().axes
    assert [ax.get_title() for ax in axes] == [
        f"{reason} reason" for reason in ("statistical", "computational", "representational")
    ]
    for ax in axes:
        members, best, mean = (np.asarray(part.get_offsets()) for part in ax.collections)
        np.testing.assert_allclose(mean[0], members.mean(axis=0))
        far = np.linalg.norm(members - best, axis=1)
        assert np.linalg.norm(mean - best) < far.mean()


def test_stacking_learns_from_the_predictions_of_others():
    [ax] = shown.stacking_algorithm().axes
    assert "h' = L(D')" in texts(ax)
    assert "z_it = h_t(x_i)" in texts(ax)
