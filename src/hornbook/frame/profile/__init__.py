"""What is in the columns of a table, and what is odd about it."""
