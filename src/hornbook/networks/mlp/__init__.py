"""Multilayer perceptrons: the engine, what it minimizes, how it is trained, described and drawn."""
