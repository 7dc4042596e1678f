"""Other people's task files: read as they are, and put into our words or refused with the reason."""
