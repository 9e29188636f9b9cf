"""Training from start to end: restarts, rows kept aside, when to stop, and what to do when it diverges."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook.frame import Block, Blocks
from hornbook.networks.mlp._initialization import initialized, thinned
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._objective import Decay, Objective
from hornbook.networks.mlp._targets import decided
from hornbook.networks.mlp.solvers._solvers import BY_BATCHES, EXACT, RATED, SOLVERS
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats
from hornbook.random import row_bits

__all__ = ["TrainingOutcome", "decay_of", "options_of", "row_mass", "score_of", "trained"]

ASIDE = 7  # added to the seed for the choice of rows
# The numbers of scikit-learn, also that an adaptive rate is divided by 5.
SLOWEST = 1e-6  # learning rate below which an adaptive one stops
SMALLEST_BATCH = 200
RISEN = 10.0  # times the loss of random weights, which no training should end with
LOOKED_AT = 512  # rows on which that is tested first
MANY_WEIGHTS = 10_000  # from which on mini-batches are computed in single precision, unless told otherwise


@dataclass
class TrainingOutcome:
    """What one start has come to."""

    network: Network
    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    best_loss: float = math.inf
    best_score: float = -math.inf
    n_iter: int = 0
    idle: int = 0  # iterations without improvement
    trouble: str = ""
    best: Floats | None = None
    before_best: Floats | None = None  # the weights before that iteration

    @property
    def rank(self) -> tuple[float, float]:
        """Smaller is better: by the score on rows kept aside, else by the loss."""
        last = self.losses[-1] if self.losses and math.isfinite(self.losses[-1]) else self.best_loss
        return -self.best_score if self.scores else last, last


def decay_of(learner: Any) -> Decay:
    """The penalty that the parameters ask for."""
    return Decay(learner.penalty, learner.alpha, learner.elimination_width, learner.reduction == "mean")


def options_of(learner: Any, network: Network, n_rows: int, seed: int, start: int) -> Options:
    """The options of solvers from the parameters of the learner."""
    batch = min(SMALLEST_BATCH, n_rows) if learner.batch_size == "auto" else min(learner.batch_size, n_rows)
    large = len(network.weights) >= MANY_WEIGHTS
    return Options(
        rate=learner.learning_rate_init,
        momentum=learner.momentum,
        nesterov=learner.nesterovs_momentum,
        increase=learner.rate_increase,
        decrease=learner.rate_decrease,
        tolerance=learner.rate_tolerance,
        beta_1=learner.beta_1,
        beta_2=learner.beta_2,
        epsilon=learner.epsilon,
        batch=batch,
        shuffle=learner.shuffle,
        dropout=learner.dropout,
        single=learner.precision == "single" or (learner.precision == "auto" and large),
        power_t=learner.power_t
        if learner.learning_rate == "invscaling" and learner.solver == "sgd"
        else None,
        tol=learner.tol,
        max_fun=learner.max_fun,
        temperature=learner.initial_temperature,
        cooling=learner.cooling,
        population=learner.population_size,
        mutation=learner.mutation_rate,
        variance=learner.initial_variance,
        noise=learner.observation_noise,
        seed=seed,
        start=start,
        n_threads=learner._threads(),  # noqa: SLF001 - the learner's own reading of n_jobs
    )


def trained(learner: Any, blocks: Blocks, blank: Network, seed: int, warm: Network | None) -> TrainingOutcome:
    """The best of all starts.

    Parameters
    ----------
    learner : Learner
        Whose parameters say how; it is made a usable model after each iteration.
    blocks : Blocks
        Rows with target matrices.
    blank : Network
        The structure.
    seed : int
        For everything that is drawn.
    warm : Network or None
        Where the first start begins, if not at random.
    """
    aside = None
    if learner.early_stopping:
        blocks, aside = _divided(blocks, learner.validation_fraction, seed, type(learner).__name__)
    mass = blocks.reduce(row_mass)
    outcomes: list[TrainingOutcome] = []
    starts = (
        range(1)
        if not learner.restarts
        else learner.iterate(learner.restarts + 1, name="start", inner=learner.max_iter)
    )
    for start in starts:
        first = warm if warm is not None and start == 0 else None
        if first is None:
            thin = thinned(blank, learner.deleted_connections, learner.deleted_units, seed, start)
            first = initialized(thin, learner.initialization, seed, start)
        objective = Objective(blocks, first, decay_of(learner), mass)
        options = options_of(learner, first, blocks.n_rows, seed, start)
        outcomes.append(_run(learner, objective, aside, options))
        if first is not warm:
            _look_for_rise(learner, objective, outcomes[-1], aside, options)
    outcome = min(outcomes, key=lambda candidate: candidate.rank)
    if outcome.trouble:
        warnings.warn(f"{type(learner).__name__}: {outcome.trouble}", ConvergenceWarning, stacklevel=7)
    return outcome


def _run(learner: Any, objective: Objective, aside: Blocks | None, options: Options) -> TrainingOutcome:
    outcome = TrainingOutcome(objective.network)
    learner._keep(outcome)  # noqa: SLF001 - what the learner keeps of a start
    steps = SOLVERS[learner.solver](objective, objective.network.weights, options)
    stochastic = learner.solver in BY_BATCHES
    stopped = False
    for i in learner.iterate(learner.max_iter, name="epoch" if stochastic else "iteration"):
        # Passes that follow in any case: small ones are made in one call of the kernel (see `_epochs`).
        options.sure = int(min(learner.max_iter - i, learner.n_iter_no_change + 1 - outcome.idle))
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is seen below
            step = next(steps, None)
        if step is None:
            stopped = True
            outcome.trouble = (
                f"parameter 'max_fun' = {options.max_fun} was too small for lbfgs to converge: raise it."
            )
            break
        if not math.isfinite(step.loss) or not np.isfinite(step.weights).all():
            what = f"was no longer finite in iteration {i + 1}"
            _diverged(learner, outcome, objective, aside, options, what)
            stopped = True
            break
        _note(learner, outcome, objective, step, aside)
        if step.converged:
            stopped = True
            break
        if learner.solver not in EXACT and outcome.idle > learner.n_iter_no_change:
            if _slowed(learner, options):
                outcome.idle = 0
                continue
            stopped = True
            break
    if not stopped and outcome.n_iter == learner.max_iter:
        rated = learner.solver in RATED
        cure = "scale the columns, or raise 'learning_rate_init'" if rated else "or scale the columns"
        outcome.trouble = (
            f"parameter 'max_iter' = {learner.max_iter} was too small to converge: raise it, {cure}."
        )
    if aside is not None and outcome.best is not None and not outcome.trouble.startswith("the loss"):
        outcome.network = outcome.network.with_weights(outcome.best)
    return outcome


def _note(
    learner: Any, outcome: TrainingOutcome, objective: Objective, step: SolverStep, aside: Blocks | None
) -> None:
    """Keep what an iteration has brought, and count those without improvement."""
    outcome.n_iter += 1
    before = outcome.network.weights
    outcome.network = objective.network.with_weights(step.weights)
    outcome.losses.append(step.loss)
    numbers = {"loss": step.loss}
    if not math.isnan(step.rate) and learner.solver.startswith("adaptive"):
        numbers["learning_rate"] = step.rate
    if aside is None:
        outcome.idle = outcome.idle + 1 if step.loss > outcome.best_loss - learner.tol else 0
        if step.loss < outcome.best_loss:
            outcome.best, outcome.before_best = step.weights, before
    else:
        score, cost = score_of(learner, outcome.network, aside)
        numbers |= {"validation_score": score, "validation_loss": cost}
        outcome.scores.append(score)
        outcome.idle = outcome.idle + 1 if score < outcome.best_score + learner.tol else 0
        if score > outcome.best_score:
            outcome.best_score, outcome.best = score, step.weights
    outcome.best_loss = min(outcome.best_loss, step.loss)
    learner.record(**numbers)
    learner._keep(outcome)  # noqa: SLF001


def _diverged(
    learner: Any,
    outcome: TrainingOutcome,
    objective: Objective,
    aside: Blocks | None,
    options: Options,
    what: str,
) -> None:
    """Return to the best weights so far, and say why."""
    solver, start = learner.solver, objective.network.weights
    weights = _best_weights(learner, outcome, objective, aside)
    outcome.network = objective.network.with_weights(weights)
    kept = "the first weights" if weights is start else "the best weights so far"
    cure = ""
    if solver in RATED:
        cure = f"lower 'learning_rate_init' = {options.rate:g}, or "
    elif solver == "kalman":
        cure = (
            f"lower 'initial_variance' = {options.variance:g}, raise 'observation_noise' = "
            f"{options.noise:g}, or "
        )
    outcome.trouble = f"the loss {what} of {solver}: {cure}scale the columns; {kept} are kept."
    learner._keep(outcome)  # noqa: SLF001


def _best_weights(
    learner: Any, outcome: TrainingOutcome, objective: Objective, aside: Blocks | None
) -> Floats:
    """The best weights of a start, the first among them."""
    start = objective.network.weights
    if outcome.best is None:
        return start
    if aside is not None:
        score = score_of(learner, objective.network, aside)[0]
        return start if score >= outcome.best_score else outcome.best
    # The loss of an epoch is that of batches before their steps: what it ends with may be much worse.
    tried = [start, outcome.best]
    if outcome.before_best is not None:
        tried.insert(1, outcome.before_best)
    with np.errstate(over="ignore", invalid="ignore"):
        values = [objective.value(candidate) for candidate in tried]
    return tried[int(np.argmin(np.nan_to_num(values, nan=np.inf)))]


def _look_for_rise(
    learner: Any, objective: Objective, outcome: TrainingOutcome, aside: Blocks | None, options: Options
) -> None:
    """Treat a loss far above that of random weights as a divergence, though it is still finite."""
    if learner.solver not in RATED | {"kalman"} or outcome.trouble.startswith("the loss"):
        return
    start, end = objective.network, outcome.network
    # Some rows show whether it is worth a look at all of them.
    few = objective.blocks.take(np.arange(min(LOOKED_AT, objective.blocks.n_rows)))
    costs = [network.sums(few.X, np.asarray(few.y), few.w)[0] for network in (start, end)]
    if costs[1] <= costs[0]:
        return
    with np.errstate(over="ignore", invalid="ignore"):
        first, last = objective.value(start.weights), objective.value(end.weights)
    if not last > RISEN * first:
        return
    what = f"rose from {first:.3g} to {last:.3g} in {outcome.n_iter} iterations"
    _diverged(learner, outcome, objective, aside, options, what)


def _slowed(learner: Any, options: Options) -> bool:
    """Whether there is an adaptive rate that can still be lowered; it is."""
    if learner.solver != "sgd" or learner.learning_rate != "adaptive" or options.rate <= SLOWEST:
        return False
    options.rate /= 5.0
    return True


def _divided(blocks: Blocks, share: float, seed: int, name: str) -> tuple[Blocks, Blocks]:
    """Rows to learn from, and rows kept aside: those with the smallest hashes of their cells."""
    # By content: copies of a row are on one side, so that no row is validated that was learned, and neither
    # the order of the rows nor their division into blocks changes the choice.
    bits = np.sort(blocks.reduce(_row_bits, seed, merge=_joined))
    count = min(max(1, round(share * len(bits))), len(bits) - 1)
    if count < 1 or bits[count - 1] == bits[-1]:
        raise ValueError(
            f"{name}: early_stopping needs rows to validate on and rows to train on, and there are only "
            f"{blocks.n_rows}, n_samples={blocks.n_rows}, or all are equal: set early_stopping=False."
        )
    limit = bits[count - 1]
    learned = blocks.where(partial(_chosen, seed=seed, limit=limit, aside=False))
    aside = blocks.where(partial(_chosen, seed=seed, limit=limit, aside=True))
    if aside.reduce(row_mass) <= 0 or learned.reduce(row_mass) <= 0:
        raise ValueError(
            f"{name}: all validation rows, or all training rows, have weight 0: change 'random_state' or "
            f"'validation_fraction' = {share:g}, or set early_stopping=False."
        )
    return learned, aside


def _row_bits(block: Block, seed: int) -> NDArray[np.uint64]:
    return row_bits(iter(np.asarray(block.X).T), len(block), (seed + ASIDE) % 2**64)


def _joined(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.concatenate([one, other])


def _chosen(block: Block, seed: int, limit: np.uint64, *, aside: bool) -> NDArray[np.bool_]:
    return np.asarray((_row_bits(block, seed) <= limit) == aside)


def row_mass(block: Block) -> float:
    """Weight of rows."""
    return float(len(block)) if block.w is None else float(block.w.sum())


def score_of(learner: Any, network: Network, aside: Blocks) -> tuple[float, float]:
    """Accuracy or R², and the mean cost, of rows kept aside."""
    if hasattr(learner, "_middle"):
        mass, cost, right = aside.reduce(_right, network, learner._middle())  # noqa: SLF001
        return float(right / mass), float(cost / mass)
    mean = aside.reduce(_target_sums) / aside.reduce(row_mass)
    mass, cost, square, spread = aside.reduce(_squares, network, mean)
    return (1.0 - float(square / spread) if spread > 0 else 0.0), float(cost / mass)


def _right(block: Block, network: Network, middle: float) -> Floats:
    targets, w = np.asarray(block.y), _weights(block)
    cost, _ = network.sums(block.X, targets, block.w)
    right = decided(network.outputs(block.X), middle) == decided(targets, middle)
    return np.array([w.sum(), cost, w @ right])


def _squares(block: Block, network: Network, mean: Floats) -> Floats:
    targets, w = np.asarray(block.y), _weights(block)
    cost, _ = network.sums(block.X, targets, block.w)
    square = ((network.outputs(block.X) - targets) ** 2).sum(axis=1)
    return np.array([w.sum(), cost, w @ square, w @ ((targets - mean) ** 2).sum(axis=1)])


def _target_sums(block: Block) -> Floats:
    return np.asarray(_weights(block) @ np.asarray(block.y))


def _weights(block: Block) -> Floats:
    return np.ones(len(block)) if block.w is None else block.w
