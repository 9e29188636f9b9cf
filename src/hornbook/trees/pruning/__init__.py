"""How grown trees become smaller: by cost of leaves, by held-out rows, by pessimistic errors."""
