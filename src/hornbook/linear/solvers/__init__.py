"""Objectives and the sums over rows that they need, and the solvers that minimize them."""
