"""Checks on a whole course of actions, as suites of other systems write it down step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.vocabulary.desktop.operations import BACKSPACE, InputEvent, chords, events


class PrescribedAction(BaseModel):
    """One action of a course."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    do: Literal["click", "type", "press", "drag", "scroll"]
    text: str = ""
    """What is typed."""
    keys: str = ""
    """What is pressed together."""
    button: Literal["left", "middle", "right"] = "left"
    count: Annotated[int, Field(ge=1, le=3)] = 1
    box: tuple[int, int, int, int] | None = None
    """Where a click goes: left, top, right and bottom in pixels; anywhere where it is not said."""

    def __str__(self) -> str:
        held = {"type": repr(self.text), "press": self.keys}.get(self.do, "")
        return f"{self.do} {held}".strip()


@CHECKS.register
def course_taken(
    of: Seen, steps: Annotated[list[PrescribedAction], Field(min_length=1)], begun: bool = False
) -> Finding:
    """Exactly these actions were taken, in this order; moving the pointer and waiting do not count.

    Keys compare whatever their spelling. Typing counts however many actions it was spread over, and what was taken back
    by Backspace does not. A double click is two clicks. With `begun`, the first of them, or none, are
    enough.
    """
    left = [event for event in _without_slips(events(of["performed"])) for _ in range(_times(event))]
    for number, step in enumerate(steps, start=1):
        for wanted in _pieces(step):
            if begun and not left:
                return right()
            if not left or not _is_so(left[0], wanted):
                came = f"{_name(left[0])} came" if left else "nothing came any more"
                return wrong(f"Step {number} of {len(steps)} ({step}) was not taken in its turn: {came}.")
            left.pop(0)
    return wrong(f"After the last step, {_name(left[0])} came.") if left else right()


def _without_slips(stream: list[InputEvent]) -> list[InputEvent]:
    kept: list[InputEvent] = []
    for event in stream:
        if event.keys == (frozenset(), BACKSPACE) and kept and kept[-1].char:
            kept.pop()
        else:
            kept.append(event)
    return kept


def _times(event: InputEvent) -> int:
    return int(event.action.get("count", 1)) if event.do == "click" else 1


def _pieces(step: PrescribedAction) -> Iterator[PrescribedAction]:
    """Yield what has to come one after the other: each character, each chord, each click."""
    if step.do == "type":
        yield from (PrescribedAction(do="type", text=char) for char in step.text.replace("\r\n", "\n"))
    elif step.do == "click":
        yield from [step] * step.count
    else:
        yield step


def _is_so(event: InputEvent, wanted: PrescribedAction) -> bool:
    if wanted.do == "type":
        return event.do == "key" and event.char == wanted.text
    if wanted.do == "press":
        return event.do == "key" and [event.keys] == chords(wanted.keys)
    if event.do != wanted.do:
        return False
    return wanted.do != "click" or (event.action.get("button", "left") == wanted.button and _lies_in(event, wanted.box))


def _lies_in(event: InputEvent, box: tuple[int, int, int, int] | None) -> bool:
    if box is None:
        return True
    x, y = event.action.get("x"), event.action.get("y")
    return x is not None and y is not None and box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _name(event: InputEvent) -> str:
    if event.do == "key":
        held, key = event.keys or (frozenset(), "")
        return repr(event.char) if event.char.strip() else "+".join([*sorted(held), key])
    return f"a {event.do}" if event.do != "code" else "code"
