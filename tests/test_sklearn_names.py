"""`hornbook.sklearn` gives scikit-learn's results where a default of ours differs."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest
import sklearn.naive_bayes
import sklearn.neighbors
from sklearn.base import clone

import hornbook
from hornbook import sklearn as drop_in

NUMBERS = np.random.default_rng(0)
X = np.column_stack([NUMBERS.integers(0, 4, (120, 3)), np.zeros(120)]).astype(float)
y = NUMBERS.integers(0, 3, 120)


@pytest.mark.filterwarnings("ignore:column 'x3' has one value")
def test_constant_columns_count_as_in_scikit_learn():
    theirs, ours = sklearn.naive_bayes.GaussianNB().fit(X, y), drop_in.GaussianNB().fit(X, y)
    assert np.abs(theirs.var_ - ours.var_).max() < 1e-15
    assert np.abs(theirs.predict_proba(X) - ours.predict_proba(X)).max() < 1e-9


@pytest.mark.parametrize("k", [2, 4])
def test_tied_neighbors_vote_as_in_scikit_learn(k):
    # Rows by themselves, so that only votes are tied and not distances.
    rows = NUMBERS.normal(size=(200, 2))
    votes = NUMBERS.integers(0, 3, 200)
    theirs = sklearn.neighbors.KNeighborsClassifier(k).fit(rows[:150], votes[:150])
    ours = drop_in.KNeighborsClassifier(k).fit(rows[:150], votes[:150])
    other = hornbook.KNeighborsClassifier(k).fit(rows[:150], votes[:150])
    assert (theirs.predict(rows) == ours.predict(rows)).all()
    assert (theirs.predict(rows) != other.predict(rows)).any()


def test_rows_without_neighbors_are_an_error():
    model = drop_in.RadiusNeighborsClassifier(0.5).fit(X, y)
    with pytest.raises(ValueError, match="No neighbors found"):
        model.predict(X + 100)


@pytest.mark.parametrize("name", sorted(drop_in.DEFAULTS))
def test_what_is_made_is_our_learner(name):
    made = getattr(drop_in, name)
    ours = getattr(hornbook, drop_in.RENAMED.get(name, name))
    model = made()
    assert type(model) is ours
    assert isinstance(model, made)
    assert isinstance(ours(), made)
    assert issubclass(made, ours)
    assert made.__name__ == name
    assert pickle.loads(pickle.dumps(made)) is made  # noqa: S301 - our own bytes
    assert clone(model).get_params() == model.get_params()
    shown = {key: parameter.default for key, parameter in inspect.signature(made).parameters.items()}
    for key, value in drop_in.DEFAULTS[name].items():
        assert model.get_params()[key] == shown[key] == value
        assert inspect.signature(ours).parameters[key].default != value


def test_a_value_that_is_given_is_taken():
    assert drop_in.GaussianNB(var_scale="column").var_scale == "column"
    assert drop_in.KNeighborsClassifier(3, ties="nearest").n_neighbors == 3


def test_a_subclass_is_constructed_as_one():
    class Mine(drop_in.GaussianNB):
        """Somebody's own."""

    assert type(Mine()) is Mine
    assert isinstance(Mine(), drop_in.GaussianNB)
    assert not isinstance(drop_in.GaussianNB(), Mine)
