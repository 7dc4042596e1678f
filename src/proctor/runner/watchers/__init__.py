"""Watchers that a run adds to its exams, one file each."""
