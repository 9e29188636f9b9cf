"""Plots of principal components."""
