"""Learning vector quantization: where prototypes begin, how they move, and how they are shown."""
