"""What pictures are made of: axes, legends, colors, text, lines and bars."""
