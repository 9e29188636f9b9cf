"""Contributions as an object: sums, one output, text and plain data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hornbook import Frame
from hornbook.evaluation import Contributions


def contributions(n_rows=3, n_columns=2, outputs=()):
    draw = np.random.default_rng(0)
    shape = (n_rows, n_columns, *([len(outputs)] if outputs else []))
    data = Frame({f"c{j}": draw.normal(size=n_rows) for j in range(n_columns)})
    base = np.linspace(0.2, 0.6, len(outputs)) if outputs else np.float64(1.5)
    pairs = draw.normal(size=(n_rows, n_columns, *shape[1:]))
    return Contributions(draw.normal(size=shape), base, data, outputs, "probability", pairs)


def test_base_and_values_add_up_to_the_predictions():
    one, many = contributions(), contributions(outputs=("a", "b", "c"))
    np.testing.assert_array_equal(one.predictions, 1.5 + one.values.sum(axis=1))
    np.testing.assert_array_equal(many.predictions, many.base + many.values.sum(axis=1))
    assert len(many) == 3
    np.testing.assert_array_equal(np.asarray(many), many.values)
    assert np.asarray(one, dtype=np.float32).dtype == np.float32


def test_one_output_alone():
    many = contributions(outputs=("a", "b", "c"))
    b = many.of("b")
    np.testing.assert_array_equal(b.values, many.values[..., 1])
    np.testing.assert_array_equal(b.interactions, many.interactions[..., 1])
    assert b.base == many.base[1]
    assert b.meaning == "probability of b"
    assert contributions(outputs=("no", "yes")).of().meaning == "probability of yes"
    assert b.of() is b
    with pytest.raises(ValueError, match="must be one of the classes 'a', 'b', 'c'; got None"):
        many.of()
    with pytest.raises(ValueError, match="'d'"):
        many.of("d")
    with pytest.raises(ValueError, match="contributions to one number"):
        b.of("b")


def test_sizes_are_mean_absolute_values_over_all_outputs():
    many = contributions(outputs=("a", "b"))
    np.testing.assert_allclose(many.sizes(), np.abs(many.values).mean(axis=0).sum(axis=1))
    np.testing.assert_allclose(contributions().sizes(), np.abs(contributions().values).mean(axis=0))


def test_many_rows_print_the_sizes_and_one_row_its_sum():
    text = str(contributions(outputs=("no", "yes")))
    assert text.startswith("What 2 columns contribute to the probability of 3 rows")
    assert "mean prediction: no 0.2, yes 0.6" in text
    one = contributions(n_rows=1)
    lines = str(one).splitlines()
    assert lines[0] == "What 2 columns contribute to the probability of one row"
    assert lines[-1].split() == ["prediction", f"{one.predictions[0]:.4g}"]
    assert sum(float(line.split()[-1]) for line in lines[4:-1]) == pytest.approx(one.predictions[0], abs=1e-3)
    assert "<table>" in one._repr_html_()


def test_further_columns_are_summed():
    many = contributions(n_columns=25)
    assert "5 others" in str(many)
    one = contributions(n_rows=1, n_columns=25)
    assert "5 others" in str(one)


def test_missing_cells_and_words_are_named():
    data = Frame({"size": [np.nan], "city": ["Rome"], "grade": [None]}, kinds={"grade": "nominal"})
    text = str(Contributions(np.ones((1, 3)), np.float64(0.0), data))
    assert "size = missing" in text
    assert "city = Rome" in text
    assert "grade = missing" in text


def test_plain_data():
    known = contributions(outputs=("a", "b")).to_dict()
    assert json.loads(json.dumps(known)) == known
    assert known["names"] == ["c0", "c1"]
    assert np.shape(known["values"]) == (3, 2, 2)
    assert np.shape(known["interactions"]) == (3, 2, 2, 2)
