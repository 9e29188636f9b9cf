"""Decomposition of the error into noise, bias and variance, and the expected risk."""
