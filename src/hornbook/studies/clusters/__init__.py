"""Studies without a target: which clustering of a table to trust, and what its clusters are."""
