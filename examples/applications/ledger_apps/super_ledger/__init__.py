"""A program for account books of one line per entry."""
