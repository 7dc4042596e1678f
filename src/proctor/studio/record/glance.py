"""Looking at a desktop while a person works on it: its screen without the pointer, and its tree."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

from PIL import Image

from proctor.computers.computer import Computer
from proctor.computers.drift import always_moving, differences
from proctor.errors import ComputerError, ProctorError
from proctor.observations.tree import Tree

PATIENCE_SEC = 20.0
TRIES = 3
"""How often it is looked again where the screen changed while the tree was read."""

Found = TypeVar("Found")


class LiveQuestion(Generic[Found]):
    """Asked in one thread, and put to the computer in the one that may ask it."""

    def __init__(self, ask: Callable[[Computer], Found]) -> None:
        self._ask = ask
        self._found: Future[Found] = Future()

    def put_to(self, computer: Computer) -> None:
        """Ask; what goes wrong is told to whoever waits."""
        try:
            self._found.set_result(self._ask(computer))
        except (ProctorError, OSError) as error:
            self._found.set_exception(error)

    def answer(self, timeout_sec: float = PATIENCE_SEC) -> Found:
        """Return the answer; raises what asking raised, and ComputerError where nobody asks any more."""
        try:
            return self._found.result(timeout_sec)
        except TimeoutError as error:
            raise ComputerError(
                "the desktop does not answer", remedy="check whether its page still shows it"
            ) from error


@dataclass(frozen=True, slots=True)
class Glanced:
    """What was there."""

    image: Image.Image
    tree: Tree | None
    """None where the computer has none, or it changed all the while."""


def glance(computer: Computer) -> Glanced:
    """Return the screen of a computer as it is now, with its tree."""
    image = computer.screenshot(cursor=False)
    if computer.parts.tree is None:
        return Glanced(image, None)
    for _ in range(TRIES):
        tree = computer.tree()
        after = computer.screenshot(cursor=False)
        if image.size == after.size and not differences(image, after, ignore=always_moving(computer)):
            return Glanced(after, tree)
        image = after
    return Glanced(image, None)
