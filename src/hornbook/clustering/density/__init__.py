"""Clusters where rows lie close together: core rows, what can be reached from them, and noise."""
