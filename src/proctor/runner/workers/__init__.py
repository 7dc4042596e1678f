"""Workers: where episodes are held, on this machine or on many."""
