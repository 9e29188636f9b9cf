"""Distances that are learned from pairs of rows."""
