"""Multilayer perceptrons against scikit-learn, PyTorch and a plain NumPy loop."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn import neural_network
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import MLPClassifier, datasets

EPOCHS = 5
FASTER, LOOP = 1.5, 50.0
HIDDEN, BATCH, RATE = 128, 128, 0.001


def run(setting: Setting) -> Iterator[Table]:
    yield _large(setting)
    yield _small(setting)


def _large(setting: Setting) -> Table:
    """Mini-batches of images: 784 columns, 10 classes, one hidden layer of 128 units, Adam."""
    n = setting.size(30_000, 1_000)
    random = np.random.default_rng(0)
    centers = 0.09 * random.normal(size=(10, 784))
    y = random.integers(0, 10, n + n // 5)
    X = centers[y] + random.normal(size=(len(y), 784))
    shared = {"hidden_layer_sizes": (HIDDEN,), "batch_size": BATCH, "max_iter": EPOCHS, "random_state": 0}
    works = {
        "hornbook": partial(_fit, MLPClassifier(n_jobs=setting.jobs, **shared), X, y, n),
        "hornbook, double": partial(
            _fit, MLPClassifier(n_jobs=setting.jobs, precision="double", **shared), X, y, n
        ),
        "scikit-learn": partial(_fit, neural_network.MLPClassifier(**shared), X, y, n),
    }
    torch = peer("torch")
    if torch is not None:
        torch.set_num_threads(setting.jobs)
        works["PyTorch, single"] = partial(_torch_fit, torch, torch.float32, X, y, n)
        works["PyTorch, double"] = partial(_torch_fit, torch, torch.float64, X, y, n)
    with threadpool_limits(setting.jobs, "blas"):
        timed = best_of(works, setting.rounds)
    theirs = timed["scikit-learn"].seconds
    rows = [
        Row(f"{name}, {n:,} x 784", t.seconds, theirs / t.seconds, f"accuracy {t.result:.3f}")
        for name, t in timed.items()
    ]
    gap = timed["scikit-learn"].result - min(timed["hornbook"].result, timed["hornbook, double"].result)
    speed = theirs / timed["hornbook"].seconds
    targets = [
        Target("the accuracy of scikit-learn, to 0.02", f"{gap:+.3f}", judged(setting.quick, gap <= 0.02)),
        Target(
            f"{FASTER} times as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= FASTER)
        ),
    ]
    if torch is None:
        rows.append(Row("PyTorch"))
        return Table(f"5 epochs of Adam, {setting.jobs} threads", rows, targets)
    pairs = (("hornbook", "PyTorch, single"), ("hornbook, double", "PyTorch, double"))
    worst = min(timed[other].seconds / timed[ours].seconds for ours, other in pairs)
    word = "as fast as PyTorch in both precisions"
    targets.append(Target(word, f"worst {worst:.2f}", judged(setting.quick, worst >= 1.0)))
    return Table(f"5 epochs of Adam, {setting.jobs} threads", rows, targets)


def _fit(model: Any, X: Any, y: Any, n: int) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return float(model.fit(X[:n], y[:n]).score(X[n:], y[n:]))


def _torch_fit(torch: Any, precision: Any, X: Any, y: Any, n: int) -> float:
    """The same with PyTorch: Adam with weight decay as an L2 penalty of the batch."""
    torch.manual_seed(0)
    rows = torch.as_tensor(X, dtype=precision)
    labels = torch.as_tensor(y)
    model = torch.nn.Sequential(
        torch.nn.Linear(X.shape[1], HIDDEN, dtype=precision),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, 10, dtype=precision),
    )
    adam = torch.optim.Adam(model.parameters(), lr=RATE, weight_decay=1e-4 / BATCH)
    cost = torch.nn.CrossEntropyLoss()
    for _ in range(EPOCHS):
        for batch in torch.randperm(n).split(BATCH):
            adam.zero_grad()
            cost(model(rows[batch]), labels[batch]).backward()
            adam.step()
    with torch.no_grad():
        return float((model(rows[n:]).argmax(dim=1) == labels[n:]).double().mean())


def _small(setting: Setting) -> Table:
    """Pattern mode on a small table: a network 4-8-3, one row at a time."""
    epochs = setting.size(100, 5)
    table = datasets.iris()
    X = np.ascontiguousarray((table.features.numbers - 5.0) / 2.0)
    y = np.unique(table.y, return_inverse=True)[1]
    model = MLPClassifier(
        (8,),
        activation="logistic",
        loss="squared_error",
        reduction="sum",
        penalty=None,
        solver="sgd",
        momentum=0.0,
        batch_size=1,
        shuffle=False,
        learning_rate_init=0.1,
        max_iter=epochs,
        tol=0.0,
        n_iter_no_change=epochs,
        random_state=0,
        n_jobs=1,
    )
    start = MLPClassifier(**{**model.get_params(), "learning_rate_init": 1e-300, "max_iter": 1})
    _trained(start, X, y)
    weights = [W.copy() for W in start.coefs_], [b.copy() for b in start.intercepts_]
    works = {
        "hornbook": partial(_trained, model, X, y),
        "NumPy loop": partial(_loop, X, np.eye(3)[y], weights, 0.1, epochs),
    }
    timed = best_of(works, setting.rounds)
    ours, loop = timed["hornbook"], timed["NumPy loop"]
    gap = max(float(np.abs(a - b).max()) for a, b in zip(ours.result, loop.result, strict=True))
    speed = loop.seconds / ours.seconds
    rows = [
        Row(f"hornbook, {epochs} epochs", ours.seconds, speed),
        Row(f"NumPy loop, {epochs} epochs", loop.seconds, 1.0),
    ]
    targets = [
        Target("the weights of the loop to 1e-9", f"{gap:.1e}", gap <= 1e-9),
        Target(f"{LOOP:g} times as fast as a loop", f"{speed:.0f}", judged(setting.quick, speed >= LOOP)),
    ]
    return Table("iris, 4-8-3, pattern mode, 1 thread", rows, targets)


def _trained(model: Any, X: Any, y: Any) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    return [*model.coefs_, *model.intercepts_]


def _loop(X: Any, targets: Any, weights: Any, rate: float, epochs: int) -> list[Any]:
    """Backpropagation as it is written in textbooks."""
    (V, W), (a, b) = ([part.copy() for part in parts] for parts in weights)
    for _ in range(epochs):
        for x, t in zip(X, targets, strict=True):
            hidden = 1.0 / (1.0 + np.exp(-(x @ V + a)))
            output = 1.0 / (1.0 + np.exp(-(hidden @ W + b)))
            delta = (output - t) * output * (1.0 - output)
            below = hidden * (1.0 - hidden) * (W @ delta)
            W -= rate * np.outer(hidden, delta)
            b -= rate * delta
            V -= rate * np.outer(x, below)
            a -= rate * below
    return [V, W, a, b]
