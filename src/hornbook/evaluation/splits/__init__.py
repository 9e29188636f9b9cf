"""How rows are cut into parts to learn from and to test on."""
