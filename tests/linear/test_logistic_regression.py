"""Logistic regression against scikit-learn's, its own optimality conditions, and bad input."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Reference

import hornbook
from hornbook import Blocks, Frame, LogisticRegression

SOLVERS = ["newton", "lbfgs"]
either = pytest.mark.parametrize("solver", SOLVERS)
classes = pytest.mark.parametrize("k", [2, 4])


def table(k=2, n=300, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.2, 5, d) + rng.normal(size=d) * 3
    scores = (X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=(d, k)) + rng.gumbel(size=(n, k)) * 1.5
    return X, scores.argmax(axis=1)


def gradient(model, X, y, w):
    """Of C times the loss plus the squares, by coefficients and intercepts, from the definition."""
    residual = model.predict_proba(X)
    residual[np.arange(len(y)), np.searchsorted(model.classes_, y)] -= 1
    residual = (residual * w[:, None])[:, -len(model.coef_) :]
    return model.C * residual.T @ X, model.C * residual.sum(axis=0)


@either
@classes
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_coefficients_of_scikit_learn(solver, k, C):
    X, y = table(k)
    w = 0.5 + np.arange(len(y)) % 3
    ours = LogisticRegression(C=C, solver=solver, tol=1e-10, max_iter=1000).fit(X, y, w)
    theirs = Reference(C=C, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(X, y, w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


@classes
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gradient_descent_arrives_at_the_same_coefficients(k, fit_intercept):
    X, y = table(k, n=200, d=3)
    options = {"max_iter": 500, "fit_intercept": fit_intercept}
    slow = LogisticRegression(solver="gradient_descent", **options).fit(X, y)
    fast = LogisticRegression(tol=1e-10, **options).fit(X, y)
    np.testing.assert_allclose(slow.coef_, fast.coef_, atol=0.01)
    np.testing.assert_allclose(slow.intercept_, fast.intercept_, atol=0.01)
    assert all(after <= before for before, after in pairwise(slow.history_["objective"]))


def test_gradient_descent_takes_many_steps_where_columns_hang_together():
    X, y = correlated(300, 6, 2)
    newton = LogisticRegression(C=10.0).fit(X, y)
    assert LogisticRegression(C=10.0, solver="gradient_descent").fit(X, y).n_iter_[0] > 3 * newton.n_iter_[0]


def test_gradient_descent_takes_no_absolute_values():
    with pytest.raises(ValueError, match="parameter 'l1_ratio' = 0.5 needs derivatives at 0"):
        LogisticRegression(solver="gradient_descent", l1_ratio=0.5).fit(*table())


def correlated(n, d, k, seed=0):
    """Columns that hang together, and classes of very different sizes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + rng.normal(size=(d, d)) / np.sqrt(d))
    scores = X @ rng.normal(size=(d, k)) + rng.gumbel(size=(n, k)) + np.linspace(0, 3, k)
    return X, scores.argmax(axis=1)


@pytest.mark.parametrize(
    ("n", "d", "k", "most"),
    [(3000, 8, 6, 25), (5000, 12, 9, 30), (400, 40, 3, 30), (300, 200, 2, 60)],
)
def test_a_sampled_hessian_saves_iterations_and_changes_no_coefficient(n, d, k, most):
    X, y = correlated(n, d, k)
    w = 0.5 + np.arange(n) % 3
    for fit_intercept in (True, False):
        model = LogisticRegression(solver="lbfgs", tol=1e-8, fit_intercept=fit_intercept).fit(X, y, w)
        exact = LogisticRegression(solver="newton", tol=1e-10, fit_intercept=fit_intercept).fit(X, y, w)
        np.testing.assert_allclose(model.coef_, exact.coef_, atol=1e-6)
        np.testing.assert_allclose(model.intercept_, exact.intercept_, atol=1e-6)
        assert model.n_iter_[0] <= most


