"""Searching for good parameters: what is tried, what is chosen, what fails."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.evaluation.picky import FOLDS, X4, Y4, Picky, two_classes

from hornbook import NaiveBayes
from hornbook.evaluation import (
    KFold,
    NestedCV,
    grid_search,
    random_search,
)
from hornbook.evaluation.tuning._settings import drawn_settings
from hornbook.frame import Frame
from hornbook.params import Tune


class TestGridSearch:
    def test_scores_and_choice_are_scikit_learns(self):
        X, y = two_classes()
        grid = {"n_neighbors": [1, 5, 15], "weights": ["uniform", "distance"]}
        result = grid_search(KNeighborsClassifier(), X, y, grid=grid, measure="accuracy", cv=FOLDS)
        judge = GridSearchCV(KNeighborsClassifier(), grid, cv=FOLDS, scoring="accuracy").fit(X, y)
        theirs = {
            str(p): s
            for p, s in zip(judge.cv_results_["params"], judge.cv_results_["mean_test_score"], strict=True)
        }
        ours = {
            str(dict(sorted(s.items()))): m
            for s, m in zip(result.trials.settings, result.trials.scores.mean(axis=1), strict=True)
        }
        assert ours == pytest.approx(theirs)
        assert result.best_score == pytest.approx(judge.best_score_)
        nested = cross_val_score(GridSearchCV(KNeighborsClassifier(), grid, cv=FOLDS), X, y, cv=FOLDS)
        np.testing.assert_allclose(result.outer_scores, nested)
        assert result.honest_score == pytest.approx(nested.mean())
        assert result.spread == pytest.approx(nested.std(ddof=1))

    def test_the_ranges_of_the_learner_are_the_grid(self):
        X, y = two_classes(n=150)
        result = grid_search(NaiveBayes(), X, y, n_values=2, nested=False)
        assert [dict(s) for s in result.trials.settings[:3]] == [
            {"alpha": 0.001, "var_smoothing": 1e-12, "n_bins": 2},
            {"alpha": 0.001, "var_smoothing": 1e-12, "n_bins": 50},
            {"alpha": 0.001, "var_smoothing": 1e-2, "n_bins": 2},
        ]
        assert len(result.trials.settings) == 8
        assert result.measure.name == "log_loss"
        assert (result.outer_scores, result.outer_settings, result.honest_score, result.spread) == (None,) * 4
        assert "Search with nested=True for an honest score." in str(result)

    def test_a_tune_in_the_grid(self):
        result = grid_search(Picky(), X4, Y4, grid={"value": Tune(1.0, 2.0)}, n_values=3, cv=FOLDS)
        assert [s["value"] for s in result.trials.settings] == [1.0, 1.5, 2.0]
        assert result.best_params == {"value": 2.0}
        assert result.measure.name == "rmse"
        assert result.best_score == result.honest_score == 0.0

    def test_the_best_learner_is_fitted_to_all_rows_and_the_given_one_is_left_alone(self):
        X, y = two_classes()
        learner = KNeighborsClassifier()
        result = grid_search(learner, X, y, grid={"n_neighbors": [3]}, nested=False)
        assert result.best_learner.n_samples_fit_ == 200
        assert result.best_learner.n_neighbors == 3
        assert not hasattr(learner, "classes_")

    def test_the_first_of_equally_good_settings_is_chosen(self):
        result = grid_search(
            Picky(), X4, Y4, grid={"value": [1.0, 3.5, 0.5, 2.5, 1.5]}, cv=FOLDS, nested=False
        )
        assert result.best_params == {"value": 2.5}
        assert [row[1] for row in result.table.rows] == ["2.5", "1.5", "1", "3.5", "0.5"]

    def test_parts_of_a_pipeline(self):
        X, y = two_classes()
        line = make_pipeline(StandardScaler(), KNeighborsClassifier())
        result = grid_search(
            line, X, y, grid={"kneighborsclassifier__n_neighbors": [1, 9]}, measure="error_rate"
        )
        assert result.best_params == {"kneighborsclassifier__n_neighbors": 9}


class TestFailures:
    def test_a_setting_that_fails_is_shown_and_not_chosen(self):
        result = grid_search(Picky(), X4, Y4, grid={"value": [-1.0, 1.0, 3.0]}, cv=FOLDS, measure="mse")
        assert result.best_params == {"value": 1.0}
        assert result.trials.errors[0] == "ValueError: value must not be negative; got -1.0."
        assert result.trials.errors[1] == ""
        assert result.trials.errors[2].startswith("ValueError: mse: 'y_pred' must hold finite numbers")
        last = result.table.rows[1:]
        assert [row[2:4] for row in last] == [[None, None]] * 2
        assert "value must not be negative" in str(result)

    def test_a_score_that_is_no_number_is_a_failure(self):
        def share(y_true, y_pred, *, sample_weight=None):
            return float("nan") if y_pred[0] == 1 else abs(y_true[0] - y_pred[0])

        share.name, share.needs, share.greater_is_better = "share", "numbers", False
        result = grid_search(Picky(), X4, Y4, grid={"value": [1.0, 4.0]}, cv=FOLDS, measure=share)
        assert result.trials.errors == ("share is NaN", "")
        assert result.best_params == {"value": 4.0}

    def test_all_fail(self):
        with pytest.raises(
            ValueError,
            match=r"^grid_search: every setting failed; value=-2 gave ValueError: value must not be negative",
        ):
            grid_search(Picky(), X4, Y4, grid={"value": [-2.0, -1.0]}, cv=FOLDS)

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            ({"grid": {"valeu": [1]}}, "Picky has no parameter 'valeu'. Did you mean 'value'?"),
            ({"grid": {}}, "'grid' has no parameter; name at least one"),
            ({"grid": {"value": []}}, "the list of values of 'value' is empty"),
            ({"n_values": 0}, "'n_values' must be at least 1; got 0"),
        ],
    )
    def test_wrong_arguments(self, arguments, sentence):
        with pytest.raises(ValueError, match=f"^grid_search: {sentence}"):
            grid_search(Picky(), X4, Y4, **arguments)

    def test_values_that_are_no_list(self):
        with pytest.raises(TypeError, match="the values of 'value' must be a list or a Tune; got 'one'"):
            grid_search(Picky(), X4, Y4, grid={"value": "one"})

    def test_a_learner_without_ranges(self):
        with pytest.raises(
            ValueError, match="KNeighborsRegressor names no ranges to look in: give grid, a dict"
        ):
            grid_search(KNeighborsRegressor(), X4, Y4)

    def test_no_target_and_no_iterations(self):
        with pytest.raises(ValueError, match="^random_search: the target is needed: give y"):
            random_search(Picky(), X4)
        with pytest.raises(ValueError, match="^random_search: 'n_iter' must be at least 1; got 0"):
            random_search(Picky(), X4, Y4, n_iter=0)

    def test_nested_splits_need_splitters(self):
        with pytest.raises(
            ValueError, match=r"NestedCV: 'inner' must be a splitter such as KFold\(5\); got 5"
        ):
            NestedCV(KFold(5), 5)


class TestWeights:
    def test_weights_count_like_repeated_rows(self):
        X, y = two_classes(n=160)
        w = np.where(np.arange(160) % 2, 1.0, 3.0)
        result = grid_search(
            NaiveBayes(), X, y, grid={"variance": ["ml"]}, cv=FOLDS, sample_weight=w, measure="log_loss"
        )
        (train, test), *_ = FOLDS.split(X)
        again, count = np.repeat(np.arange(160), 1), w.astype(int)
        rows = {part: np.repeat(again[idx], count[idx]) for part, idx in (("train", train), ("test", test))}
        model = NaiveBayes(variance="ml").fit(X[rows["train"]], y[rows["train"]])
        chances = model.predict_proba(X[rows["test"]])
        expected = -np.mean(np.log(chances[np.arange(len(chances)), y[rows["test"]]]))
        assert result.trials.scores[0, 0] == pytest.approx(expected)

    def test_the_weights_of_a_frame(self):
        X, y = two_classes(n=160)
        w = np.where(np.arange(160) % 2, 1.0, 3.0)
        frame = Frame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y, "w": w}, target="y", weight="w")
        options = {"grid": {"density": ["gaussian", "bins"]}, "cv": FOLDS}
        result = grid_search(NaiveBayes(), frame, **options)
        same = grid_search(NaiveBayes(), X, y, sample_weight=w, **options)
        np.testing.assert_allclose(result.trials.scores, same.trials.scores)
        np.testing.assert_allclose(result.outer_scores, same.outer_scores)

    def test_a_learner_that_takes_no_weights_fails_aloud(self):
        X, y = two_classes(n=160)
        with pytest.raises(
            ValueError, match="KNeighborsClassifier takes no weights: leave sample_weight out"
        ):
            grid_search(
                KNeighborsClassifier(), X, y, grid={"n_neighbors": [3]}, sample_weight=np.ones(160), cv=FOLDS
            )


class TestRandomSearch:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(
        low=st.integers(-5, 5),
        width=st.integers(1, 9),
        seed=st.integers(0, 2**32),
        log=st.booleans(),
        whole=st.booleans(),
    )
    def test_draws_stay_in_their_range(self, low, width, seed, log, whole):
        low = low + 6 if log else low
        ends = (low, low + width) if whole else (float(low), float(low + width))
        for setting in drawn_settings(Picky(), {"value": Tune(*ends, log=log)}, 20, seed):
            assert ends[0] <= setting["value"] <= ends[1]
            assert isinstance(setting["value"], int) == whole

    def test_every_value_of_a_list_or_of_integers_has_its_chance(self):
        drawn = {
            "list": {"value": [3.0, 1.0, 2.0]},
            "values": {"value": Tune(values=(3.0, 1.0, 2.0))},
            "integers": {"value": Tune(1, 3)},
        }
        for grid in drawn.values():
            values = [drawn_settings(Picky(), grid, 1, seed)[0]["value"] for seed in range(900)]
            shares = np.unique(values, return_counts=True)[1] / 900
            assert len(shares) == 3
            assert abs(shares - 1 / 3).max() < 5 * np.sqrt(2 / 9 / 900)

    def test_logarithms_are_drawn_evenly(self):
        grid = {"value": Tune(1e-3, 1e3, log=True)}
        exponents = np.log10([drawn_settings(Picky(), grid, 1, seed)[0]["value"] for seed in range(900)])
        assert np.histogram(exponents, bins=6, range=(-3, 3))[0].min() > 100

    def test_settings_that_come_again_are_tried_once(self):
        result = random_search(
            Picky(), X4, Y4, grid={"value": [1.0, 2.0]}, n_iter=30, cv=FOLDS, random_state=0
        )
        assert len(result.trials.settings) == 2
        assert result.best_params == {"value": 2.0}

    def test_the_same_seed_gives_the_same_search(self):
        def run(seed):
            return random_search(Picky(), X4, Y4, n_iter=4, cv=FOLDS, random_state=seed).to_dict()

        assert run(0) == run(0)
        assert run(0) != run(1)

    def test_more_draws_go_on_where_fewer_stop(self):
        few, many = (drawn_settings(Picky(), None, n, 5) for n in (3, 6))
        assert many[:3] == few


class TestResult:
    def test_words_table_and_data(self):
        result = grid_search(Picky(), X4, Y4, grid={"value": [0.0, 1.0, 2.5]}, cv=FOLDS, measure="mae")
        lines = str(result).splitlines()
        assert lines[0] == (
            "Best setting: value=2.5, with mae 0.5 in the search (4 folds), which is too good because it was "
            "chosen. Honest score: 0.5 ± 0 (4 outer folds)."
        )
        assert result.table.head == ("rank", "value", "mae", "sd", "failure")
        assert result.table.rows[0] == [1, "2.5", 0.5, 0.0, ""]
        data = result.to_dict()
        assert data["best_params"] == {"value": 2.5}
        assert data["honest_score"] == 0.5
        assert data["outer_scores"] == [0.5] * 4
        assert len(data["table"]["rows"]) == 3
        assert "Honest score: 0.5" in result._repr_html_()
        json.dumps(data)

    def test_a_long_table_is_cut_in_print_only(self):
        result = grid_search(Picky(), X4, Y4, n_values=14, cv=FOLDS, nested=False)
        assert str(result).splitlines()[-1] == "  ... and 4 more"
        assert result._repr_html_().count("<tr>") == 15
