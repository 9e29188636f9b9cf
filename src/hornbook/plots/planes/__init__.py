"""Plots of the plane: regions of lines, distances as contours, and turned axes."""
