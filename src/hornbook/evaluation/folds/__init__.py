"""Fit these rows, predict those, score: what compare, curves, tuning and studies share."""
