"""Diversity: how much classifiers that are to be combined differ."""
