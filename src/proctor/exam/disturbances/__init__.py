"""Kinds of disturbances, one file per family: events that a run adds to any task."""
