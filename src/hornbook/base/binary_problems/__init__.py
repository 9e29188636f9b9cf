"""Many classes from two at a time: codes, votes, coupled probabilities, and sigmoids for scores."""
