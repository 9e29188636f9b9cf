"""Plots of clusters: rows in the plane, the tree of an agglomeration, distances to neighbors."""
