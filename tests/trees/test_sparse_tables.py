"""Trees and ensembles of trees take sparse matrices: the model is that of the dense table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import hornbook
from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, datasets

IRIS = datasets.iris()
X, Y = np.round(IRIS.features.matrix - 2.0).clip(0.0), IRIS.y
LEARNERS = (
    "AdaBoostClassifier",
    "BaggingClassifier",
    "DecisionStump",
    "DecisionTreeClassifier",
    "ExtraTreesClassifier",
    "GradientBoostingClassifier",
    "RandomForestClassifier",
)
FORMATS = (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_model_is_that_of_the_dense_table(name):
    learner = getattr(hornbook, name)
    settings = {"n_estimators": 5, "random_state": 0} if "n_estimators" in learner().get_params() else {}
    dense = learner(**settings).fit(X, Y)
    for form in FORMATS:
        model = learner(**settings).fit(form(X), Y)
        assert (model.predict_proba(form(X)) == dense.predict_proba(X)).all()
        assert (model.predict(X) == dense.predict(X)).all()
    if hasattr(dense, "apply"):
        assert (model.apply(form(X)) == dense.apply(X)).all()
    if hasattr(dense, "staged_predict"):
        for ours, theirs in zip(model.staged_predict(form(X)), dense.staged_predict(X), strict=True):
            assert (ours == theirs).all()


def test_stored_gaps_stay_gaps():
    table = sparse.csr_matrix(np.where(X == 2.0, np.nan, X))
    assert (DecisionTreeClassifier().fit(table, Y).nodes_.missing_child >= -1).all()
    assert DecisionTreeClassifier().fit(table, Y).tree_gaps_.any()


def test_a_table_that_cannot_be_made_dense_is_refused():
    huge = sparse.csr_matrix((2**20, 2**22))
    with pytest.raises(MemoryError, match="leave out columns that are nearly always 0"):
        DecisionTreeRegressor().fit(huge, np.zeros(2**20))


def test_drawn_thresholds_are_a_way_to_split():
    drawn = DecisionTreeClassifier(splitter="random", random_state=0).fit(IRIS)
    again = DecisionTreeClassifier(splitter="random", random_state=0).fit(IRIS)
    best = DecisionTreeClassifier().fit(IRIS)
    assert (drawn.nodes_.threshold[:1] == again.nodes_.threshold[:1]).all()
    assert len(drawn.nodes_) > len(best.nodes_)
    assert drawn.score(IRIS.features, Y) == 1.0


def test_friedman_mse_is_squared_error_and_warns():
    z = IRIS.features.matrix[:, 3]
    plain = DecisionTreeRegressor().fit(X, z)
    for learner in ("DecisionTreeRegressor", "RandomForestRegressor", "ObliqueTreeRegressor"):
        with pytest.warns(FutureWarning, match="same as 'squared_error'"):
            model = getattr(hornbook, learner)(criterion="friedman_mse").fit(X, z)
        if learner == "DecisionTreeRegressor":
            assert (model.nodes_.value == plain.nodes_.value).all()
