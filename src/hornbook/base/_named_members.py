"""A list of named learners as a parameter: their own parameters are set by name, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from sklearn.utils import Bunch

from hornbook._scikit import BaseEstimator
from hornbook.params import ParameterError, Shape

__all__ = ["DROP", "NamedMembers"]

DROP = "drop"  # in place of a learner: leave it out


class NamedMembers(BaseEstimator):
    """Base of learners with a parameter ``estimators``, a list of pairs of a name and a learner.

    ``set_params(tree__max_depth=3)`` reaches the learner with the name "tree", ``set_params(tree="drop")``
    replaces it.
    """

    estimators: Sequence[tuple[str, Any]]

    estimators_: Annotated[list[Any], Shape("n_members")]
    member_names_: Annotated[list[str], Shape("n_members")]

    @property
    def named_estimators(self) -> Bunch:
        """The learners by name, as they were passed."""
        return Bunch(**dict(self.estimators))

    @property
    def named_estimators_(self) -> Bunch:
        """The fitted members by name."""
        return Bunch(**dict(self._named()))

    def _named(self) -> list[tuple[str, Any]]:
        return list(zip(self.member_names_, self.estimators_, strict=True))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters.

        Parameters
        ----------
        deep : bool, default True
            Whether to include the members by name, and their parameters as ``name__parameter``.

        Returns
        -------
        params : dict
            Values by name.
        """
        params = super().get_params(deep=deep)
        if deep:
            for name, estimator in self._pairs():
                # As in scikit-learn, a member itself is a parameter by its name, so that a grid can exchange
                # it.
                params[name] = estimator
                if hasattr(estimator, "get_params") and not isinstance(estimator, type):
                    params |= {f"{name}__{key}": value for key, value in estimator.get_params().items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, members by name, and parameters of members as ``name__parameter``.

        Parameters
        ----------
        **params : object
            Values by name.

        Returns
        -------
        self : object
            The learner.
        """
        # The list first: other parameters may name members of the new one.
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        names = [name for name, _ in self._pairs()]
        replaced = {name: params.pop(name) for name in names if name in params}
        if replaced:
            self.estimators = [(name, replaced.get(name, estimator)) for name, estimator in self.estimators]
        super().set_params(**params)
        return self

    def _pairs(self) -> list[tuple[str, Any]]:
        """The pairs; nothing where the parameter is something else, which `fit` reports."""
        known = self.estimators if isinstance(self.estimators, list | tuple) else ()
        return [pair for pair in known if _is_pair(pair)]

    def _members(self) -> list[tuple[str, Any]]:
        """The named learners without those that are dropped, checked."""
        kind = type(self).__name__
        pairs = self.estimators
        if not isinstance(pairs, list | tuple) or not pairs or not all(map(_is_pair, pairs)):
            raise ParameterError(
                f"{kind}: Invalid 'estimators' attribute, 'estimators' should be a non-empty list of "
                f"(string, estimator) tuples, such as [('bayes', NaiveBayes())]; got {pairs!r}."
            )
        names = [name for name, _ in pairs]
        # A member called like a parameter could not be reached by `set_params`.
        taken = set(super().get_params(deep=False))
        for name in names:
            if names.count(name) > 1 or name in taken or "__" in name:
                problem = (
                    "occurs more than once"
                    if names.count(name) > 1
                    else "contains '__', which separates names"
                    if "__" in name
                    else "is the name of a parameter"
                )
                raise ParameterError(
                    f"{kind}: in parameter 'estimators' the name {name!r} {problem}: choose another name."
                )
        kept = [(name, estimator) for name, estimator in pairs if not _is_dropped(estimator)]
        if not kept:
            raise ParameterError(
                f"{kind}: All estimators are dropped. At least one is required to be an estimator."
            )
        return kept


def _is_pair(pair: object) -> bool:
    return isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str)


def _is_dropped(estimator: object) -> bool:
    return isinstance(estimator, str) and estimator == DROP
