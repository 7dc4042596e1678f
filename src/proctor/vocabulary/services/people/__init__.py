"""People who are asked in a chat or by email."""
