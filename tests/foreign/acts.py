"""Acts that cases of several applications share."""

from __future__ import annotations

from pathlib import Path

from proctor.actions.action import Fail
from proctor.tasks.call import Call
from proctor.tasks.move_context import MoveContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import run
from tests.foreign.case import Act


def give_up(hand: MoveContext) -> None:
    """Say that the task cannot be done."""
    hand.say(Fail(reason="This cannot be done here."))


def nothing(hand: MoveContext) -> None:
    """Say that all is well, without having done anything."""


def prepared(*calls: Call, files: dict[str, str] | None = None) -> Act:
    """Return an act that does what setup steps do, such as opening a program."""

    def act(hand: MoveContext) -> None:
        context = SetupContext(hand.computer, Path("/"), files or {})
        for call in calls:
            run(call, context)

    return act
