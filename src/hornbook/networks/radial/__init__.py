"""Radial basis function networks: the functions, where their centers come from, and the output weights."""
