"""Parts of `OutlierEnsemble`: the scores of its methods, and their distributions."""
