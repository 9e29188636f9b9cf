"""What multilayer perceptrons for classes and for numbers have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook._scikit import available_if
from hornbook.base import Accepts, Description, Predictor, Table, one_row
from hornbook.frame import Block, Blocks
from hornbook.losses import Loss
from hornbook.networks._parameters import NetworkWork
from hornbook.networks.mlp._checks import check_network, check_parameters, hidden_sizes, refuse_unless
from hornbook.networks.mlp._costs import loss_of
from hornbook.networks.mlp._description import NetworkWorking, described
from hornbook.networks.mlp._growth import GrowthPlan, grown
from hornbook.networks.mlp._initialization import initialized, resumed, retargeted, thinned
from hornbook.networks.mlp._minibatch import EpochState, TrainingRows, run_epoch
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._parameters import Descent, Search, Shrinkage, Structure, Watching
from hornbook.networks.mlp._plot import draw
from hornbook.networks.mlp._pruning import PruneKind, PruningPlan, pruned, saliency_table
from hornbook.networks.mlp._saturation import warn_saturated
from hornbook.networks.mlp._training import TrainingOutcome, decay_of, options_of, score_of, trained
from hornbook.networks.mlp.solvers._solvers import BY_BATCHES
from hornbook.params import Floats, Shape
from hornbook.random import seed_of

__all__ = ["MultilayerPerceptron", "takes_batches"]


def takes_batches(learner: Any) -> bool:
    """Whether more rows can be learned: solvers that take all rows at once would forget those before."""
    return learner.solver in BY_BATCHES


class MultilayerPerceptron(NetworkWork, Watching, Search, Descent, Shrinkage, Structure, Predictor):
    """A feed-forward network: its structure, its training, and its methods.

    Attributes
    ----------
    network_ : Network
        Structure and weights.
    coefs_ : list of ndarray of shape (n_inputs, n_units)
        The weights of each layer.
    intercepts_ : list of ndarray of shape (n_units,)
        The constants of each layer.
    n_layers_ : int
        Number of layers, inputs and outputs among them.
    n_outputs_ : int
        Number of output units.
    out_activation_ : str
        The function of the output units.
    cost_ : Loss
        The cost of a row as a loss, which says whether it is ``well_formed``.
    n_iter_ : int
        Number of iterations of the start that was kept.
    loss_ : float
        The objective in the last of them.
    best_loss_ : float or None
        The smallest of them; None with early stopping.
    loss_curve_ : list of float
        The objective in each of them.
    validation_scores_ : list of float or None
        Accuracy, or R², of the rows kept aside; None without early stopping.
    best_validation_score_ : float or None
        The largest of them.
    t_ : int
        Number of rows seen by the solver.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    history_ : dict
        What callbacks saw, of all starts.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True
    title: ClassVar[str]

    optimizer = "backpropagation with one of many solvers, from random weights"

    loss: str
    out_activation: str

    network_: Network
    n_iter_: int
    loss_: float
    best_loss_: float | None
    loss_curve_: list[float]
    validation_scores_: list[float] | None
    best_validation_score_: float | None
    t_: int
    moments_: Annotated[Floats, Shape(2, "n_weights")]
    steps_: int

    # Of regressors: a prediction is offset plus scale times output, and has the dimensions of the target.
    target_offset_: Annotated[Floats, Shape("n_targets")]
    target_scale_: Annotated[Floats, Shape("n_targets")]
    vector_target_: bool

    # What the kinds of learners say: the output unit, rows with target matrices, names of the outputs.
    _output: Callable[[], str]
    _with_targets: Callable[[Blocks], Blocks]
    _output_names: Callable[[], list[str]]
    _n_outputs: Callable[[], int]
    _one_target: Callable[[Any], Floats]
    _network_working: Callable[[Floats, Floats | None], NetworkWorking]

    @property
    def coefs_(self) -> list[Floats]:
        """The weights of each layer."""
        return [matrix for matrix, _ in self.network_.split()]

    @property
    def intercepts_(self) -> list[Floats]:
        """The constants of each layer."""
        return [constants for _, constants in self.network_.split()]

    @property
    def n_layers_(self) -> int:
        """Number of layers, inputs and outputs among them."""
        return len(self.network_.sizes)

    @property
    def n_outputs_(self) -> int:
        """Number of output units."""
        return int(self.network_.sizes[-1])

    @property
    def out_activation_(self) -> str:
        """The function of the output units."""
        return self.network_.output

    @property
    def cost_(self) -> Loss:
        """The cost of a row as a loss, which says whether it is ``well_formed``."""
        return loss_of(self.network_.cost, self.network_.output, self.n_outputs_)

    def _forget(self) -> None:
        kept = None
        if self.warm_start and hasattr(self, "network_"):
            kept = (self.network_, getattr(self._core(), "classes_", None))
        super()._forget()
        self._before = kept

    def _blank(self) -> Network:
        """The structure that the parameters ask for."""
        output = self._output()
        check_parameters(self, output)
        sizes = [len(self.encoded_names_), *hidden_sizes(self), self._n_outputs()]
        network = Network.blank(sizes, self.activation, output, self.loss, self.slope, self.amplitude)
        check_network(self, network)
        return network

    def _fit_blocks(self, blocks: Blocks) -> None:
        before = vars(self).pop("_before", None)
        blank = self._blank()
        blocks = self._with_targets(blocks)
        warm = None if before is None else resumed(before, blank, getattr(self, "classes_", None))
        outcome = trained(self, blocks, blank, seed_of(self.random_state), warm)
        self._keep(outcome)
        self.t_ = self.n_iter_ * blocks.n_rows
        warn_saturated(self, self.network_, blocks)

    def _keep(self, outcome: TrainingOutcome) -> None:
        """Make the learner a usable model, as callbacks see it between iterations."""
        self.network_ = outcome.network
        self.n_iter_ = outcome.n_iter
        self.loss_curve_ = outcome.losses
        self.loss_ = outcome.losses[-1] if outcome.losses else float("inf")
        self.best_loss_ = None if self.early_stopping else outcome.best_loss
        self.validation_scores_ = outcome.scores if self.early_stopping else None
        self.best_validation_score_ = outcome.best_score if self.early_stopping else None

    @available_if(takes_batches)
    def _partial_fit(self, blocks: Blocks) -> None:
        self._learn_more(blocks)

    def _learn_more(self, blocks: Blocks) -> None:
        seed = seed_of(self.random_state)
        if not hasattr(self, "network_"):
            thin = thinned(self._blank(), self.deleted_connections, self.deleted_units, seed, 0)
            self._keep(TrainingOutcome(initialized(thin, self.initialization, seed, 0)))
            self.t_ = 0
        else:
            self.network_ = retargeted(self.network_, self._blank(), type(self).__name__)
        blocks = self._with_targets(blocks)
        state = EpochState.at(self.network_.weights)
        if hasattr(self, "moments_"):
            first, second = self.moments_.copy()
            state = EpochState(self.network_.weights.copy(), first, second, self.steps_)
        moving = "nesterov" if self.nesterovs_momentum else "momentum"
        rule = "adam" if self.solver == "adam" else moving if self.momentum > 0 else "gradient"
        options = options_of(self, self.network_, blocks.n_rows, seed, 0)
        loss = run_epoch(
            TrainingRows(blocks), self.network_, decay_of(self), rule, state, options, self.n_iter_
        )
        # Looked at before anything is kept: a network with NaN could never recover.
        if not (np.isfinite(loss) and np.isfinite(state.weights).all()):
            raise ValueError(
                f"{type(self).__name__}: the loss of these rows is not finite: lower 'learning_rate_init' = "
                f"{self.learning_rate_init:g}, or scale the columns; the weights are kept as they were."
            )
        self.network_ = self.network_.with_weights(state.weights)
        self.moments_ = np.stack([state.first, state.second])
        self.steps_, self.loss_, self.loss_curve_ = state.steps, loss, [*self.loss_curve_, loss]
        if self.best_loss_ is not None:
            self.best_loss_ = min(self.best_loss_, loss)
        self.n_iter_ += 1
        self.t_ += blocks.n_rows

    def _rows_to_train_on(self, X: Any, y: Any, sample_weight: Any) -> Blocks:
        """Rows with target matrices, checked against the fit."""
        check_is_fitted(self)
        part = self._whole_table(X, y, sample_weight)
        block = Block(self._prepared(part.X), self._known_target(part.y), part.w)
        return self._with_targets(Blocks.of(block, self.schema_, self._threads()))

    _known_target: Callable[[Any], NDArray[Any]]

    def _score_of(self, network: Network, blocks: Blocks) -> float:
        return score_of(self, network, blocks)[0]

    def saliencies(self, X: Any, y: Any, kind: PruneKind = "saliency", *, sample_weight: Any = None) -> Table:
        """List the connections by how much they matter, those first that `prune` would remove first.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,)
            Their target.
        kind : {"saliency", "small"}, default "saliency"
            h w² / 2, about the rise of the objective without the connection, or its size.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        table : Table
            Where each connection begins and ends, its weight and its saliency.
        """
        refuse_unless(kind in ("saliency", "small"), "kind", kind, "'saliency' or 'small'")
        blocks, names, core = (
            self._rows_to_train_on(X, y, sample_weight),
            self.encoded_names_.tolist(),
            self._core(),
        )
        return saliency_table(core, self.network_, blocks, kind, names, core._output_names())  # noqa: SLF001

    def prune(
        self,
        X: Any,
        y: Any,
        kind: PruneKind = "saliency",
        *,
        share: float = 0.1,
        rounds: int = 20,
        max_iter: int = 50,
        tolerance: float = 0.0,
        sample_weight: Any = None,
    ) -> Self:
        """Remove connections that hardly matter, train on, and repeat while the score of these rows is kept.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows to train on: those of the fit.
        y : array-like of shape (n_rows,)
            Their target.
        kind : {"saliency", "small"}, default "saliency"
            Which connections go first: those with the smallest h w² / 2, where h is the second derivative of
            the objective, or those with the smallest weights.
        share : float, default 0.1
            Share of the remaining connections that are removed in a round.
        rounds : int, default 20
            Maximum number of rounds.
        max_iter : int, default 50
            Maximum number of iterations of training before the first and after each round.
        tolerance : float, default 0.0
            By how much accuracy, or R², may fall below that of the fitted network; a round after which it
            falls further is undone, and the next ones remove half as much.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The learner. Removed connections stay removed, also when ``warm_start`` goes on from here.
        """
        refuse_unless(kind in ("saliency", "small"), "kind", kind, "'saliency' or 'small'")
        refuse_unless(0.0 < share < 1.0, "share", share, "a number in (0, 1)")
        refuse_unless(rounds >= 1 and max_iter >= 1, "rounds", rounds, "1 or more, as must 'max_iter'")
        blocks = self._rows_to_train_on(X, y, sample_weight)
        plan = PruningPlan(kind, share, rounds, max_iter, tolerance)
        self.network_ = pruned(self._core(), self.network_, blocks, seed_of(self.random_state), plan)
        # The moments of gradients belong to connections that may be gone.
        vars(self).pop("moments_", None)
        return self

    def grow(
        self,
        X: Any,
        y: Any,
        *,
        units: int = 1,
        max_units: int = 50,
        max_iter: int = 100,
        gain: float = 0.01,
        sample_weight: Any = None,
    ) -> Self:
        """Add units to the last hidden layer and train on, as long as the objective falls.

        New units begin with random weights to them and weights of 0 from them, so that the network still
        answers as before.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows to train on: those of the fit.
        y : array-like of shape (n_rows,)
            Their target.
        units : int, default 1
            Units that are added at a time.
        max_units : int, default 50
            The largest size of the layer.
        max_iter : int, default 100
            Maximum number of iterations of training before the first and after each addition.
        gain : float, default 0.01
            Share of the objective by which it must fall; the first addition that gains less is undone, and
            is the last.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The learner.
        """
        refuse_unless(units >= 1 and max_iter >= 1, "units", units, "1 or more, as must 'max_iter'")
        refuse_unless(0.0 <= gain < 1.0, "gain", gain, "a number in [0, 1)")
        blocks = self._rows_to_train_on(X, y, sample_weight)
        if self.network_.depth < 2:
            raise ValueError(
                f"{type(self).__name__}.grow: there is no hidden layer to grow; fit with at least one unit, "
                "hidden_layer_sizes=(1,)."
            )
        plan = GrowthPlan(units, max_units, max_iter, gain)
        self.network_ = grown(self._core(), self.network_, blocks, seed_of(self.random_state), plan)
        vars(self).pop("moments_", None)
        return self

    def working(self, x: Any, y: Any = None) -> NetworkWorking:
        """Show how the answer for one row comes about, layer by layer.

        Parameters
        ----------
        x : dict, sequence, or table with one row
            The row.
        y : object, optional
            Its class or number: then the deltas of backpropagation are shown as well.

        Returns
        -------
        working : NetworkWorking
            Net inputs and outputs of all units and the terms of the last sum; prints as text, shows as HTML,
            and gives plain data by ``to_dict()``.
        """
        check_is_fitted(self)
        row, core = self._prepared(one_row(x, self.schema_)), self._core()
        target = None if y is None else core._one_target(y)  # noqa: SLF001 - the same learner
        return core._network_working(row, target)  # noqa: SLF001

    def _working(self, X: Floats) -> NetworkWorking:
        return self._network_working(X, None)

    def _describe(self) -> Description:
        title = f"{self.title} with layers {'-'.join(map(str, self.network_.sizes.tolist()))}"
        return described(self, title, self.network_, self._output_names())

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, self._output_names(), X, y, ax)
