"""Fitted models: boundaries, trees, coefficients, densities."""