@either
@classes
@pytest.mark.parametrize("setting", [{"class_weight": "balanced"}, {"fit_intercept": False}])
def test_other_settings_of_scikit_learn(solver, k, setting):
    X, y = table(k)
    ours = LogisticRegression(solver=solver, tol=1e-10, max_iter=1000, **setting).fit(X, y)
    theirs = Reference(solver="newton-cholesky", tol=1e-12, max_iter=1000, **setting).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)


def test_class_weights_multiply_row_weights():
    X, y = table(3)
    w = 1.0 + np.arange(len(y)) % 2
    by_class = LogisticRegression(class_weight={0: 2.0, 2: 0.5}, tol=1e-10).fit(X, y, w)
    by_row = LogisticRegression(tol=1e-10).fit(X, y, w * np.array([2.0, 1.0, 0.5])[y])
    np.testing.assert_allclose(by_class.coef_, by_row.coef_, rtol=1e-9)


@either
@classes
@pytest.mark.parametrize("l1_ratio", [0.4, 1.0])
@pytest.mark.parametrize("C", [0.02, 1.0])
def test_conditions_of_the_minimum_with_absolute_values(solver, k, l1_ratio, C):
    X, y = table(k)
    w = 0.5 + np.arange(len(y)) % 3
    model = LogisticRegression(C=C, l1_ratio=l1_ratio, solver=solver, tol=1e-9, max_iter=5000).fit(X, y, w)
    slope, level = gradient(model, X, y, w)
    slope = slope + (1 - l1_ratio) * model.coef_
    zero = model.coef_ == 0
    near = 1e-7 * C * np.abs(w[:, None] * X).sum()  # the size of the terms of the sums
    np.testing.assert_allclose(slope[~zero], -l1_ratio * np.sign(model.coef_[~zero]), atol=near)
    assert (np.abs(slope[zero]) <= l1_ratio + near).all()
    np.testing.assert_allclose(level, 0, atol=near)
    assert zero.any() or (l1_ratio, C) != (1.0, 0.02)


def test_lasso_of_scikit_learn():
    X, y = table()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = LogisticRegression(C=0.05, l1_ratio=1.0, tol=1e-9).fit(X, y)
    theirs = Reference(C=0.05, l1_ratio=1.0, solver="saga", tol=1e-12, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert ((ours.coef_ == 0) == (theirs.coef_ == 0)).all()


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), k=st.integers(2, 4), C=st.sampled_from([0.1, 1.0, 1000.0]))
def test_gradient_vanishes(seed, k, C):
    X, y = table(k, n=60, d=3, seed=seed)
    if len(np.unique(y)) < 2:
        return
    model = LogisticRegression(C=C, tol=1e-10).fit(X, y)
    slope, level = gradient(model, X, y, np.ones(len(y)))
    scale = C * np.abs(X).sum()
    np.testing.assert_allclose((slope + model.coef_) / scale, 0, atol=1e-9)
    np.testing.assert_allclose(level / scale, 0, atol=1e-9)


def test_units_do_not_matter_without_a_penalty():
    X, y = table()
    units = np.array([1e-6, 1.0, 1e6, 1e3, 1e-3])
    shift = np.array([0.0, 1e5, 0.0, -1e6, 0.0])
    one = LogisticRegression(C=np.inf, tol=1e-8).fit(X, y)
    other = LogisticRegression(C=np.inf, tol=1e-8).fit(X * units + shift, y)
    np.testing.assert_allclose(other.coef_ * units, one.coef_, rtol=1e-5)
    far = LogisticRegression(C=np.inf, tol=1e-8, solver="lbfgs").fit(X * units + shift, y)
    np.testing.assert_allclose(far.coef_ * units, one.coef_, rtol=1e-5)


def test_default_tolerance_is_enough_for_six_digits_of_the_objective():
    X, y = table(n=2000, d=8)
    exact = LogisticRegression(tol=1e-12, max_iter=1000).fit(X, y).history_["objective"][-1]
    for solver in SOLVERS:
        value = LogisticRegression(solver=solver).fit(X, y).history_["objective"][-1]
        assert value == pytest.approx(exact, rel=1e-6)


