"""Recurrent networks, which backpropagation can also train: an Elman network through time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from hornbook import ElmanClassifier, LogisticRegression
from hornbook.networks import is_feed_forward


def test_backpropagation_trains_a_recurrent_network():
    """The class of a sequence is whether its number of ones is odd: no weighted sum of the steps knows."""
    bits = np.array([[i >> j & 1 for j in range(4)] for i in range(16)], dtype=float)
    parity = bits.sum(axis=1).astype(int) % 2
    model = ElmanClassifier(6, random_state=0, max_iter=400, tol=1e-3).fit(bits, parity)
    assert model.score(bits, parity) == 1.0
    cost = model.history_["cost"]
    assert all(after <= before for before, after in pairwise(cost))
    assert cost[-1] < np.log(2)  # what it costs to know nothing
    # No plane has more than 11 of the 16 corners on the side of their class.
    assert LogisticRegression().fit(bits, parity).score(bits, parity) <= 11 / 16


def test_it_is_not_feed_forward():
    model = ElmanClassifier(3, random_state=0, tol=0.1).fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    assert not is_feed_forward(model.connections())
    assert is_feed_forward([arrow for arrow in model.connections() if arrow[0][0] != arrow[1][0]])
