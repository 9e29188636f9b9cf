"""Members of one learner that differ by the rows and columns they learn from, and answer together."""
