"""The desktop as it looks and acts, whichever program is in use."""
