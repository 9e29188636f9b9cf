"""How `describe`, `working` and `plot` present Bayes classifiers."""
