"""Applications for Proctor, a folder each."""
