"""What a model may call on a desktop: TRL shows it their names, types and docstrings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal

from proctor.actions.action import Action, Answer, AskUser, Click, Done, Drag, Fail, Move, Press, Scroll, Type, Wait

Content = str | list[dict[str, object]]
"""What a tool returns: text, or blocks with a picture."""


class ToolMethods(ABC):
    """The tools; whatever is public here is offered to the model."""

    @abstractmethod
    def _do(self, make: Callable[[], Action]) -> Content:
        """Carry out the action that is made, and return what the model is told."""

    def click(self, x: float, y: float, button: Literal["left", "middle", "right"] = "left", count: int = 1) -> Content:
        """Click at a place.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            button: Which button.
            count: 2 for a double click, 3 for a triple one.
        """
        return self._do(lambda: Click(x=x, y=y, button=button, count=count))

    def move(self, x: float, y: float) -> Content:
        """Move the pointer to a place.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
        """
        return self._do(lambda: Move(x=x, y=y))

    def drag(self, from_x: float, from_y: float, to_x: float, to_y: float) -> Content:
        """Drag from one place to another with the left button.

        Args:
            from_x: Pixels from the left, at the start.
            from_y: Pixels from the top, at the start.
            to_x: Pixels from the left, at the end.
            to_y: Pixels from the top, at the end.
        """
        return self._do(lambda: Drag(path=((from_x, from_y), (to_x, to_y))))

    def scroll(self, x: float, y: float, notches: int) -> Content:
        """Turn the wheel at a place.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            notches: How far; positive shows what is below.
        """
        return self._do(lambda: Scroll(x=x, y=y, dy=notches))

    def type_text(self, text: str) -> Content:
        """Type a text exactly; a newline is the Return key.

        Args:
            text: What to type.
        """
        return self._do(lambda: Type(text=text))

    def press(self, keys: str) -> Content:
        """Press a key or several at once.

        Args:
            keys: Such as enter, ctrl+s or alt+f4.
        """
        return self._do(lambda: Press(keys=keys))

    def wait(self, seconds: float = 1.0) -> Content:
        """Let time pass.

        Args:
            seconds: How long, at most 60.
        """
        return self._do(lambda: Wait(seconds=seconds))

    def ask_user(self, question: str) -> Content:
        """Ask the user something that the task leaves open.

        Args:
            question: What to ask.
        """
        return self._do(lambda: AskUser(question=question))

    def answer(self, text: str) -> Content:
        """Answer the question that the task asks, and end.

        Args:
            text: The answer.
        """
        return self._do(lambda: Answer(text=text))

    def done(self) -> Content:
        """Say that the task is finished, and end."""
        return self._do(Done)

    def fail(self, reason: str = "") -> Content:
        """Say that the task cannot be done, and end.

        Args:
            reason: Why not.
        """
        return self._do(lambda: Fail(reason=reason))
