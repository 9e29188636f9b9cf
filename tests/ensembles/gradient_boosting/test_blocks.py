"""Boosting from files and blocks gives the same to the last bit as from memory."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from hornbook import (
    Blocks,
    Frame,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    losses,
    scan,
)
from hornbook.ensembles.gradient_boosting._validation import BoostingRows, split_rows
from hornbook.ensembles.gradient_boosting.blocks import _block_fit
from hornbook.ensembles.gradient_boosting.blocks._held_out import choose_held, split_blocks
from hornbook.frame.rows import _rows
from hornbook.trees.binned import _coded_blocks

RNG = np.random.default_rng(5)
N = 6000
NUMBERS = RNG.normal(size=(N, 4)).round(2)
GAPS = np.where(RNG.random((N, 4)) < 0.1, np.nan, NUMBERS)
SCORE = NUMBERS[:, 0] + NUMBERS[:, 1] ** 2 + 0.3 * RNG.normal(size=N)
LETTERS = np.array(list("abcdefgh"))[RNG.integers(0, 8, size=N)]
TABLE = pd.DataFrame(GAPS, columns=list("pqrs")).assign(
    letter=pd.Categorical(np.where(RNG.random(N) < 0.05, None, LETTERS)), w=RNG.integers(0, 4, size=N) / 2
)
TARGETS = {
    "two": pd.Categorical(np.where(SCORE > 1, "yes", "no")),
    "three": pd.Categorical(np.array(["a", "b", "c"])[np.digitize(SCORE, [0.3, 1.5])]),
    "number": SCORE,
    "count": RNG.poisson(np.exp(0.5 * NUMBERS[:, 0])).astype(float),
}
SETTINGS = {
    "two": HistGradientBoostingClassifier(max_iter=8),
    "three": HistGradientBoostingClassifier(max_iter=4, class_weight="balanced"),
    "number": HistGradientBoostingRegressor(max_iter=8),
    "count": HistGradientBoostingRegressor("poisson", max_iter=8),
}


@pytest.fixture(autouse=True)
def _by_passes(monkeypatch):
    """Not even the codes of the rows may be in memory."""
    monkeypatch.setattr(_coded_blocks, "MEMORY_BYTES", 0)


def frame_of(target, weight=True):
    table = TABLE.assign(target=TARGETS[target])
    return (
        Frame(table, target="target", weight="w")
        if weight
        else Frame(table.drop(columns="w"), target="target")
    )


def in_blocks(frame, *cuts):
    ends = [0, *cuts, len(frame)]
    return Blocks([frame[a:b] for a, b in pairwise(ends)])


def require_same(one, other):
    """All that was learned, to the last bit."""
    left, right = ({k: v for k, v in vars(m).items() if k.endswith("_")} for m in (one, other))
    assert left.keys() == right.keys()
    for field in fields(left["forest_"]):
        a, b = getattr(left["forest_"], field.name), getattr(right["forest_"], field.name)
        np.testing.assert_array_equal(a, b, err_msg=field.name)
    for name in ("gains_", "base_score_", "n_iter_", "train_score_", "validation_score_", "history_"):
        np.testing.assert_equal(left.get(name), right.get(name), err_msg=name)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("weight", [False, True])
def test_blocks_learn_the_same_as_memory(target, weight):
    frame, learner = frame_of(target, weight), SETTINGS[target]
    memory = clone(learner).fit(frame)
    require_same(memory, clone(learner).fit(in_blocks(frame, 1, 2000, 4097)))
    require_same(memory, clone(learner).set_params(n_jobs=1).fit(in_blocks(frame, 3000)))


@pytest.mark.parametrize(
    "settings",
    [
        {"max_leaf_nodes": None, "max_depth": 6, "min_samples_leaf": 1},
        {"max_leaf_nodes": 2},
        {"l2_regularization": 5.0, "reg_alpha": 2.0, "gamma": 1.0, "min_hessian": 20.0},
        {"monotonic_cst": {"p": 1, "q": -1}},
        {"interaction_cst": [["p", "q"], ["r", "letter"]]},
        {"max_features": 0.5, "random_state": 3},
        {"max_bins": 16, "init": "zero", "learning_rate": 0.5},
        {"early_stopping": True, "random_state": 1, "validation_fraction": 0.3, "n_iter_no_change": 2},
        {"early_stopping": True, "random_state": 1, "validation_fraction": 500},
        {"early_stopping": True, "random_state": 1, "validation_fraction": None},
    ],
    ids="-".join,
)
def test_every_option_means_the_same(settings):
    frame = frame_of("two")
    learner = clone(SETTINGS["two"]).set_params(**settings)
    require_same(clone(learner).fit(frame), clone(learner).fit(in_blocks(frame, 2500)))


def test_many_classes_stop_early_alike():
    frame = frame_of("three")
    learner = HistGradientBoostingClassifier(max_iter=6, early_stopping=True, random_state=0)
    require_same(clone(learner).fit(frame), clone(learner).fit(in_blocks(frame, 1, 4097)))


def test_a_file_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(_rows, "CARRIED", 2**16)  # nearly all that is kept of the rows is in temporary files
    path = tmp_path / "table.csv"
    TABLE.assign(target=TARGETS["two"]).to_csv(path, index=False)
    learner = HistGradientBoostingClassifier(max_iter=4, early_stopping=True, random_state=0)
    roles = {"target": "target", "weight": "w"}
    blocks = scan(path, batch_rows=700, **roles)
    require_same(clone(learner).fit(blocks.to_frame()), clone(learner).fit(blocks))


@pytest.mark.parametrize("target", ["two", "three"])
def test_codes_in_memory_give_the_same(target, monkeypatch):
    monkeypatch.setattr(_coded_blocks, "MEMORY_BYTES", 2**28)
    frame = frame_of(target)
    learner = clone(SETTINGS[target]).set_params(early_stopping=True, random_state=0)
    require_same(clone(learner).fit(frame), clone(learner).fit(in_blocks(frame, 2500)))


def test_little_memory_takes_more_passes(monkeypatch):
    frame = frame_of("number")
    learner = HistGradientBoostingRegressor(max_iter=3)
    memory = clone(learner).fit(frame)
    monkeypatch.setattr(_block_fit, "HISTOGRAM_BYTES", 1)  # one node at a time
    require_same(memory, clone(learner).fit(in_blocks(frame, 2500)))


@pytest.mark.parametrize("quantize", [False, True])
def test_large_tables_are_rounded_alike(quantize):
    n = 70_000
    X = RNG.normal(size=(n, 9))
    frame = Frame(pd.DataFrame(X).assign(y=pd.Categorical(X[:, 0] + RNG.normal(size=n) > 0)), target="y")
    learner = HistGradientBoostingClassifier(
        max_iter=3, quantize=quantize, early_stopping=False, random_state=0
    )
    require_same(clone(learner).fit(frame), clone(learner).fit(in_blocks(frame, 1000, 40_000)))


def test_rows_of_ones_own_judge():
    frame = frame_of("number", weight=False)
    learner = HistGradientBoostingRegressor(max_iter=20, learning_rate=0.5, n_iter_no_change=2)
    judges = {"X_val": TABLE.drop(columns="w")[:500], "y_val": SCORE[:500] + 0.5}
    memory = clone(learner).fit(frame, **judges)
    require_same(memory, clone(learner).fit(in_blocks(frame, 3000), **judges))


@pytest.mark.parametrize(
    ("learner", "target"),
    [
        (GradientBoostingClassifier(n_estimators=4, max_bins=64, step="newton", max_depth=4), "three"),
        (GradientBoostingClassifier("exponential", n_estimators=4, max_bins=64, step="newton"), "two"),
        (GradientBoostingRegressor(n_estimators=4, max_bins=64, step="newton"), "number"),
    ],
    ids=["three", "exponential", "number"],
)
def test_gradient_boosting_with_bins(learner, target):
    frame = frame_of(target)
    require_same(clone(learner).fit(frame), clone(learner).fit(in_blocks(frame, 2500)))


class LogCosh(losses.Loss):
    def value(self, y, z):
        return np.log(np.cosh(z - y))

    def gradient(self, y, z):
        return np.tanh(z - y)

    def hessian(self, y, z):
        return 1.0 - np.tanh(z - y) ** 2


def test_a_loss_of_ones_own_needs_a_start():
    frame = frame_of("number")
    learner = HistGradientBoostingRegressor(LogCosh(), max_iter=4, init="zero")
    require_same(clone(learner).fit(frame), clone(learner).fit(in_blocks(frame, 2500)))
    with pytest.raises(TypeError, match="cannot learn from Blocks"):
        HistGradientBoostingRegressor(LogCosh()).fit(in_blocks(frame, 2500))


@pytest.mark.parametrize(
    "learner",
    [
        HistGradientBoostingRegressor("absolute_error"),
        HistGradientBoostingRegressor("quantile", quantile=0.3),
        HistGradientBoostingRegressor("huber"),
        HistGradientBoostingRegressor(subsample=0.5),
        HistGradientBoostingRegressor(scoring=None),
        HistGradientBoostingRegressor(max_bins=300),
        GradientBoostingRegressor(),
    ],
    ids=lambda learner: repr(learner)[:60],
)
def test_what_needs_all_rows_says_so(learner):
    with pytest.raises(
        TypeError, match=r"cannot learn from Blocks: .*255 bins.* or pass blocks.to_frame\(\)"
    ):
        learner.fit(in_blocks(frame_of("number"), 2500))


def test_more_rounds_need_all_rows():
    blocks = in_blocks(frame_of("number"), 2500)
    model = HistGradientBoostingRegressor(max_iter=2, warm_start=True).fit(blocks)
    with pytest.raises(ValueError, match=r"warm_start=True adds rounds .* pass blocks.to_frame\(\)"):
        model.set_params(max_iter=4).fit(blocks)
    model.fit(blocks.to_frame())
    assert model.n_iter_ == 4


def test_too_many_levels_are_named():
    names = pd.Categorical([f"n{i % 300}" for i in range(N)])
    frame = Frame(pd.DataFrame({"name": names, "p": NUMBERS[:, 0], "y": SCORE}), target="y")
    with pytest.raises(ValueError, match="column 'name' has 300 levels, but from Blocks .* at most 255"):
        HistGradientBoostingRegressor().fit(in_blocks(frame, 2500))


def test_marked_numbers_must_be_said_when_opened():
    learner = HistGradientBoostingRegressor(categorical_features=["p"])
    with pytest.raises(ValueError, match="names the numeric column 'p'"):
        learner.fit(in_blocks(frame_of("number"), 2500))


def test_targets_are_checked():
    learner = HistGradientBoostingRegressor("gamma")
    with pytest.raises(ValueError, match="needs a target in"):
        learner.fit(in_blocks(frame_of("number"), 2500))


def test_derivatives_must_be_finite():
    table = pd.DataFrame({"x": np.arange(100.0), "y": np.where(np.arange(100) < 50, 0.0, 10.0)})
    blocks = in_blocks(Frame(table, target="y"), 30)
    with pytest.raises(
        ValueError, match="HistGradientBoostingRegressor: the first derivative of PoissonLoss"
    ):
        HistGradientBoostingRegressor("poisson", learning_rate=1000.0, min_hessian=0.0).fit(blocks)


def test_one_class_is_predicted():
    table = TABLE.assign(target=pd.Categorical(["same"] * N))
    model = HistGradientBoostingClassifier().fit(in_blocks(Frame(table, target="target", weight="w"), 99))
    assert set(model.predict(TABLE.drop(columns="w")[:5])) == {"same"}


@pytest.mark.parametrize("n_classes", [0, 3])
@pytest.mark.parametrize("share", [0.2, 77])
def test_the_same_rows_are_held_out(n_classes, share):
    frame = frame_of("three" if n_classes else "number")
    y = frame.y if not n_classes else np.unique(frame.y, return_inverse=True)[1]
    table = Frame(pd.DataFrame({"row": np.arange(N), "y": y, "w": frame.w}), target="y", weight="w")
    rows = BoostingRows(table.features, y, frame.w)
    options = {"n_classes": n_classes, "learner": "Learner"}
    training, held = split_rows(rows, share, 7, **options)
    blocks = in_blocks(table, 10, 5000)
    halves = split_blocks(blocks, choose_held(blocks, share, 7, **options))
    for part, other in zip((training, held), halves, strict=True):
        numbers = np.concatenate([block.X.numbers[:, 0] for block in other])
        np.testing.assert_array_equal(part.frame.numbers[:, 0], numbers)
    assert len(training.y) + len(held.y) == N
    used = int((frame.w > 0).sum())
    assert abs(len(held.y) - (share * used if share < 1 else share)) <= max(1, n_classes)
    assert (held.w > 0).all()
