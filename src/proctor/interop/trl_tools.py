"""What a model may call on a desktop: TRL shows it their names, types and docstrings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal

from proctor.actions.action import (
    Action,
    Answer,
    AskUser,
    Click,
    Done,
    Drag,
    Fail,
    Move,
    Press,
    Scroll,
    Type,
    Wait,
    WaitForChange,
)

Point = tuple[float, float]
Content = str | list[dict[str, object]]
"""What a tool returns: text, or blocks with a picture."""


class ToolMethods(ABC):
    """The tools; whatever is public here is offered to the model."""

    @abstractmethod
    def _do(self, make: Callable[[], Action]) -> Content:
        """Carry out the action that is made, and return what the model is told."""

    @abstractmethod
    def _place(self, x: float | None, y: float | None, element: int | None) -> Point:
        """Return where a tool is used; raises AgentError where nothing, or both, says it."""

    def click(
        self,
        x: float | None = None,
        y: float | None = None,
        button: Literal["left", "middle", "right"] = "left",
        count: int = 1,
        element: int | None = None,
    ) -> Content:
        """Click at a place or on an element.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            button: Which button.
            count: 2 for a double click, 3 for a triple one.
            element: The id of an element, in place of x and y.
        """

        def make() -> Action:
            at_x, at_y = self._place(x, y, element)
            return Click(x=at_x, y=at_y, button=button, count=count)

        return self._do(make)

    def move(self, x: float | None = None, y: float | None = None, element: int | None = None) -> Content:
        """Move the pointer to a place or an element.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            element: The id of an element, in place of x and y.
        """

        def make() -> Action:
            at_x, at_y = self._place(x, y, element)
            return Move(x=at_x, y=at_y)

        return self._do(make)

    def drag(self, from_x: float, from_y: float, to_x: float, to_y: float) -> Content:
        """Drag from one place to another with the left button.

        Args:
            from_x: Pixels from the left, at the start.
            from_y: Pixels from the top, at the start.
            to_x: Pixels from the left, at the end.
            to_y: Pixels from the top, at the end.
        """
        return self._do(lambda: Drag(path=((from_x, from_y), (to_x, to_y))))

    def scroll(
        self, x: float | None = None, y: float | None = None, notches: int = 3, element: int | None = None
    ) -> Content:
        """Turn the wheel at a place or on an element.

        Args:
            x: Pixels from the left.
            y: Pixels from the top.
            notches: How far; positive shows what is below.
            element: The id of an element, in place of x and y.
        """

        def make() -> Action:
            at_x, at_y = self._place(x, y, element)
            return Scroll(x=at_x, y=at_y, dy=notches)

        return self._do(make)

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

    def wait_for_change(self, seconds: float = 30.0) -> Content:
        """Let time pass until something new is on the screen.

        Args:
            seconds: How long at most, up to 600.
        """
        return self._do(lambda: WaitForChange(seconds=seconds))

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
