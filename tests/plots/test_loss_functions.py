"""Losses against margins."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.losses import HingeLoss
from hornbook.plots import loss_functions


def test_all_but_zero_one_pass_through_one_at_zero_and_lie_above_it():
    _, zero_one, *surrogates = loss_functions(title="losses").lines
    m, mistakes = zero_one.get_data()
    for line in surrogates:
        cost = line.get_ydata()
        assert (cost >= mistakes - 1e-12).all()
        assert cost[m == 0] == pytest.approx(1.0)


def test_given_losses():
    ax = loss_functions({"soft": HingeLoss(0.5)}, reach=1.0)
    (line,) = ax.lines[1:]
    np.testing.assert_allclose(line.get_ydata(), HingeLoss(0.5).at(line.get_xdata()))
    assert line.get_label() == "soft"
    with pytest.raises(ValueError, match="'reach' must be above 0"):
        loss_functions(reach=0)
