"""Other people's task files: read as they are, put into Proctor's own words, or refused with the reason."""
