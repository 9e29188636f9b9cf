"""Libraries that work with scikit-learn's learners take ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from hornbook import HistGradientBoostingClassifier, KNeighborsClassifier, LogisticRegression, NaiveBayes
from hornbook import sklearn as drop_in

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # they warn about each other

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :5]


def test_shap_explains_a_forest():
    shap = pytest.importorskip("shap")
    forest = drop_in.RandomForestClassifier(5, max_depth=4, random_state=0).fit(X, y)
    values = shap.TreeExplainer(forest)(X[:3])
    sums = values.values.sum(axis=1) + values.base_values
    assert np.abs(sums - forest.predict_proba(X[:3])).max() < 1e-6


def test_imbalanced_learn_resamples_before_a_learner():
    imblearn = pytest.importorskip("imblearn.pipeline")
    under = pytest.importorskip("imblearn.under_sampling").RandomUnderSampler(random_state=0)
    pipeline = imblearn.Pipeline([("sample", under), ("bayes", NaiveBayes())]).fit(X, y)
    assert pipeline["bayes"].class_count_.tolist() == [212.0, 212.0]
    assert pipeline.score(X, y) > 0.85
    bagging = pytest.importorskip("imblearn.ensemble").BalancedBaggingClassifier(
        NaiveBayes(), n_estimators=3, random_state=0
    )
    assert bagging.fit(X, y).score(X, y) > 0.85


def test_mlxtend_selects_columns_and_draws_regions():
    selection = pytest.importorskip("mlxtend.feature_selection")
    chosen = selection.SequentialFeatureSelector(NaiveBayes(), k_features=2, cv=3).fit(X, y)
    assert len(chosen.k_feature_idx_) == 2
    assert chosen.k_score_ > 0.85
    plotting = pytest.importorskip("mlxtend.plotting")
    ax = plotting.plot_decision_regions(X[:, :2], y, clf=NaiveBayes().fit(X[:, :2], y))
    assert len(ax.collections) > 0


def test_optuna_tunes_a_learner():
    optuna = pytest.importorskip("optuna")
    from sklearn.model_selection import cross_val_score

    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def objective(trial):
        k = trial.suggest_int("n_neighbors", 1, 15)
        return cross_val_score(KNeighborsClassifier(k), X, y, cv=3).mean()

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(objective, n_trials=4)
    assert study.best_value > 0.85


def test_skrub_makes_a_pipeline_of_a_learner():
    skrub = pytest.importorskip("skrub")
    table = pd.DataFrame(X, columns=list("abcde")).assign(kind=np.where(X[:, 0] > 14, "large", "small"))
    for learner in (HistGradientBoostingClassifier(max_iter=5), LogisticRegression()):
        assert skrub.tabular_pipeline(learner).fit(table, y).score(table, y) > 0.85


def test_skore_reports_on_a_learner():
    skore = pytest.importorskip("skore")
    report = skore.EstimatorReport(
        NaiveBayes(), X_train=X[:300], y_train=y[:300], X_test=X[300:], y_test=y[300:]
    )
    assert report.metrics.accuracy() > 0.85
    assert report.metrics.roc_auc() > 0.9
