"""Concept learning, memorizing and Cover's counts, to the printed number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import hornbook
from hornbook import ConjunctiveConcept, Memorizer, datasets
from hornbook.concepts import (
    capacity_curve,
    dichotomies,
    hypothesis_space_size,
    in_general_position,
    instance_space_size,
    linear_dichotomies,
    linearly_separable,
    separable_probability,
)
from hornbook.evaluation import error_rate
from hornbook.frame import detect_task

SQUARE = [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]  # A B above C D


class TestFoundations:
    def test_features_a_model_and_a_task(self):
        iris = datasets.iris()
        assert iris.features.shape == (150, 4)
        assert detect_task(iris) == "multiclass"
        cards = hornbook.learners(task="classification")
        assert all(card.model_class and card.objective and card.optimizer for card in cards)
        model = hornbook.NaiveBayes().fit(iris)
        assert set(model.predict(iris).tolist()) <= set(iris.y.tolist())

    def test_problems_with_and_without_desired_outputs(self):
        rows = datasets.iris().features
        for card in hornbook.learners():
            supervised = set(card.tasks) & {"classification", "regression"}
            if card.name != "Scaled":  # it is what its learner is
                assert getattr(hornbook, card.name).supervised == bool(supervised)
        assert hornbook.Scaled(hornbook.NaiveBayes()).supervised
        assert not hornbook.Scaled(hornbook.KMeans()).supervised
        assert hornbook.Encoder().fit(rows).transform(rows).shape == (150, 4)
        with pytest.raises(ValueError, match="requires y to be passed"):
            hornbook.NaiveBayes().fit(rows)


class TestConcepts:
    def test_a_positive_and_a_negative_example(self):
        patients = pd.DataFrame(
            {"temperature": ["high", "medium"], "coughing": ["yes", "no"], "spots": ["yes", "yes"]}
        )
        model = ConjunctiveConcept(negative="well").fit(patients, ["ill", "well"])
        (space,) = model.concepts_
        assert "temperature = high and coughing = yes and spots = yes" in str(model.describe())
        # What is left out of the three literals must keep one of the two that the negative example violates.
        assert space.size == 6
        assert model.predict(patients).tolist() == ["ill", "well"]

    def test_the_instances_of_the_course_catalogue(self):
        assert instance_space_size([4, 40, 2, 500]) == 160_000

    def test_its_hypotheses(self):
        assert hypothesis_space_size([4, 40, 2, 500]) == 5 * 41 * 3 * 501 == 308_115
        assert hypothesis_space_size([4, 40, 2, 500], kind="boolean") == 2**160_000


class TestMemorizing:
    def test_good_on_training_rows_and_poor_on_the_real_task(self):
        iris = datasets.iris()
        seen = np.arange(150) % 2 == 0
        model = Memorizer().fit(iris.features[seen], iris.y[seen])
        assert error_rate(iris.y[seen], model.predict(iris.features[seen])) == 0
        unseen = model.predict_proba(iris.features[~seen])
        new = (unseen == model.class_prior_).all(axis=1)
        assert new.mean() > 0.9
        assert error_rate(iris.y[~seen][new], model.predict(iris.features[~seen])[new]) > 0.6


class TestCover:
    def test_counts(self):
        assert (dichotomies(4, 2), dichotomies(3, 2)) == (14, 8)
        known = {(3, 2): 8, (4, 2): 14, (5, 2): 22, (4, 3): 16, (5, 3): 30, (6, 3): 52}
        assert {key: dichotomies(*key) for key in known} == known

    def test_probabilities(self):
        probabilities = [separable_probability(n, 2) for n in range(2, 9)]
        assert probabilities == [1.0, 1.0, 0.875, 0.6875, 0.5, 0.34375, 0.2265625]

    @pytest.mark.parametrize(
        ("dimension", "expected"),
        [
            (5, [0.8555, 0.5, 0.2120]),
            (10, [0.9408, 0.5, 0.1635]),
            (20, [0.9786, 0.5, 0.0804]),
            (50, [0.9988, 0.5, 0.0128]),
        ],
    )
    def test_the_capacity_curve(self, dimension, expected):
        curve = capacity_curve([dimension], ratio=[1.5, 2.0, 2.5])
        np.testing.assert_allclose(curve.probability[dimension].round(4), expected, atol=1e-12)

    def test_general_position(self):
        assert in_general_position(SQUARE)
        assert not in_general_position([[0, 0], [1, 1], [2, 2], [1, 0]])

    def test_the_groupings_of_four_points(self):
        dichotomies = linear_dichotomies(SQUARE)
        assert 2 * len(dichotomies.sides) == 16
        assert dichotomies.count == 14
        (bad,) = dichotomies.sides[~dichotomies.separable]
        assert {dichotomies.names[i] for i in np.flatnonzero(~bad)} == {"A", "D"}
        assert {dichotomies.names[i] for i in np.flatnonzero(bad)} == {"B", "C"}

    def test_xor_cannot_be_split_and_its_products_can(self):
        xor = datasets.boolean("xor")
        assert not linearly_separable(xor.features, xor.y)
        x = xor.features.numbers
        assert linearly_separable(np.column_stack([x, x[:, 0] * x[:, 1]]), xor.y)
