"""Clusters of clusters: trees that are made by merging the two nearest, again and again."""
