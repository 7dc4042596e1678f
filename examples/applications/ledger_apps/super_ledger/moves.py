"""What a person does in the program."""

from proctor.actions.action import Press, Type
from proctor.tasks.move_context import MoveContext
from proctor.tasks.shelves import MOVES


@MOVES.register
def book_entry(context: MoveContext, entry: str) -> None:
    """Type an entry into the open book."""
    context.do(Type(text=entry))
    context.do(Press(keys="Return"))
