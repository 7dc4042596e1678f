"""Exports of a run in formats that others read, one file each."""