@either
@classes
def test_blocks_and_threads_give_the_same_bits(solver, k):
    X, y = table(k, n=9000)
    frame = Frame(np.column_stack([X, y]), target=5)
    whole = LogisticRegression(solver=solver, n_jobs=1).fit(frame)
    for cuts, jobs in (((0, 4096, 9000), 2), ((0, 1, 5000, 9000), 3)):
        pieces = [frame[a:b] for a, b in pairwise(cuts)]
        other = LogisticRegression(solver=solver, n_jobs=jobs).fit(Blocks(pieces, n_jobs=jobs))
        np.testing.assert_array_equal(other.coef_, whole.coef_)
        np.testing.assert_array_equal(other.intercept_, whole.intercept_)


@either
def test_a_file_gives_the_bits_of_memory(solver, tmp_path):
    X, y = table(3, n=6000)
    lines = [
        ",".join(map(repr, [*row, f"c{label}"])) for row, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    (tmp_path / "rows.csv").write_text("a,b,c,d,e,class\n" + "\n".join(lines).replace("'", "") + "\n")
    on_disk = hornbook.scan(tmp_path / "rows.csv", target="class", batch_rows=1000)
    in_memory = hornbook.read(tmp_path / "rows.csv", target="class")
    one, other = (LogisticRegression(solver=solver).fit(rows) for rows in (on_disk, in_memory))
    np.testing.assert_array_equal(one.coef_, other.coef_)
    assert one.classes_.tolist() == ["c0", "c1", "c2"]


@either
def test_a_sparse_matrix_gives_the_bits_of_a_dense_one(solver):
    X, y = table(3, n=6000)
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.3, X, 0.0)
    one, other = (LogisticRegression(solver=solver).fit(rows, y) for rows in (X, sp.csr_array(X)))
    np.testing.assert_array_equal(one.coef_, other.coef_)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(sp.csr_array(X)))


@either
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5])
def test_columns_of_extreme_units(solver, l1_ratio):
    X, y = table()
    units = np.array([1e-150, 1e-10, 1.0, 1e10, 1e50])
    model = LogisticRegression(solver=solver, l1_ratio=l1_ratio).fit(X * units, y)
    slope, level = gradient(model, X * units, y, np.ones(len(y)))
    slope = slope + (1 - l1_ratio) * model.coef_
    assert (np.abs(slope) <= l1_ratio + 0.01 * np.maximum(1, 300 * units * X.std(axis=0))).all()
    assert abs(level[0]) <= 0.01 * 300


@either
def test_separable_classes_without_a_penalty_are_named(solver):
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    with pytest.warns(ConvergenceWarning, match="can be separated by a linear function.*grow without bound"):
        model = LogisticRegression(C=np.inf, solver=solver).fit(X, [0, 0, 1, 1])
    assert np.isfinite(model.coef_).all()
    assert model.predict(X).tolist() == [0, 0, 1, 1]
    # The same rows with a penalty, or with one row on the wrong side, need no warning.
    LogisticRegression(C=1e6, solver=solver).fit(X, [0, 0, 1, 1])
    LogisticRegression(C=np.inf, solver=solver).fit(X, [0, 1, 0, 1])


def test_classes_that_touch_at_the_boundary_are_separable_too():
    X = np.array([[0.0], [1.0], [1.0], [2.0]])
    with pytest.warns(ConvergenceWarning, match="can be separated"):
        model = LogisticRegression(C=np.inf).fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[1.0]]), 0.5, atol=1e-3)


def test_several_separable_classes():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0], [0.0, 9.0], [1.0, 9.0]])
    y = ["a", "a", "b", "b", "c", "c"]
    with pytest.warns(ConvergenceWarning, match="can be separated"):
        model = LogisticRegression(C=np.inf).fit(X, y)
    assert model.predict(X).tolist() == y
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-9)


