"""What templates and subtasks share: sequences of moves, the people and pictures they are about; no templates."""
