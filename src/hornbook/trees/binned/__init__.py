"""Trees of binned columns, grown from rows in memory, in files or on other machines alike."""
