"""Processes and results as schemes: folds, algorithms, tables of words, votes, an analogy."""
