"""Curves: thresholds, rows, rounds and parameters."""
