"""One reader for what an answer, a letter or a note asserts, and of what."""
