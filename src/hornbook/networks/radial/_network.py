"""What both radial basis function networks are: parameters, fit, outputs, and how they are shown."""

from __future__ import annotations

import warnings
from dataclasses import field
from functools import partial
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from hornbook.base import Description, Learner, Table
from hornbook.display import Cell
from hornbook.frame import CHUNK, Blocks
from hornbook.networks._parameters import NetworkWork
from hornbook.networks.radial._basis import Basis, BasisKind
from hornbook.networks.radial._initialization import initial_centers, initial_widths, sample_of
from hornbook.networks.radial._output_weights import Recursive, solved_weights, target_moments
from hornbook.networks.radial._trained import NetworkCost
from hornbook.optimize import lbfgs
from hornbook.params import Finite, Floats, MaxIter, Range, Shape, Tol, Tune, parameter_group
from hornbook.random import seed_of

__all__ = ["RBFNetwork"]


@parameter_group
class RBFParameters:
    """Parameters of radial basis function networks.

    Parameters
    ----------
    n_centers : int
        Number of centers, at most as many as there are distinct rows. Not used where ``centers`` holds them.
    centers : {"kmeans", "random", "trained"} or array of shape (n_centers, n_encoded)
        Centers of clusters; distinct rows drawn at random; or centers that begin as those of clusters and
        then, with the widths and the output weights, minimize the squared error (L-BFGS). Or given ones.
    basis : {"gaussian", "inverse_quadratic"}
        The functions of the squared distance s: exp(-s / (2 width²)), or width² / (width² + s).
    width : {"nearest", "common"}, float or array of shape (n_centers,)
        Width of each function. ``"nearest"``: the mean distance to the two nearest other centers.
        ``"common"``: the largest distance between centers, divided by √(2 n_centers), for all. Or given ones.
    output : {"least_squares", "rls"}
        How output weights are found: at once, or by recursive least squares, row by row in their order, whose
        learning curve is in ``history_``.
    alpha : float
        Penalty on the squares of the output weights, added to the sum of squared errors. Where a network can
        choose, it takes the shortest of all least-squares solutions.
    delta : float
        For ``"rls"``: how much the initial output weights of 0 weigh against rows.
    max_iter : int
        Maximum number of steps that train centers, and of passes of recursive least squares.
    tol : float
        Training ends when no entry of the gradient is larger, in units of the spread of columns and target;
        recursive least squares when a pass changes no output weight by more than this share of the largest.
    """

    n_centers: Annotated[int, Range(low=1), Tune(5, 100, log=True)] = field(default=10, kw_only=False)
    centers: Literal["kmeans", "random", "trained"] | ArrayLike = "kmeans"
    basis: BasisKind = "gaussian"
    width: Literal["nearest", "common"] | Annotated[float, Range(low=0, open_low=True)] | ArrayLike = (
        "nearest"
    )
    output: Literal["least_squares", "rls"] = "least_squares"
    alpha: Annotated[float, Range(low=0), Tune(1e-6, 10.0, log=True)] = 0.0
    delta: Annotated[float, Range(low=0, open_low=True)] = 0.01
    max_iter: MaxIter = 200
    tol: Tol = 1e-4


