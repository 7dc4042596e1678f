"""One exam: a task on a computer from its beginning to the verdict, watched and recorded."""
