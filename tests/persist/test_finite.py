"""Numbers that must be finite are, in every model that is saved or loaded."""

from __future__ import annotations

import numpy as np
import pytest

import hornbook
from hornbook import PCA, FuzzyCMeans, GaussianMixture, GustafsonKessel, MetricLearner
from hornbook.params import Finite
from hornbook.persist import ModelFileError
from hornbook.persist._errors import Damaged
from hornbook.persist._validate import attributes, validate

X = np.random.default_rng(0).normal(size=(40, 3))


def declared(learner):
    """The attributes of a learner that are declared to be finite."""
    hints = attributes(type(learner)).items()
    return [name for name, hint in hints if Finite() in getattr(hint, "__metadata__", ())]


@pytest.mark.parametrize(
    "learner",
    [
        PCA(2),
        MetricLearner(),
        GaussianMixture(2, random_state=0),
        FuzzyCMeans(2, random_state=0),
        GustafsonKessel(2, random_state=0),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_numbers_that_are_not_finite_are_refused(learner, tmp_path):
    learner.fit(X)
    validate(learner)
    for name in set(declared(learner)) & set(vars(learner)):
        good = getattr(learner, name)
        for number in (np.nan, np.inf, -np.inf):
            bad = np.full_like(good, number) if isinstance(good, np.ndarray) else number
            setattr(learner, name, bad)
            with pytest.raises(Damaged, match=f"{name} holds numbers that are not finite"):
                validate(learner)
        with pytest.raises(ModelFileError, match=f"{name} holds numbers that are not finite"):
            hornbook.save(learner, tmp_path / "model")
        setattr(learner, name, good)
    assert len(declared(learner)) > 0


def test_an_integer_beyond_all_numbers_is_not_finite():
    model = PCA(2).fit(X)
    model.noise_variance_ = 10**400
    with pytest.raises(Damaged, match="noise_variance_ holds numbers that are not finite"):
        validate(model)
