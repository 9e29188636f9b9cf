"""Curves: measures as a function of a threshold, of the number of rows, or of a parameter."""
