"""Hyperplanes, margins, and the curves that polynomial kernels draw in the plane."""
