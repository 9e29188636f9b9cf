"""Networks of threshold units that are constructed, not trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Classifier, Description, Table, Term, Working
from hornbook.display import Cell
from hornbook.linear import require_classes
from hornbook.networks.threshold._construction import all_of, any_of, layers_of_tree
from hornbook.networks.threshold._formulas import terms_of_formula
from hornbook.networks.threshold._layers import ThresholdLayers, Units
from hornbook.networks.threshold._plot import draw
from hornbook.networks.threshold._regions import checked_codes, occupied_codes, separating_unit
from hornbook.params import Floats, MaxDepth
from hornbook.trees import DecisionTreeClassifier

__all__ = ["ThresholdNetwork"]


class ThresholdNetwork(Classifier):
    """Network of threshold units: hyperplanes, regions between them, and the classes of regions.

    The units of the first layer say on which side of a hyperplane a row is, those of the second in which
    region, and the last layer which class the region has. Weights are designed, not learned by descent:
    given, made of regions or formulas, or read off a decision tree of the rows ("entropy net", Sethi 1990),
    which classifies all training rows correctly when it may grow. scikit-learn has no such network.

    `fit` needs all rows in memory, because that tree cuts between all distinct values of a column; layers
    that are given, or made by `from_regions` and `from_dnf`, need no rows at all.

    Parameters
    ----------
    layers : ThresholdLayers, optional
        The layers. `fit` then only learns the names of the columns and the classes: the one output says
        whether a row has the second of two classes, or there is an output for each class. When left out,
        the layers are made of a decision tree.
    units : {"binary", "bipolar"}, default "binary"
        The output of a unit: 1 if Σ w x - t > 0, else 0 or, bipolar, -1.
    max_depth : int, optional, default 8
        Most splits between the root of the tree and a leaf; as many as it takes when None. A tree of d levels
        makes up to 2^d - 1 hyperplanes and 2^d regions.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    layers_ : ThresholdLayers
        Weights and thresholds.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    Perceptron : A linear classifier that learns from its mistakes.
    MLPClassifier : Layers of units for classes.

    Examples
    --------
    >>> from hornbook import ThresholdNetwork
    >>> xor = ThresholdNetwork.from_dnf("x1 & ~x2 | ~x1 & x2")
    >>> xor.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist()
    [0, 1, 1, 0]
    >>> xor.layers_.sizes.tolist(), xor.n_parameters
    ([2, 2, 1], 9)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"

    model_class = "hyperplanes, regions between them, and their classes"
    objective = "training rows in regions of their class"
    optimizer = "construction, from hyperplanes, formulas or a decision tree"

    layers_: ThresholdLayers

    def __init__(
        self,
        layers: ThresholdLayers | None = None,
        *,
        units: Units = "binary",
        max_depth: MaxDepth = 8,
    ) -> None:
        self.layers = layers
        self.units = units
        self.max_depth = max_depth

    @classmethod
    def from_regions(
        cls,
        weights: ArrayLike,
        thresholds: ArrayLike,
        regions: Sequence[str],
        *,
        n_layers: Literal[2, 3] | None = None,
        units: Units = "binary",
        classes: Sequence[Any] = (0, 1),
        names: Sequence[str] | None = None,
    ) -> Self:
        """Make a network that fires in some of the regions between hyperplanes.

        Parameters
        ----------
        weights : array-like of shape (n_planes, n_columns)
            w of each hyperplane w·x = t.
        thresholds : array-like of shape (n_planes,)
            t of each.
        regions : sequence of str
            Codes of the regions of the second class: a digit for each hyperplane, 1 where w·x > t, else 0;
            for three layers also ``*``, where the side does not matter.
        n_layers : {2, 3}, optional
            With three layers any union of regions is possible: one unit for each region, and one that fires
            if any of these does. With two, the one unit behind the hyperplanes must separate the codes. The
            fewest possible when left out.
        units : {"binary", "bipolar"}, default "binary"
            The output of a unit that does not fire: 0 or -1.
        classes : sequence of two labels, default (0, 1)
            The classes: outside and inside the regions.
        names : sequence of str, optional
            Names of the columns.

        Returns
        -------
        network : ThresholdNetwork
            The network, ready to predict.
        """
        planes, ends = np.asarray(weights, dtype=np.float64), np.asarray(thresholds, dtype=np.float64)
        # Checked by the class itself, so that its messages are the same here.
        first = ThresholdLayers.of([(planes, ends)]).matrices()[0]
        terms = checked_codes("from_regions", regions, width=len(planes), gaps=True)
        if not len(terms):
            raise ValueError("from_regions: 'regions' must have at least one code; got none.")
        if n_layers not in (None, 2, 3):
            raise ValueError(f"from_regions: 'n_layers' must be 2, 3 or None; got {n_layers!r}.")
        unit = None
        if n_layers != 3:
            # Only cells that exist have to be told apart: n hyperplanes in d dimensions make far fewer than
            # 2^n regions (Cover 1965), so that one unit often suffices where it could not for all codes.
            occupied = occupied_codes(planes, ends)
            inside = [code for code in occupied if _is_among(code, regions)]
            outside = [code for code in occupied if not _is_among(code, regions)]
            unit = separating_unit(inside, outside, bipolar=units == "bipolar") if inside else None
        if unit is not None:
            last = (unit[0][None], np.array([unit[1]]))
            return cls._made(ThresholdLayers.of([first, last]), units, classes, names)
        if n_layers == 2:
            raise ValueError(
                "from_regions: no hyperplane separates the codes of these regions from the others, so two "
                "layers do not suffice: set n_layers=3."
            )
        # Any union of regions is a disjunction of conjunctions, so that three layers always suffice (Lippmann
        # 1987).
        members = np.ones((1, len(terms)), dtype=np.bool_)
        layers = ThresholdLayers.of([first, all_of(terms, units), any_of(members, units)])
        return cls._made(layers, units, classes, names)

    @classmethod
    def from_dnf(
        cls,
        formula: str | Sequence[str],
        *,
        units: Units = "binary",
        classes: Sequence[Any] = (0, 1),
        names: Sequence[str] | None = None,
    ) -> Self:
        """Make a network of two layers that computes a Boolean function in disjunctive normal form.

        Each conjunction is a unit of the first layer, and the unit behind them fires if any of these does.
        Every Boolean function has such a form; it may need a conjunction for every second combination.

        Parameters
        ----------
        formula : str or sequence of str
            For example ``"x1 & ~x2 | ~x1 & x2"`` (also ``and``, ``or``, ``not``); or codes of conjunctions
            such as ``["10", "01"]``, with ``*`` for variables that are absent.
        units : {"binary", "bipolar"}, default "binary"
            Whether variables and units are 0 and 1, or -1 and 1.
        classes : sequence of two labels, default (0, 1)
            The classes: false and true.
        names : sequence of str, optional
            The variables in the order of the columns, which get these names; the order in which they occur
            when left out.

        Returns
        -------
        network : ThresholdNetwork
            The network, ready to predict.
        """
        terms = terms_of_formula(formula, names)
        members = np.ones((1, len(terms)), dtype=np.bool_)
        layers = ThresholdLayers.of([all_of(terms, units), any_of(members, units)])
        return cls._made(layers, units, classes, names)

    @classmethod
    def _made(
        cls, layers: ThresholdLayers, units: Units, classes: Sequence[Any], names: Sequence[str] | None
    ) -> Self:
        """The network, fitted to nothing but names and classes."""
        labels, d = np.asarray(classes), int(layers.sizes[0])
        if labels.shape != (2,) or labels[0] == labels[1]:
            raise ValueError(f"{cls.__name__}: 'classes' must be two different labels; got {classes!r}.")
        # fit sorts classes, and the output unit speaks for the second.
        if labels[0] > labels[1]:
            raise ValueError(
                f"{cls.__name__}: 'classes' must be in sorted order, the second inside; got {classes!r}."
            )
        table: Any = np.zeros((2, d))
        if names is not None:
            if len(names) != d:
                raise ValueError(f"{cls.__name__}: 'names' must have {d} entries; got {len(names)}.")
            table = {str(name): [0.0, 0.0] for name in names}
        # A fit on two rows of zeros, one for each class, sets everything that fitted learners have, without a
        # second way to make one.
        return cls(layers, units=units).fit(table, labels)

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        k, name = len(self.classes_), type(self).__name__
        require_classes(np.ones(k), self.classes_, name)
        if self.layers is None:
            # The entropy network (Sethi 1990): inner nodes become the first layer, leaves the second, classes
            # the third.
            tree = DecisionTreeClassifier(criterion="entropy", max_depth=self.max_depth)
            tree.fit(X, y, sample_weight=w)
            self.layers_ = layers_of_tree(tree.nodes_, X.shape[1], k, self.units)
            return
        inputs, outputs = int(self.layers.sizes[0]), int(self.layers.sizes[-1])
        if inputs != X.shape[1]:
            raise ValueError(
                f"{name}: parameter 'layers' has {inputs} inputs, and the table has {X.shape[1]} encoded "
                "columns: the numbers must agree."
            )
        if outputs != (k if k > 2 else 1):
            raise ValueError(
                f"{name}: parameter 'layers' has {outputs} outputs, and the target {k} classes: there must "
                "be 1 output for 2 classes, and one for each of more."
            )
        self.layers_ = self.layers

    @property
    def n_parameters(self) -> int:
        """Number of weights and thresholds."""
        check_is_fitted(self)
        return len(self.layers_.weights) + len(self.layers_.thresholds)

    def vertex_codes(self, X: Any) -> NDArray[np.str_]:
        """Return on which sides of the hyperplanes rows lie.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        codes : ndarray of str of shape (n_rows,)
            A digit for each unit of the first layer: 1 where it fires, else 0.
        """
        fires = self.layers_.excesses(self._prepared(X), self.units)[0] > 0
        return np.array(["".join("01"[int(digit)] for digit in row) for row in fires])

    def layer_outputs(self, X: Any) -> list[Floats]:
        """Return the output of every unit.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        outputs : list of ndarray of shape (n_rows, n_units)
            One for each layer.
        """
        rows = self._prepared(X)
        return self.layers_.outputs(rows, self.units)

    def _decision(self, X: Floats) -> Floats:
        excess = self.layers_.excesses(X, self.units)[-1]
        return excess[:, 0] if excess.shape[1] == 1 else excess

    def _describe(self) -> Description:
        sizes = " - ".join(str(size) for size in self.layers_.sizes)
        low = "0" if self.units == "binary" else "-1"
        facts = {
            "units": f"1 if the weighted sum exceeds the threshold, else {low}",
            "weights and thresholds": self.n_parameters,
        }
        tables, names = [], [str(name) for name in self.encoded_names_]
        for k, (weights, thresholds) in enumerate(self.layers_.matrices()):
            rows: list[list[Cell]] = [
                [f"h{k + 1}.{i + 1}", *map(float, row), float(end)]
                for i, (row, end) in enumerate(zip(weights, thresholds, strict=True))
            ]
            tables.append(Table(f"Layer {k + 1}", ["unit", *names, "threshold"], rows))
            names = [f"h{k + 1}.{i + 1}" for i in range(len(weights))]
        return Description(f"Threshold network {sizes} for {len(self.classes_)} classes", facts, tables)

    def _working(self, X: Floats) -> Working:
        values: Floats = X[0]
        names = [str(name) for name in self.encoded_names_]
        if len(self.layers_) > 1:
            values = self.layers_.outputs(X, self.units)[-2][0]
            names = [f"h{len(self.layers_) - 1}.{i + 1}" for i in range(len(values))]
        weights, ends = self.layers_.matrices()[-1]
        if len(weights) == 1:  # two classes: the output is that of the second, the first has 0
            weights, ends = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, ends)
        terms = [Term("minus threshold", (0.0 - ends).tolist())]
        terms += [
            Term(f"{name} = {value:g}", (weights[:, j] * value).tolist())
            for j, (name, value) in enumerate(zip(names, values.tolist(), strict=True))
        ]
        title = "Threshold network: weights times outputs of the layer before, minus the threshold"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)


def _is_among(code: str, regions: Sequence[str]) -> bool:
    """Whether a code is one of the regions, in which ``*`` stands for both digits."""
    return any(all(wanted in ("*", digit) for wanted, digit in zip(r, code, strict=True)) for r in regions)
