"""Plots of clusters: rows in the plane, degrees of membership, the tree of an agglomeration, distances to neighbors."""
