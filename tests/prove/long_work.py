"""A task with checkpoints that the fake editor can do, for tests of proofs and stretches."""

from __future__ import annotations

from typing import Any

from proctor.tasks.call import Call
from proctor.tasks.checkpoints import Checkpoint
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Admission, NearMiss, Task
from tests.prove.machines import PATH, shopping

SAVE = hand.press("ctrl+s")
EGGS, FLOUR, HAM = ((hand.press("ctrl+End"), hand.type(f"{what}\n"), SAVE) for what in ("eggs", "flour", "ham"))


def has(line: str) -> Call:
    """Return the check that the list has a line."""
    return expect.text_has(see.text(PATH), [line])


CHECKPOINTS = (
    Checkpoint(name="eggs", check=has("eggs"), weight=0.3, moves=3),
    Checkpoint(name="flour", check=has("flour"), weight=0.3, moves=3),
    Checkpoint(name="ham", check=has("ham"), weight=0.4, moves=3),
)
MISSES = (
    NearMiss(name="no eggs", moves=(*FLOUR, *HAM), breaks="eggs"),
    NearMiss(name="no flour", moves=(*EGGS, *HAM), breaks="flour"),
    NearMiss(name="ham not saved", moves=(*EGGS, *FLOUR, *HAM[:2]), breaks="ham"),
    NearMiss(name="milk gone", moves=(hand.press("ctrl+a"), hand.type("eggs\nflour\nham\n"), SAVE)),
)


def errands(**changes: Any) -> Task:
    """Return the task: three lines, each a checkpoint, and milk that must stay."""
    fields: dict[str, Any] = {
        "id": "test/errands-v1",
        "check": None,
        "instruction": "Put eggs, flour and ham on the list, each saved.",
        "checkpoints": CHECKPOINTS,
        "guards": (has("milk"),),
        "solution": (*EGGS, *FLOUR, *HAM),
        "near_misses": MISSES,
        "may_differ": (Admission(which="* two lines exchanged", why="The order of a list means nothing."),),
    }
    given = {**fields, **changes}
    made = shopping(id="test/errands-v1")
    rest = {name: getattr(made, name) for name in Task.model_fields if name not in ("check", *given)}
    return Task(**rest, **{name: value for name, value in given.items() if value is not None})
