"""Plots in three dimensions: surfaces, feature spaces, planes and cubes."""
