"""Curves over thresholds, rows, iterations and parameters."""
