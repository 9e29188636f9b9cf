"""Sizes of networks."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.networks import hidden_units_estimate, parameter_count


def test_layers_have_a_weight_for_each_input_and_a_threshold() -> None:
    d, q, units = 4, 7, 3
    assert parameter_count([d, q, units]) == (d + units + 1) * q + units
    assert parameter_count(np.array([2, 20, 20, 1])) == 501


def test_neurons_linked_in_pairs_have_the_square_of_their_number() -> None:
    assert parameter_count(6) == 6 * 5 + 6


def test_an_estimate_leaves_rows_for_each_weight() -> None:
    for rows in (100, 400, 5000):
        units = hidden_units_estimate(rows, 6, 2, rows_per_weight=5)
        assert parameter_count([6, units, 2]) * 5 <= rows < parameter_count([6, units + 1, 2]) * 5
    assert hidden_units_estimate(3, 6, 2) == 1


def test_rules_of_thumb() -> None:
    units = hidden_units_estimate(150, 4, 3, rule="capacity")
    assert parameter_count([4, units, 3]) >= 150 * 3 / 2 > parameter_count([4, units - 1, 3])
    assert hidden_units_estimate(10, 16, 4, rule="pyramid") == 8
    assert hidden_units_estimate(10, 16, 4, rule="kolmogorov") == 33


@pytest.mark.parametrize("sizes", [[3], [], [3, 0], [2, 1.5], [True, 2], 0])
def test_sizes_are_whole_numbers(sizes: object) -> None:
    with pytest.raises(ValueError, match="whole numbers >= 1"):
        parameter_count(sizes)  # type: ignore[arg-type]


def test_wrong_rules_are_named() -> None:
    with pytest.raises(ValueError, match="'rule' must be one of 'rows'"):
        hidden_units_estimate(10, 2, 1, rule="half")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'rows_per_weight' must be a number > 0"):
        hidden_units_estimate(10, 2, 1, rows_per_weight=0.0)
