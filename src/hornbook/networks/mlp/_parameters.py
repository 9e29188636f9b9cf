"""Parameters of multilayer perceptrons, in groups."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Annotated, Literal

from hornbook.networks.mlp._initialization import Initialization
from hornbook.networks.mlp._objective import PenaltyName
from hornbook.networks.mlp._penalties import WeightPenalty
from hornbook.networks.mlp._units import HiddenUnit
from hornbook.networks.mlp.solvers._solvers import SolverName
from hornbook.params import MaxIter, Range, Tol, Tune, parameter_group

__all__ = ["Descent", "Search", "Shrinkage", "Structure", "Watching"]

Share = Annotated[float, Range(low=0.0, high=1.0, open_high=True)]


@parameter_group
class Structure:
    """Layers and units.

    Parameters
    ----------
    hidden_layer_sizes : int or tuple of int, default (100,)
        Units in each hidden layer; an empty tuple means none.
    activation : {"identity", "logistic", "bipolar", "tanh", "scaled_tanh", "relu"}, default "relu"
        The function of hidden units, of their net input v with slope a and amplitude c: a v;
        1 / (1 + exp(-a v)); 2 / (1 + exp(-a v)) - 1; tanh(a v); c tanh(a v / 2); a v or 0, whichever is
        larger.
    slope : float, default 1.0
        a of hidden units, and of output units that are not the identity, exponential or softmax.
    amplitude : float, default 1.0
        c, of scaled tanh units only.
    initialization : {"glorot", "he", "uniform", "unit", "small"}, default "glorot"
        How weights and constants are drawn: uniform by the sizes of the layers; normal by the number of
        inputs, constants 0; uniform from -1 to 1, from 0 to 1, from -0.1 to 0.1.
    deleted_connections : float, default 0.0
        Share of the connections between consecutive layers that are left out, drawn before training: members
        of an ensemble then differ in their structure.
    deleted_units : float, default 0.0
        The same for the units of each hidden layer, of which one at least stays.
    """

    # Names and defaults of scikit-learn, where it has the parameter.
    hidden_layer_sizes: Annotated[int, Range(low=1)] | tuple[int, ...] | list[int] = field(
        default=(100,), kw_only=False
    )
    activation: HiddenUnit = "relu"
    slope: Annotated[float, Range(low=0.0, open_low=True)] = 1.0
    amplitude: Annotated[float, Range(low=0.0, open_low=True)] = 1.0
    initialization: Initialization = "glorot"
    deleted_connections: Share = 0.0
    deleted_units: Share = 0.0


@parameter_group
class Shrinkage:
    """What is minimized beside the cost.

    Parameters
    ----------
    reduction : {"mean", "sum"}, default "mean"
        Whether the objective is the mean over rows, as in common libraries, or the sum, as in textbooks:
        with the sum, learning rates must be smaller by the number of rows in a batch.
    penalty : {"l2", "elimination", "tradeoff"}, WeightPenalty or None, default "l2"
        What is added to the sum of costs, times `alpha`: half the squared weights; w² / (w0² + w²) summed
        over the weights (weight elimination), or another function of one weight. ``"tradeoff"`` minimizes
        (1 - alpha) times the mean cost plus alpha times the sum of squares of weights and constants. The
        others leave constants alone. The Kalman filter takes none: `initial_variance` holds its weights.
    alpha : float, default 0.0001
        Weight of the penalty.
    elimination_width : float, default 1.0
        w0, the size of weights that count half.
    dropout : float, default 0.0
        Probability with which an output of a hidden unit is set to 0 in a step; with sgd and adam only.
    """

    reduction: Literal["mean", "sum"] = "mean"
    penalty: PenaltyName | WeightPenalty | None = "l2"
    alpha: Annotated[float, Range(low=0.0), Tune(1e-6, 1.0, log=True)] = 0.0001
    elimination_width: Annotated[float, Range(low=0.0, open_low=True)] = 1.0
    dropout: Share = 0.0


@parameter_group
class Descent:
    """How weights are changed.

    Parameters
    ----------
    solver : str, default "adam"
        In mini-batches: ``"adam"``, ``"sgd"`` (with `momentum`; pattern mode is ``batch_size=1``). On all
        rows: ``"momentum"``; ``"adaptive"``, whose rate follows the ratio of the last two losses;
        ``"adaptive_momentum"``, both; ``"delta_delta"``, ``"delta_bar_delta"``, ``"rprop"`` and
        ``"quickprop"`` with a step for each weight; ``"conjugate_gradient"``, ``"lbfgs"``; for small networks
        ``"newton"``, ``"levenberg_marquardt"`` and ``"kalman"`` (extended Kalman filter, row by row); without
        derivatives ``"annealing"`` and ``"genetic"``.
    batch_size : int or "auto", default "auto"
        Rows in a batch of sgd and adam; ``"auto"`` is 200, or all if there are fewer.
    learning_rate : {"constant", "invscaling", "adaptive"}, default "constant"
        Of sgd: constant; divided by (rows seen)^`power_t`; or divided by 5 when `n_iter_no_change` epochs
        brought no improvement.
    learning_rate_init : float, default 0.001
        The learning rate; of rprop the first step.
    power_t : float, default 0.5
        Exponent of ``learning_rate="invscaling"``.
    momentum : float, default 0.9
        Share of the last change that is added to the next: of sgd, momentum and adaptive_momentum.
    nesterovs_momentum : bool, default True
        Whether sgd looks ahead by its momentum.
    rate_increase : float, default 1.05
        Of adaptive and adaptive_momentum: factor of the rate when the loss fell. The rates of delta_delta and
        delta_bar_delta grow by (rate_increase - 1) times the initial rate.
    rate_decrease : float, default 0.7
        Factor of the rate when the loss grew by more than `rate_tolerance`; of delta_bar_delta, when a
        derivative changed its sign.
    rate_tolerance : float, default 1.05
        Factor by which the loss of adaptive and adaptive_momentum may grow before the rate is lowered.
    beta_1 : float, default 0.9
        Decay rate of the mean of gradients in adam.
    beta_2 : float, default 0.999
        Decay rate of the mean of squared gradients in adam.
    epsilon : float, default 1e-08
        What keeps adam from dividing by 0.
    shuffle : bool, default True
        Whether mini-batches and the Kalman filter take rows in another order each time.
    max_fun : int, default 15000
        How often lbfgs may compute the objective.
    precision : {"auto", "double", "single"}, default "auto"
        In which precision mini-batches are computed; single takes about half the time. ``"auto"`` is single
        for networks of 10,000 weights or more. Results are the same for any number of threads in both.
    """

    solver: SolverName = "adam"
    batch_size: Annotated[int, Range(low=1)] | Literal["auto"] = "auto"
    learning_rate: Literal["constant", "invscaling", "adaptive"] = "constant"
    # The defaults of Adam (Kingma and Ba 2015), here and in beta_1, beta_2 and epsilon.
    learning_rate_init: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-4, 0.1, log=True)] = 0.001
    power_t: Annotated[float, Range(low=0.0)] = 0.5
    momentum: Annotated[float, Range(low=0.0, high=1.0)] = 0.9
    nesterovs_momentum: bool = True
    # The constants of Vogl and others (1988) for a rate that adapts.
    rate_increase: Annotated[float, Range(low=1.0)] = 1.05
    rate_decrease: Annotated[float, Range(low=0.0, high=1.0, open_low=True)] = 0.7
    rate_tolerance: Annotated[float, Range(low=1.0)] = 1.05
    beta_1: Share = 0.9
    beta_2: Share = 0.999
    epsilon: Annotated[float, Range(low=0.0, open_low=True)] = 1e-8
    shuffle: bool = True
    max_fun: Annotated[int, Range(low=1)] = 15000
    precision: Literal["auto", "double", "single"] = "auto"


@parameter_group
class Search:
    """Constants of the solvers without derivatives, and of the Kalman filter.

    Parameters
    ----------
    initial_temperature : float, default 0.1
        Of annealing: the first temperature, as a share of the first loss. A change that raises the loss by d
        is accepted with probability exp(-d / temperature).
    cooling : float, default 0.95
        Of annealing: factor of the temperature after each iteration of 50 proposals.
    population_size : int, default 50
        Of genetic: number of weight vectors, of which the two best survive each iteration unchanged.
    mutation_rate : float, default 0.3
        Of genetic: probability that a weight of a child is changed at random.
    initial_variance : float, default 1.0
        Of kalman: variance of each weight before the first row; the larger, the further the first rows move
        the weights.
    observation_noise : float, default 1.0
        Of kalman: variance of the targets around the outputs; the larger, the less a single row changes.
    """

    initial_temperature: Annotated[float, Range(low=0.0)] = 0.1
    cooling: Annotated[float, Range(low=0.0, high=1.0, open_low=True)] = 0.95
    population_size: Annotated[int, Range(low=3)] = 50
    mutation_rate: Annotated[float, Range(low=0.0, high=1.0)] = 0.3
    initial_variance: Annotated[float, Range(low=0.0, open_low=True)] = 1.0
    observation_noise: Annotated[float, Range(low=0.0, open_low=True)] = 1.0


@parameter_group
class Watching:
    """When training stops, and how often it starts.

    Parameters
    ----------
    max_iter : int, default 200
        Maximum number of iterations; of epochs, with sgd and adam.
    tol : float, default 0.0001
        Solvers without a criterion of their own stop when the loss has not improved by this much for
        `n_iter_no_change` iterations; conjugate_gradient, lbfgs, newton and levenberg_marquardt when no
        derivative is larger.
    n_iter_no_change : int or inf, default 10
        Iterations without improvement before training stops; infinitely many never stop it.
    early_stopping : bool, default False
        Whether to keep rows aside, stop when the score on them no longer improves, and return the weights
        with the best score.
    validation_fraction : float, default 0.1
        Share of the rows that is kept aside; equal rows stay together.
    restarts : int, default 0
        Further starts from other weights; the best result is kept, by the score on rows kept aside or by the
        loss.
    warm_start : bool, default False
        Start from the weights of the previous fit, if structure and classes are the same.
    """

    max_iter: MaxIter = 200
    tol: Tol = 1e-4
    n_iter_no_change: Annotated[int, Range(low=1)] | Annotated[float, Range(math.inf, math.inf)] = 10
    early_stopping: bool = False
    validation_fraction: Annotated[float, Range(low=0.0, high=1.0, open_low=True, open_high=True)] = 0.1
    restarts: Annotated[int, Range(low=0)] = 0
    warm_start: bool = False
