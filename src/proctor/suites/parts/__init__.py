"""What templates and subtasks share: moves, and the people and pictures they are about."""
