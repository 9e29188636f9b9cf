"""Studies without a target that say which rows are unusual."""
