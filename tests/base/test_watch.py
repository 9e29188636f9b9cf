"""Fits that can be watched, stopped and interrupted."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.callback import ProgressBar, ScoringMonitor
from tests.base.toys import Descent, Restarts

from hornbook import NaiveBayes, datasets


@pytest.fixture
def line():
    X = np.random.default_rng(0).normal(size=(50, 2))
    return X, X @ [1.0, -2.0]


class Listener:
    """Notes what it is told; says stop after a number of tasks."""

    def __init__(self, stop_after=None):
        self.heard, self.stop_after = [], stop_after

    def setup(self, estimator, context):
        self.heard.append("setup")

    def teardown(self, estimator, context):
        self.heard.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.heard.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context):
        self.heard.append(f"end {context.task_name}")
        return self.stop_after is not None and self.heard.count("end step") >= self.stop_after


def test_history_has_one_value_for_each_step(line):
    model = Descent(max_iter=7).fit(*line)
    assert len(model.history_["slope"]) == model.n_iter_ == 7
    assert model.history_["slope"][-1] < model.history_["slope"][0]


def test_callbacks_hear_every_step_and_may_stop(line):
    listener = Listener(stop_after=3)
    model = Descent(max_iter=7).set_callbacks(listener).fit(*line)
    assert model.n_iter_ == 3
    steps = ["begin step", "end step"] * 3
    assert listener.heard == ["setup", "begin fit", *steps, "end fit", "teardown"]


def test_converged_learner_leaves_its_loop_and_every_task_is_ended(line):
    listener = Listener()
    model = Descent(max_iter=500, tol=1e-3).set_callbacks(listener).fit(*line)
    assert model.n_iter_ < 500
    assert listener.heard.count("begin step") == listener.heard.count("end step") == model.n_iter_
    assert listener.heard[-2:] == ["end fit", "teardown"]


def test_loops_inside_loops_are_nested_tasks():
    listener = Listener()
    model = Restarts().set_callbacks(listener).fit(np.eye(4))
    assert listener.heard[:6] == [
        "setup",
        "begin fit",
        "begin restart",
        "begin iteration",
        "end iteration",
        "begin iteration",
    ]
    assert listener.heard.count("end iteration") == 6
    assert model.history_["place"] == [0, 1, 2, 10, 11, 12]
    assert model.fit_predict(np.eye(4)).tolist() == [0, 0, 0, 0]


def test_scoring_monitor_scores_every_step(line):
    monitor = ScoringMonitor(scoring="r2")
    Descent(max_iter=6).set_callbacks(monitor).fit(*line)
    log = monitor.get_logs()
    scores = [row["r2"] for row in log.data if row["task_name"] == "step"]
    assert len(scores) == 6
    assert scores == sorted(scores)


def test_the_model_so_far_is_made_only_for_those_who_want_it(line):
    class Late(Descent):
        made = 0

        def _fit(self, X, y, w):
            total = np.zeros(2)

            def so_far():
                type(self).made += 1
                return {"coef_": total.copy()}

            for _ in self.iterate(4, name="step", model=so_far):
                total += 1.0
            self.coef_ = total

    class Wants(Listener):
        def on_fit_task_end(self, estimator, context, *, fitted_estimator):
            self.heard.append(fitted_estimator.coef_[0])

    Late().set_callbacks(Listener()).fit(*line)
    assert Late.made == 0
    wants = Wants()
    Late().set_callbacks(wants).fit(*line)
    assert Late.made == 4
    assert [event for event in wants.heard if isinstance(event, float)] == [1.0, 2.0, 3.0, 4.0, 4.0]


def test_progress_bar_runs_to_the_end(line, capsys):
    Descent(max_iter=6).set_callbacks(ProgressBar()).fit(*line)
    out = capsys.readouterr()
    assert "100%" in out.out + out.err


def test_learner_without_steps_has_one_task():
    listener = Listener()
    NaiveBayes().set_callbacks(listener).fit(datasets.iris())
    assert listener.heard == ["setup", "begin fit", "end fit", "teardown"]


def test_callbacks_survive_clone_and_never_reach_the_fitted_state(line):
    model = Descent(max_iter=3).set_callbacks(Listener()).fit(*line)
    assert not any("watch" in name or "ctx" in name for name in vars(model))
    assert clone(model).fit(*line).n_iter_ == 3


def test_interrupt_leaves_the_learner_as_it_was(line):
    class Interrupt(Listener):
        def on_fit_task_end(self, estimator, context):
            super().on_fit_task_end(estimator, context)
            if self.heard.count("end step") == 2:
                raise KeyboardInterrupt

    model = Descent(max_iter=5).fit(*line)
    before = model.coef_.copy()
    listener = Interrupt()
    model.set_callbacks(listener)
    with pytest.raises(KeyboardInterrupt):
        model.fit(line[0], -line[1])
    np.testing.assert_array_equal(model.coef_, before)
    assert model.n_iter_ == 5
    assert listener.heard[-1] == "teardown"
    assert listener.heard.count("begin step") == 2


def test_verbose_goes_to_standard_error(line, capsys):
    Descent(max_iter=2, verbose=1).fit(*line)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0].startswith("Descent: step 1 slope ")
    assert len(err.splitlines()) == 2
