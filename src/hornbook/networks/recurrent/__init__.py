"""Recurrent networks: rows as sequences, backpropagation through time, and the learners."""
