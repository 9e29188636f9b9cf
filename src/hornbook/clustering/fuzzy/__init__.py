"""Clusters to which rows belong by degrees.

Transforms of memberships, memberships from distances, prototypes with or without a shape, the sums over rows
of one pass, and the two learners.
"""
