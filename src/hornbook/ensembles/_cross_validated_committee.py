"""Cross-validated committees: the models of a cross-validation, kept and combined."""

from __future__ import annotations

from hornbook.ensembles.bagging._fold_members import FoldMembers
from hornbook.ensembles.bagging._parameters import FoldParameters, MemberVotes
from hornbook.params import declared

__all__ = ["CrossValidatedCommittee"]


@declared
class CrossValidatedCommittee(MemberVotes, FoldParameters, FoldMembers):
    """The models of a k-fold cross-validation, kept and combined with equal weights.

    Every member has seen all rows but those of one fold (Parmanto, Munro and Doyle 1996), so members differ
    less than those of bagging and each is better. scikit-learn has no such learner. Which rows share a fold
    depends on the seed and on their content, not on their order; equal rows are in the same fold, and classes
    are spread evenly. It takes a fit of the member for each fold.

    Attributes
    ----------
    estimators_ : list of learners
        The members; those for classes were fitted on positions in ``classes_``.
    fold_errors_ : ndarray of shape (n_members,)
        Error of each member (share of wrong classes, mean squared error) on the fold that it has not seen.
        Their mean is the cross-validated error of the member, as a rule above that of the committee.
    sample_sizes_ : ndarray of shape (n_members,)
        Number of rows that each member has seen.
    classes_ : ndarray of shape (n_classes,)
        The classes, if the members predict classes.
    seed_ : int
        Seed of the draws.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    BaggingClassifier : Members of any kind on drawn rows, which vote.
    BaggingRegressor : Mean of members of any kind on drawn rows.

    Examples
    --------
    >>> from hornbook import CrossValidatedCommittee, NaiveBayes, datasets
    >>> model = CrossValidatedCommittee(NaiveBayes(), cv=5, random_state=0).fit(datasets.iris())
    >>> len(model.estimators_), model.predict(datasets.iris()[[0, 149]]).tolist()
    (5, ['setosa', 'virginica'])
    """

    model_class = "as many models of the member as there are folds"
    objective = "that of the members, on all folds but one"
    optimizer = "that of the members"
