"""Dialects: the forms in which models write actions, each a translator to and from the closed set."""
