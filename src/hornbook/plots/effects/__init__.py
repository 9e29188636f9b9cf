"""How predictions depend on the columns: contributions row by row, and effects over many rows."""
