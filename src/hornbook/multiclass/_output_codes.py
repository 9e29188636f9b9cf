"""Error-correcting output codes (Dietterich and Bakiri 1995; Allwein, Schapire and Singer 2000)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.base import Classifier, Code, Term, one_vs_one, one_vs_rest
from hornbook.multiclass._codes import checked_code, exhaustive, is_split, random_code
from hornbook.multiclass._decomposed import Decomposed
from hornbook.params import Floats, Range, Seed, Tune
from hornbook.random import seed_of

__all__ = ["OutputCodes"]

Decoding = Literal["hamming", "euclidean", "hinge", "logistic", "exponential"]

HIGHEST = 500.0  # of an exponent: products of two such exponentials are still finite

# Loss-based decoding: the loss of a cell of the code when the member's score times the cell is z.
LOSSES: dict[str, Callable[[Floats], Floats]] = {
    "hamming": lambda z: (1 - np.sign(z)) / 2,
    "hinge": lambda z: np.maximum(1 - z, 0),
    "logistic": lambda z: np.logaddexp(0, -z),
    "exponential": lambda z: np.exp(np.minimum(-z, HIGHEST)),
}


class OutputCodes(Decomposed, Classifier):
    """Each class has a code word of +1 and -1, each member learns one position; the nearest word wins.

    Members may err: a code whose words differ in many positions corrects their errors. One-vs-one and
    one-vs-rest are codes, too. Ties go to the first class. Fitting takes one fit of the member for each
    position, 2^(k-1) - 1 of them in the exhaustive code of k classes, and grows with rows, columns and
    categories as the member does.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        The binary learner; `LogisticRegression` when left out.
    code : {"exhaustive", "random", "one_vs_rest", "one_vs_one"} or array-like, default "random"
        Every split of the classes (2^(k-1) - 1 members, for at most 10 classes); the one of 100 random codes
        whose words differ most; or a table of -1, 0 and +1 with a row for each class and a column for each
        member, which ignores classes at 0.
    code_size : float, default 1.5
        Members of a random code for each class.
    unused : float, default 0.0
        Probability of 0 in a random code: above 0 the code is ternary.
    decoding : {"hamming", "euclidean", "hinge", "logistic", "exponential"}, default "hamming"
        Distance of the predictions f from a word m: the number of places where the sign differs (a 0 counts
        half), sum of (1 - sign(m f)) / 2; the Euclidean distance of the signs; or, with the scores f, the sum
        of max(0, 1 - m f), log(1 + exp(-m f)) or exp(-m f).
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    code_ : ndarray of shape (n_classes, n_members)
        The code.
    estimators_ : list of learners
        The members.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    OneVsRest : One member for each class.
    OneVsOne : One member for each pair of classes.

    Examples
    --------
    >>> from hornbook import OutputCodes, datasets
    >>> model = OutputCodes(code="exhaustive", decoding="logistic").fit(datasets.iris())
    >>> model.code_.tolist()
    [[1, 1, 1], [-1, -1, 1], [-1, 1, -1]]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "one model of the member for each place of a code"
    objective = "that of the member, for each split of the classes"
    optimizer = "that of the member"

    def __init__(
        self,
        estimator: Any = None,
        *,
        code: Literal["exhaustive", "random", "one_vs_rest", "one_vs_one"] | ArrayLike = "random",
        code_size: Annotated[float, Range(low=0.0, open_low=True), Tune(1.0, 5.0)] = 1.5,
        unused: Annotated[float, Range(low=0.0, high=1.0, open_high=True)] = 0.0,
        decoding: Decoding = "hamming",
        random_state: Seed = None,
    ) -> None:
        self.estimator = estimator
        self.code = code
        self.code_size = code_size
        self.unused = unused
        self.decoding = decoding
        self.random_state = random_state

    def _make_code(self, k: int) -> Code:
        if not isinstance(self.code, str):
            whole = self._all_classes()
            code = checked_code(self.code, whole.tolist())[np.isin(whole, self.classes_)]
            # Without some of the classes, a column may have lost one of its sides.
            return code[:, is_split(code)]
        if self.code == "random":
            return random_code(k, self.code_size, self.unused, seed_of(self.random_state))
        makers = {"exhaustive": exhaustive, "one_vs_rest": one_vs_rest, "one_vs_one": one_vs_one}
        return makers[self.code](k)

    def _losses(self, scores: Floats) -> Floats:
        """The loss of each class at each position: rows, classes, positions."""
        if self.decoding == "euclidean":
            return np.asarray((np.sign(scores)[:, None, :] - self.code_) ** 2)
        return LOSSES[self.decoding](scores[:, None, :] * self.code_)

    def distances(self, X: Any) -> Floats:
        """Return the distance of the predictions for each row from the code word of each class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        distances : ndarray of shape (n_rows, n_classes)
            As ``decoding`` says; the smallest wins.
        """
        total = self._hook("_losses", self._hook("_scores", self._prepared(X))).sum(axis=2)
        return self._spread(np.sqrt(total) if self.decoding == "euclidean" else total, np.inf)

    def _joined(self, scores: Floats) -> Floats:
        return np.asarray(-self._losses(scores).sum(axis=2))

    def _terms(self, scores: Floats) -> list[Term]:
        costs = self._losses(scores[None, :])[0].T
        distance = "squared distance" if self.decoding == "euclidean" else f"{self.decoding} distance"
        return [
            Term(f"less the {distance} in place {j + 1} ({name}: {score:+.4g})", (-cost).tolist())
            for j, (name, score, cost) in enumerate(zip(self._names(), scores, costs, strict=True))
        ]
