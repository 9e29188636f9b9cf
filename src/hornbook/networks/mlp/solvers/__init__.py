"""The ways to train a network: each a generator of ever better weights."""
