"""Bayes classifiers in words and pictures: what `describe`, `working` and `plot` are made of."""
