"""Significance tests: whether a difference is larger than chance explains."""
