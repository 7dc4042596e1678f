"""Companions of episodes, one file each."""