def test_an_effect_that_is_strong_but_finite_is_not_called_separable():
    X = np.repeat([[0.0], [1.0]], 1000, axis=0)
    y = np.repeat([0, 1], 1000)
    y[0], y[-1] = 1, 0
    model = LogisticRegression(C=np.inf).fit(X, y)
    assert model.coef_[0, 0] == pytest.approx(2 * np.log(999), rel=1e-6)


def test_redundant_columns_share_their_weight():
    X, y = table()
    one = LogisticRegression(C=np.inf, tol=1e-7).fit(X, y)
    double = LogisticRegression(C=np.inf, tol=1e-7).fit(
        np.column_stack([X, X[:, 0], np.full(len(y), 7.0)]), y
    )
    assert double.coef_[0, 0] == pytest.approx(double.coef_[0, 5], rel=1e-6)
    np.testing.assert_allclose(double.coef_[0, 0] + double.coef_[0, 5], one.coef_[0, 0], rtol=1e-6)
    np.testing.assert_allclose(
        double.predict_proba(np.column_stack([X, X[:, 0], np.full(len(y), 7.0)])),
        one.predict_proba(X),
        atol=1e-7,
    )


def test_too_few_iterations_are_said():
    X, y = table()
    for solver in SOLVERS:
        with pytest.warns(ConvergenceWarning, match="parameter 'max_iter' = 1 was too small to converge"):
            assert LogisticRegression(max_iter=1, solver=solver).fit(X, y).n_iter_.tolist() == [1]


def test_warm_start_goes_on_and_a_fresh_start_does_not():
    X, y = table(3)
    for solver in SOLVERS:
        model = LogisticRegression(solver=solver, warm_start=True, tol=1e-6).fit(X, y)
        steps, coef = model.n_iter_[0], model.coef_
        again = model.fit(X, y)
        assert again.n_iter_[0] < steps
        np.testing.assert_allclose(again.coef_, coef, atol=1e-4)
        assert model.set_params(warm_start=False).fit(X, y).n_iter_[0] == steps
    other = LogisticRegression(warm_start=True).fit(X, y).fit(X[:, :2], y)
    np.testing.assert_array_equal(other.coef_, LogisticRegression().fit(X[:, :2], y).coef_)


class Watcher:
    """Keeps the predictions of the model after each iteration; stops after some."""

    def __init__(self, X, stop_after):
        self.X, self.stop_after, self.seen = X, stop_after, []

    def setup(self, estimator, context): ...

    def teardown(self, estimator, context): ...

    def on_fit_task_begin(self, estimator, context): ...

    def on_fit_task_end(self, estimator, context):
        if context.task_name == "iteration":
            self.seen.append(estimator.predict_proba(self.X))
        return len(self.seen) >= self.stop_after


@either
def test_callbacks_see_a_model_after_every_iteration_and_may_stop(solver):
    X, y = table()
    whole = LogisticRegression(solver=solver)
    watcher = Watcher(X, stop_after=100)
    whole.set_callbacks(watcher).fit(X, y)
    assert len(watcher.seen) == whole.n_iter_[0] > 3
    np.testing.assert_array_equal(watcher.seen[-1], whole.predict_proba(X))
    stopped = LogisticRegression(solver=solver).set_callbacks(Watcher(X, stop_after=2)).fit(X, y)
    assert stopped.n_iter_.tolist() == [2]
    np.testing.assert_array_equal(stopped.predict_proba(X), watcher.seen[1])


def test_history_falls_and_verbose_tells_it(capsys):
    X, y = table()
    model = LogisticRegression(verbose=1).fit(X, y)
    objective = model.history_["objective"]
    assert objective == sorted(objective, reverse=True)
    assert len(objective) == model.n_iter_[0]
    assert capsys.readouterr().err.count("LogisticRegression: iteration") == model.n_iter_[0] - 1


