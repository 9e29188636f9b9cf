"""Plots of samples: drawn again, weighted, permuted, and what an estimate from them may be."""
