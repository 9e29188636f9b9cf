"""Plots of searches for a root or an extremum, step by step, and of constraints."""
