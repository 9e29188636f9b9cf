"""Bayes classifiers in words and plots: what `describe`, `working` and `plot` show."""
