"""How rows, targets and weights come to a learner: checked, and as what its hooks want."""