def test_auto_leaves_the_hessian_to_few_coefficients():
    few, y = table(d=5)
    many = np.random.default_rng(0).normal(size=(300, 300))
    # Without a Hessian it goes on to gradients a hundred times smaller, so that six digits are still right.
    for X, solver, tol in ((few, "newton", 1e-4), (many, "lbfgs", 1e-6)):
        np.testing.assert_array_equal(
            LogisticRegression().fit(X, y).coef_, LogisticRegression(solver=solver, tol=tol).fit(X, y).coef_
        )


def test_words():
    melons = hornbook.datasets.watermelon("3.0a")
    model = LogisticRegression(C=np.inf).fit(melons)
    description = model.describe().to_dict()
    assert description["facts"]["penalty"] == "none (C = inf)"
    (rows,) = [table["rows"] for table in description["tables"]]
    assert [row[0] for row in rows] == ["intercept", "density", "sugar"]
    for name, coefficient, ratio in rows:
        assert ratio == pytest.approx(np.exp(coefficient)), name
    working = model.working({"density": 0.697, "sugar": 0.46})
    assert [term.name for term in working.terms] == ["intercept", "density = 0.697", "sugar = 0.46"]
    assert working.shares == pytest.approx(model.predict_proba(melons.features[:1])[0].tolist())
    assert working.scores == pytest.approx([0.0, *model.decision_function(melons.features[:1])])


def test_words_for_several_classes():
    iris = hornbook.datasets.iris()
    model = LogisticRegression(C=2.0, l1_ratio=0.5).fit(iris)
    description = model.describe().to_dict()
    assert description["facts"]["penalty"] == "elastic net, l1_ratio = 0.5, C = 2"
    assert [table["title"] for table in description["tables"]] == ["Coefficients", "Odds ratios"]
    working = model.working(iris.features[60])
    assert working.shares == pytest.approx(model.predict_proba(iris.features[60:61])[0].tolist())


def test_pictures():
    melons = hornbook.datasets.watermelon("3.0a")
    model = LogisticRegression().fit(melons)
    assert model.plot(melons).get_xlabel() == "density"
    assert model.plot(melons.features).get_xlabel() == "density"
    widths = [bar.get_width() for bar in model.plot().patches]
    assert widths == pytest.approx(model.coef_[0].tolist())


def test_dict_of_class_weights_is_saved(tmp_path):
    X, y = table()
    model = LogisticRegression(class_weight={0: 2.0, 1: 1.0}).fit(X, y)
    hornbook.save(model, tmp_path / "m.hornbook")
    again = hornbook.load(tmp_path / "m.hornbook")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.get_params() == model.get_params()


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"C": 0.0}, "'C' must be a number in"),
        ({"C": float("nan")}, "'C' must be a number in"),
        ({"l1_ratio": 1.5}, "'l1_ratio' must be a number in"),
        ({"solver": "sgd"}, "'solver' must be one of"),
        ({"intercept_scaling": 0.0}, "'intercept_scaling' must be a number in"),
        ({"class_weight": "even"}, "'class_weight'"),
        ({"class_weight": {5: 1.0}}, "'class_weight' names 5, which is not among the classes"),
        ({"class_weight": {0: -1.0}}, "'class_weight' must give numbers above 0; class 0 has -1.0"),
        ({"max_iter": 0}, "'max_iter' must be an integer in"),
        ({"tol": 0.0}, "'tol' must be a number in"),
    ],
)
def test_wrong_parameters_are_named(setting, sentence):
    X, y = table()
    with pytest.raises(ValueError, match=sentence):
        LogisticRegression(**setting).fit(X, y)


