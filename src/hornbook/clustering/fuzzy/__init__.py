"""Clusters to which rows belong by degrees: fuzzy c-means and its relatives."""
