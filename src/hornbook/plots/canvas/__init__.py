"""The building blocks of plots: axes, legends, colors, text, lines and bars."""
