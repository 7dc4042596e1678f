"""Trajectories of others, made into records that are read like our own."""
