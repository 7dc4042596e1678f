"""Recording: a person works on a live desktop, and what they do becomes an episode."""
