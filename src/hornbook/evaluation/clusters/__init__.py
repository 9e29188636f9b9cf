"""How good a clustering is: against a reference, and by the distances of the rows themselves."""
