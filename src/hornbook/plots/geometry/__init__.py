"""Distances in the plane: hyperplanes and neighborhoods."""