def test_wrong_data_is_named():
    X, y = table(3)
    with pytest.raises(ValueError, match="at least 2 classes, and all weight is on the one class 1"):
        LogisticRegression().fit(X, np.ones(len(y)))
    for solver in SOLVERS:
        with pytest.raises(ValueError, match="so large that their squares overflow"):
            LogisticRegression(solver=solver).fit(X * 1e200, y)
        with pytest.raises(ValueError, match="'C' = 1e-300 times the weight of all rows, 300, is too small"):
            LogisticRegression(solver=solver, C=1e-300).fit(X, y)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    ("name", "same"),
    [("newton-cg", "newton"), ("newton-cholesky", "newton"), ("sag", "auto"), ("saga", "auto")],
)
def test_solvers_of_scikit_learn_are_ours(name, same, k):
    X, y = table(k=k)[:2]
    theirs = LogisticRegression(solver=name, random_state=1).fit(X, y)
    ours = LogisticRegression(solver=same).fit(X, y)
    np.testing.assert_array_equal(theirs.coef_, ours.coef_)
    assert theirs.solver_ == ours.solver_
    assert f"solver: {'Newton' if ours.solver_ == 'newton' else 'L-BFGS'}" in str(theirs.describe())


def test_scikit_learn_names_of_penalties():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 4))
    y = (X @ [1.0, -1.0, 0.0, 0.5] + rng.normal(size=80) > 0).astype(int)
    pairs = [
        ({"penalty": "l1"}, {"l1_ratio": 1.0}),
        ({"penalty": "l2", "l1_ratio": 0.7}, {}),
        ({"penalty": "elasticnet", "l1_ratio": 0.3}, {"l1_ratio": 0.3}),
        ({"penalty": None, "C": 0.1}, {"C": np.inf}),
    ]
    for named, plain in pairs:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            one = LogisticRegression(**named).fit(X, y)
        other = LogisticRegression(**plain).fit(X, y)
        np.testing.assert_array_equal(one.coef_, other.coef_)
        assert one.describe().facts["penalty"] == other.describe().facts["penalty"]
    with pytest.raises(ValueError, match="auto supports only dual=False"):
        LogisticRegression(dual=True).fit(X, y)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({"penalty": "l2", "l1_ratio": 0.7}, "only used when penalty is 'elasticnet'"),
        ({"penalty": "l1", "l1_ratio": 0.7}, "penalty=l1 with l1_ratio=0.7"),
        ({"penalty": None, "C": 0.1}, "will ignore the C"),
    ],
)
def test_contradictions_about_the_penalty_are_said(named, words):
    X, y = table()[:2]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        LogisticRegression(**named).fit(X, y)
    assert any(words in str(warning.message) for warning in caught)


@pytest.mark.parametrize("n_columns", [3, 60])
@pytest.mark.parametrize("setting", [{}, {"l1_ratio": 1.0}, {"intercept_scaling": 7.0}, {"dual": True}])
def test_liblinear_penalizes_the_intercept(n_columns, setting):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(50, n_columns)) + 1.0
    y, w = (X[:, 0] + rng.normal(size=50) > 0.3).astype(int), rng.uniform(0.5, 2.0, size=50)
    peer = Reference(solver="liblinear", tol=1e-10, max_iter=100_000, random_state=0, **setting).fit(X, y, w)
    ours = LogisticRegression(solver="liblinear", tol=1e-8, **setting).fit(X, y, w)
    np.testing.assert_allclose(ours.coef_, peer.coef_, atol=2e-5)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=2e-5)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"C": np.inf}, "penalty=None is not supported"),
        ({"l1_ratio": 0.5}, "Only 'saga' solver supports elasticnet"),
        ({"l1_ratio": 1.0, "dual": True}, "have no dual problem"),
    ],
)
def test_what_liblinear_cannot_do_is_refused(setting, sentence):
    X, y = table()[:2]
    with pytest.raises(ValueError, match=sentence):
        LogisticRegression(solver="liblinear", **setting).fit(X, y)
    with pytest.raises(ValueError, match="does not support multiclass"):
        LogisticRegression(solver="liblinear").fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="rescale the columns"):
        LogisticRegression(solver="liblinear").fit(X + 1e31, y)
