"""Running a study: folds, workers, records, and the verdict."""
