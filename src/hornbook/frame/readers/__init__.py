"""Files as tables: which format, how it is written, in one piece or in batches."""
