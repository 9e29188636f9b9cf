"""Plots of clusters: rows in the plane, memberships, the tree of an agglomeration, distances to neighbors."""
