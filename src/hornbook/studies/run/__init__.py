"""The work itself: folds, workers, records, and what follows from them."""
