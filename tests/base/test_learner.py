"""The skeleton: hooks make methods, declared wants decide the form of the rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from tests.base.toys import CodeCount, Descent, Sign, SumOfColumns

from hornbook import Baseline, Blocks, Encoder, Frame, NaiveBayes, datasets
from hornbook.base import Description, Table, Term, Working
from hornbook.base._baseline import weighted_quantile
from hornbook.base.intake._target import coded, distinct_labels
from hornbook.frame import Block, Schema


def test_public_methods_exist_exactly_when_hooks_do():
    assert hasattr(Sign(), "decision_function")
    assert not hasattr(Sign(), "predict_proba")
    assert not hasattr(Sign(), "partial_fit")
    assert not hasattr(Sign(), "describe")
    assert hasattr(NaiveBayes(), "predict_proba")
    assert not hasattr(NaiveBayes(), "decision_function")
    assert hasattr(NaiveBayes(), "partial_fit")
    assert hasattr(Baseline(), "predict_proba")
    assert not hasattr(Baseline(strategy="mean"), "predict_proba")


def test_scores_decide_between_two_classes():
    model = Sign().fit([[-1.0], [1.0]], ["minus", "plus"])
    assert model.predict([[-3.0], [0.5]]).tolist() == ["minus", "plus"]
    assert model.decision_function([[-3.0]]).tolist() == [-3.0]


def test_codes_for_those_who_want_them():
    model = CodeCount().fit({"c": ["x", "y", "x"]}, [10, 20, 10])
    assert model.predict({"c": ["y"]}).tolist() == [20]


def test_matrix_of_numbers_is_passed_uncopied():
    seen = []

    class Spy(SumOfColumns):
        def _fit_blocks(self, blocks):
            seen.extend(block.X for block in blocks)

    X = np.random.default_rng(0).normal(size=(10, 3))
    Spy().fit(X, np.arange(10.0))
    assert seen[0] is X


def test_matrix_of_a_mixed_table_is_encoded_with_names():
    table = {"color": ["green", "dark", None], "age": [1.0, None, 3.0]}
    model = SumOfColumns().fit(table, [1.0, 2.0, 3.0])
    assert model.encoding_.names == ("color=dark", "color=green", "color=missing", "age", "age=missing")
    # level 2, the indicator of green, and 10; then the mode (dark, the first of two) and the mean 2.
    assert model.predict({"color": ["green", None], "age": [10.0, None]}).tolist() == [
        13.0,
        2 + 1 + 1 + 2 + 1,
    ]


@settings(derandomize=True, max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(0, 9999), max_size=4), n_jobs=st.integers(1, 4))
def test_any_blocks_and_threads_give_the_same_bits(cuts, n_jobs):
    y = np.random.default_rng(5).normal(size=10_000) * 1e3
    edges = [0, *sorted(set(cuts) - {0}), 10_000]
    table = pl.DataFrame({"a": y, "y": y[::-1]})
    frames = [Frame(table[a:b], target="y") for a, b in pairwise(edges)]
    whole = SumOfColumns(n_jobs=1).fit(Frame(table, target="y"))
    assert SumOfColumns(n_jobs=n_jobs).fit(Blocks(frames)).level_ == whole.level_


def test_learner_works_in_pipelines_and_searches():
    iris = datasets.iris()
    search = GridSearchCV(NaiveBayes(), {"density": ["gaussian", "kernel"]}, cv=3).fit(iris.features, iris.y)
    assert search.best_score_ > 0.9
    pipe = make_pipeline(Encoder(scale="standard"), NaiveBayes()).fit(iris.features, iris.y)
    assert pipe.score(iris.features, iris.y) > 0.94


def test_encoder_gives_frames_on_request():
    table = pd.DataFrame({"color": ["green", "dark"], "age": [1.0, 3.0]})
    out = Encoder().set_output(transform="pandas").fit_transform(table)
    assert out.columns.tolist() == ["color=dark", "color=green", "age"]
    assert out.to_numpy().tolist() == [[0, 1, 1], [1, 0, 3]]
    out = Encoder(scale="range").set_output(transform="polars").fit_transform(table)
    assert out["age"].to_list() == [0.0, 1.0]


def test_encoder_describes_what_became_of_each_column():
    encoder = Encoder().fit({"a=b": ["x", "y"], "n": [1.0, 2.0]})
    rows = encoder.describe().to_dict()["tables"][0]["rows"]
    assert rows == [["a=b", "nominal", "a=b=x, a=b=y"], ["n", "numeric", "n"]]
    with pytest.raises(ValueError, match="input_features"):
        encoder.get_feature_names_out(["other", "names"])


def test_baseline_agrees_with_scikit_learn():
    X, y = np.zeros((9, 1)), np.array(list("aaaabbbcc"))
    w = np.array([1, 1, 1, 1, 3, 3, 3, 0, 0.0])
    for strategy in ("prior", "most_frequent"):
        ours, theirs = (
            Baseline(strategy=strategy).fit(X, y, w),
            DummyClassifier(strategy=strategy).fit(X, y, w),
        )
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
        assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    z = np.arange(9.0) ** 2
    for setting in ({"strategy": "mean"}, {"strategy": "median"}):
        ours, theirs = Baseline(**setting).fit(X, z), DummyRegressor(**setting).fit(X, z)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
        assert ours.score(X, z) == pytest.approx(theirs.score(X, z))


def test_baseline_is_what_its_strategy_says():
    assert is_classifier(Baseline())
    assert is_regressor(Baseline(strategy="median"))
    assert not is_classifier(Baseline(strategy="median"))
    X = np.zeros((4, 1))
    assert Baseline(strategy="constant", constant="b").fit(X, list("aaab")).predict(X).tolist() == ["b"] * 4
    with pytest.raises(ValueError, match="'constant' must be one of the classes"):
        Baseline(strategy="constant", constant="z").fit(X, list("aaab"))


@pytest.mark.parametrize(("strategy", "share"), [("stratified", 0.75), ("uniform", 0.5)])
def test_baseline_draws_are_repeatable_and_fair(strategy, share):
    X = np.zeros((4, 1))
    model = Baseline(strategy=strategy, random_state=3).fit(X, list("aaab"))
    many = np.zeros((20_000, 1))
    drawn = model.predict(many)
    assert drawn.tolist() == model.predict(many).tolist()
    # Three standard errors of a share of 20,000 draws.
    assert (drawn == "a").mean() == pytest.approx(share, abs=3 * np.sqrt(share * (1 - share) / 20_000))
    assert model.predict_proba(X)[0, 0] == share


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    values=st.lists(st.integers(-5, 5), min_size=1, max_size=12),
    share=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]),
    seed=st.integers(0, 99),
)
def test_weighted_quantile_is_the_quantile_of_repeated_rows(values, share, seed):
    y = np.array(values, dtype=float)
    w = np.random.default_rng(seed).integers(0, 3, len(y)).astype(float)
    w[0] += 1
    repeated = np.repeat(y, w.astype(int))
    expected = np.quantile(repeated, share, method="averaged_inverted_cdf")
    rows = Blocks.of(Block(y[:, None], y, w), Schema((), named=False), 1)
    assert weighted_quantile(rows, w.sum(), share) == pytest.approx(expected)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    labels=st.one_of(
        st.lists(st.integers(-100, 100), min_size=1),
        st.lists(st.sampled_from([0.0, 3.0, -7.0, 1e6]), min_size=1),
        st.lists(st.sampled_from(["b", "a", "ä"]), min_size=1),
        st.lists(st.booleans(), min_size=1),
        st.lists(st.integers(-(2**40), 2**40), min_size=1),
    )
)
def test_labels_are_coded_like_numpy_unique(labels):
    y = np.array(labels)
    classes, codes = np.unique(y, return_inverse=True)
    ours = distinct_labels(y)
    assert ours.tolist() == classes.tolist()
    assert ours.dtype == classes.dtype
    assert coded(y, ours).tolist() == codes.tolist()
    as_objects = np.array(labels, dtype=object)
    assert distinct_labels(as_objects).tolist() == classes.tolist()
    assert coded(as_objects, distinct_labels(as_objects)).tolist() == codes.tolist()


@pytest.mark.parametrize(
    "wrap", [list, np.array, pd.Series, pl.Series, lambda y: pd.Series(pd.Categorical(y))]
)
def test_any_container_of_labels(wrap):
    X, y = np.array([[0.0], [1.0], [9.0]]), ["b", "b", "a"]
    model = NaiveBayes().fit(X, wrap(y))
    assert model.classes_.tolist() == ["a", "b"]
    assert model.predict([[9.0]]).tolist() == ["a"]


def test_shown_objects_agree_in_all_forms():
    working = Working(
        "How",
        "product",
        ["a", "b"],
        [Term("P", [np.log(0.25), np.log(0.5)]), Term("Q", [np.log(0.5), -np.inf])],
        "a",
    )
    assert working.scores == [pytest.approx(np.log(0.125)), -np.inf]
    assert working.shares == [1.0, 0.0]
    assert "0.125" in str(working)
    assert "0.125" in working._repr_html_()
    costly = Working("How", "sum", ["a", "b"], [Term("P", [0.25, 0.75])], "a", [[0, 1], [5, 0]])
    assert "expected cost" in str(costly)
    table = Table("T <1>", ["", "x"], [["row", 1.23456], ["none", None]])
    assert "T &lt;1&gt;" in table._repr_html_()
    assert str(table) == "T <1>\n            x\n  row   1.235\n  none"
    text = str(Description("Title", {"n": np.float64(2.0)}, [table]))
    assert text.startswith("Title\nn: 2\n\nT <1>")
    assert Description("Title", {"n": np.int64(2)}).to_dict() == {
        "title": "Title",
        "facts": {"n": 2},
        "tables": [],
    }


def test_failed_first_fit_leaves_nothing_behind():
    model = Descent(max_iter=0)
    with pytest.raises(ValueError, match="max_iter"):
        model.fit(np.eye(2), [1.0, 2.0])
    assert set(vars(model)) == {"max_iter", "eta0", "tol", "verbose"}


def test_shares_are_shown_only_where_scores_can_be_shares():
    terms = [Term("step", [0.0, 3.0])]
    assert "share" in str(Working("counts", "sum", ["a", "b"], terms, "b"))
    below = [Term("step", [0.0, -3.0])]
    scores = str(Working("scores", "sum", ["a", "b"], below, "a"))
    assert "share" not in scores
    assert "probability" not in scores
    assert "probability" in str(Working("log odds", "sum", ["a", "b"], below, "a", softmax=True))


def test_a_learner_may_keep_missing_cells_of_its_matrix():
    class Keeper(SumOfColumns):
        missing_cells = "keep"

    X = pd.DataFrame({"a": [1.0, None, 3.0], "b": ["x", "y", None]})
    model = Keeper().fit(X, [0.0, 1.0, 2.0])
    assert model.encoded_names_.tolist() == ["a", "b=x", "b=y"]
    np.testing.assert_array_equal(model.predict(X), [1.0 + 2.0, np.nan, np.nan])
