"""Elman networks against PyTorch and a plain NumPy loop: the same cost from the same weights by L-BFGS."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import ElmanClassifier

HIDDEN, STEPS, ITERATIONS, ALPHA = 16, 20, 50, 1e-4
GOAL = 1.0

Parts = tuple[Any, Any, Any, Any, Any]


def sequences(n: int) -> tuple[Any, Any]:
    """Whether a random walk ends above its mean."""
    X = np.random.default_rng(0).normal(size=(n, STEPS))
    walk = X.cumsum(axis=1)
    return X, (walk[:, -1] > walk.mean(axis=1)).astype(int)


def ours(X: Any, y: Any, jobs: int) -> float:
    model = ElmanClassifier(HIDDEN, alpha=ALPHA, max_iter=ITERATIONS, tol=0.0, random_state=0, n_jobs=jobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return float(model.fit(X, y).score(X, y))


def start() -> Parts:
    draw = np.random.default_rng(0)
    inputs = draw.uniform(-1, 1, (HIDDEN, 1)) * np.sqrt(6 / (HIDDEN + 1))
    recurrent = draw.uniform(-1, 1, (HIDDEN, HIDDEN)) * np.sqrt(3 / HIDDEN)
    return inputs, recurrent, np.zeros(HIDDEN), np.zeros((2, HIDDEN)), np.zeros(2)


def split(vector: Any) -> list[Any]:
    shapes = [part.shape for part in start()]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    pieces = zip(np.split(vector, ends[:-1]), shapes, strict=True)
    return [piece.reshape(shape) for piece, shape in pieces]


def minimized(cost: Callable[[Any], tuple[float, Any]]) -> list[Any]:
    vector = np.concatenate([part.ravel() for part in start()])
    options = {"maxiter": ITERATIONS, "maxfun": 10 * ITERATIONS, "gtol": 0.0, "ftol": 0.0}
    return split(minimize(cost, vector, jac=True, method="L-BFGS-B", options=options).x)


def score(parts: list[Any], X: Any, y: Any) -> float:
    inputs, recurrent, bias, output, constant = parts
    state = np.zeros((len(X), HIDDEN))
    for t in range(STEPS):
        state = np.tanh(X[:, [t]] @ inputs.T + state @ recurrent.T + bias)
    return float(((state @ output.T + constant).argmax(axis=1) == y).mean())


def loop(X: Any, y: Any) -> float:
    """Backpropagation through time as it is written in textbooks."""
    n = len(X)

    def cost(vector: Any) -> tuple[float, Any]:
        inputs, recurrent, bias, output, constant = split(vector)
        states = [np.zeros((n, HIDDEN))]
        for t in range(STEPS):
            states.append(np.tanh(X[:, [t]] @ inputs.T + states[-1] @ recurrent.T + bias))
        scores = states[-1] @ output.T + constant
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        value = -np.log(p[np.arange(n), y]).mean()
        p[np.arange(n), y] -= 1
        p /= n
        back, slopes = p @ output, [np.zeros_like(part) for part in (inputs, recurrent, bias)]
        for t in reversed(range(STEPS)):
            delta = back * (1 - states[t + 1] ** 2)
            slopes[0] += delta.T @ X[:, [t]]
            slopes[1] += delta.T @ states[t]
            slopes[2] += delta.sum(axis=0)
            back = delta @ recurrent
        slopes += [p.T @ states[-1], p.sum(axis=0)]
        for place, weights in ((0, inputs), (1, recurrent), (3, output)):
            value += 0.5 * ALPHA / n * float((weights**2).sum())
            slopes[place] += ALPHA / n * weights
        return value, np.concatenate([slope.ravel() for slope in slopes])

    return score(minimized(cost), X, y)


def torch_fit(torch: Any, X: Any, y: Any) -> float:
    rows, labels = torch.as_tensor(X)[:, :, None], torch.as_tensor(y)

    def cost(vector: Any) -> tuple[float, Any]:
        flat = torch.tensor(vector, requires_grad=True)
        parts, at = [], 0
        for part in start():
            parts.append(flat[at : at + part.size].reshape(part.shape))
            at += part.size
        inputs, recurrent, bias, output, constant = parts
        flat_weights = [inputs, recurrent, bias, torch.zeros_like(bias)]
        none = torch.zeros((1, len(rows), HIDDEN), dtype=torch.float64)
        _, last = torch.rnn_tanh(rows, none, flat_weights, True, 1, 0.0, True, False, True)
        value = torch.nn.functional.cross_entropy(last[0] @ output.T + constant, labels)
        value = value + 0.5 * ALPHA / len(rows) * sum((w**2).sum() for w in (inputs, recurrent, output))
        value.backward()
        return float(value.detach()), flat.grad.numpy()

    return score(minimized(cost), X, y)


def run(setting: Setting) -> Iterator[Table]:
    X, y = sequences(setting.size(10_000, 500))
    works: dict[str, Callable[[], float]] = {
        "hornbook": partial(ours, X, y, setting.jobs),
        "NumPy loop": partial(loop, X, y),
    }
    torch = peer("torch")
    if torch is not None:
        torch.set_num_threads(setting.jobs)
        works["PyTorch"] = partial(torch_fit, torch, X, y)
    timed = best_of(works, setting.rounds)
    mine = timed["hornbook"]
    rows = [
        Row(f"{name}: accuracy {t.result:.3f}", t.seconds, timed["NumPy loop"].seconds / t.seconds)
        for name, t in timed.items()
    ]
    others = [t for name, t in timed.items() if name != "hornbook"]
    gap = max(t.result for t in others) - mine.result
    worst = min(t.seconds for t in others) / mine.seconds
    targets = [
        Target("the accuracy of the others, to 0.02", f"{gap:+.3f}", judged(setting.quick, gap <= 0.02)),
        Target("as fast as the fastest other", f"{worst:.2f}", judged(setting.quick, worst >= GOAL)),
    ]
    if torch is None:
        rows.append(Row("PyTorch"))
    yield Table(
        f"{len(X):,} sequences of {STEPS} steps, {ITERATIONS} iterations, {setting.jobs} threads",
        rows,
        targets,
    )