class RBFNetwork(NetworkWork, RBFParameters, Learner):
    """Base of radial basis function networks.

    Attributes
    ----------
    centers_ : ndarray of shape (n_centers, n_encoded)
        The centers.
    widths_ : ndarray of shape (n_centers,)
        Their widths.
    coef_ : ndarray of shape (n_outputs, n_centers)
        Output weights of the functions.
    intercept_ : ndarray of shape (n_outputs,)
        The constants of the outputs.
    n_iter_ : int
        Number of steps and passes; 1 if all was solved at once.
    history_ : dict
        With trained centers the cost of each step; with recursive least squares the mean squared error of
        each pass, every row being predicted before it is learned.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of functions of the distance from centers"
    objective = "sum of squared errors"
    optimizer = "clusters or training for the centers, least squares for the output weights"

    centers_: Annotated[Floats, Shape("n_centers", "n_encoded"), Finite()]
    widths_: Annotated[Floats, Shape("n_centers"), Finite()]
    coef_: Annotated[Floats, Shape("n_scores", "n_centers"), Finite()]
    intercept_: Annotated[Floats, Shape("n_scores"), Finite()]
    n_iter_: int

    def _fit_network(self, blocks: Blocks) -> None:
        """Find centers, widths and output weights for the targets of these rows."""
        name, seed = type(self).__name__, seed_of(self.random_state)
        sample = sample_of(blocks, seed)
        # The cost is not convex in the centers, so that training begins where rows are (Moody and Darken
        # 1989).
        start = "kmeans" if isinstance(self.centers, str) and self.centers == "trained" else self.centers
        centers = initial_centers(start, self.n_centers, sample, seed, name)
        self._keep(Basis(self.basis, centers, initial_widths(self.width, centers, sample, name)))
        self.n_iter_ = 0
        trains = isinstance(self.centers, str) and self.centers == "trained"
        phases = [partial(self._train, blocks, _extent(sample.X))] if trains else []
        if self.output == "rls":
            phases.append(partial(self._present, blocks))
        # To callbacks, the iterations of two phases are tasks within these.
        both = len(phases) == 2
        for i in self.iterate(2, name="phase", inner=self.max_iter) if both else range(len(phases)):
            phases[i]()
        if self.output == "least_squares":
            self.coef_, self.intercept_ = solved_weights(blocks, self._basis(), self.alpha, name)
        self.n_iter_ = max(1, self.n_iter_)

    def _basis(self) -> Basis:
        return Basis(self.basis, self.centers_, self.widths_)

    def _keep(self, basis: Basis) -> None:
        self.centers_, self.widths_ = basis.centers, basis.widths

    def _train(self, blocks: Blocks, unit: float) -> None:
        """Move the centers and change the widths; each step is seen by callbacks."""
        targets = target_moments(blocks)
        scale = np.sqrt(targets.variance()[0])
        scale = np.where(scale > 0, scale, 1.0)
        # The output weights start at their optimum for the first centers, rather than at random.
        weights = solved_weights(blocks, self._basis(), self.alpha, type(self).__name__)
        mass = float(targets.mass[0, 0])
        cost = NetworkCost(blocks, self._basis(), unit or 1.0, targets.mean[0], scale, mass, self.alpha)
        steps = lbfgs(cost, cost.vector(self._basis(), *weights), tol=self.tol)
        at_rest = False
        for i in self.iterate(self.max_iter, name="step"):
            step = next(steps, None)
            at_rest = step is None or step.converged
            if step is not None:
                basis, self.coef_, self.intercept_ = cost.network(step.x)
                self._keep(basis)
                self.n_iter_ = i + 1
                self.record(cost=step.value)
            if at_rest:
                break
        if not at_rest and self.n_iter_ == self.max_iter:
            warnings.warn(
                f"{type(self).__name__}: parameter 'max_iter' = {self.max_iter} steps did not lower the "
                f"gradient to tol={self.tol:g}: raise one of them, scale the columns or lower n_centers.",
                ConvergenceWarning,
                stacklevel=10,
            )

    def _present(self, blocks: Blocks) -> None:
        """Learn the output weights row by row; each pass is seen by callbacks."""
        targets, basis = target_moments(blocks), self._basis()
        mean, mass = targets.mean[0], float(targets.mass[0, 0])
        self.coef_ = np.zeros((len(mean), len(self.centers_)))
        state = Recursive.start(len(self.centers_), len(mean), self.delta + self.alpha)
        trained = self.n_iter_
        for i in self.iterate(self.max_iter, name="pass"):
            state, before = state.after(blocks, basis, mean), self.coef_
            self.coef_, self.intercept_ = state.weights(mean)
            self.n_iter_ = trained + i + 1
            self.record(mse=state.errors / mass)
            # Each further pass adds the same rows once more, so that the start is believed less and less and
            # the coefficients converge to those of least squares.
            if np.abs(self.coef_ - before).max() <= self.tol * np.abs(self.coef_).max():
                break

    def _outputs(self, X: Floats) -> Floats:
        basis = self._basis()
        # In chunks: the functions of all rows at once may not fit into memory.
        parts = [basis.apply(X[start : start + CHUNK]) @ self.coef_.T for start in range(0, len(X), CHUNK)]
        return np.concatenate(parts) + self.intercept_

    def _describe_network(self, title: str, outputs: list[str]) -> Description:
        k, d = self.centers_.shape
        facts = {
            "functions": "Gaussian" if self.basis == "gaussian" else "inverse quadratic",
            "centers": self.centers if isinstance(self.centers, str) else "given",
            "output weights": "recursive least squares" if self.output == "rls" else "least squares",
        }
        head = ["center", *(str(name) for name in self.encoded_names_), "width"]
        places: list[list[Cell]] = [
            [i + 1, *map(float, center), float(width)]
            for i, (center, width) in enumerate(zip(self.centers_, self.widths_, strict=True))
        ]
        numbers = np.column_stack([self.intercept_, self.coef_]).T
        names: list[Cell] = ["constant", *range(1, k + 1)]
        weights: list[list[Cell]] = [
            [name, *map(float, row)] for name, row in zip(names, numbers, strict=True)
        ]
        tables = [Table("Centers", head, places), Table("Output weights", ["center", *outputs], weights)]
        return Description(f"{title} with {k} centers and {d} columns", facts, tables)


def _extent(X: Floats) -> float:
    """Root of the mean squared distance from the mean."""
    return float(np.sqrt(np.square(X - X.mean(axis=0)).sum(axis=1).mean()))
