"""Studies in the terminal: one read back from its folder, and two side by side."""
