"""One exam: a task on a computer, from its beginning to the verdict, with those who watch and what is recorded."""
