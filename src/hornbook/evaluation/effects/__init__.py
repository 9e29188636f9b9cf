"""How predictions depend on the columns: contributions to single predictions, and effects over many rows."""
