"""Setup steps that leave something unfinished in an open window."""

from __future__ import annotations

from proctor.actions.action import Press, Type
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.desktop.setup.windows import focus_window


@SETUP.register_before_use
def unsaved_typing(
    context: SetupContext, window: str, text: str, keys: list[str] | None = None, title: str = "*"
) -> None:
    """Press keys and type a text into a window, and wait until its title shows it as unsaved."""
    focus_window(context, window)
    for each in keys or ():
        context.computer.perform(Press(keys=each))
    context.computer.perform(Type(text=text))
    context.computer.wait_for(
        lambda computer: any(window in each.title and title in each.title for each in computer.windows()),
        what=f"unsaved text in {window!r}",
    )
