"""The lines of the settling battery, read as actions."""

from __future__ import annotations

from proctor.actions.action import Click, InputAction, Move, Press, Scroll, Type
from proctor.computers.computer import Computer
from proctor.errors import SpecError
from proctor.observations.box import Box


def read_step(line: str, screen: Box, window: Box) -> InputAction:
    """Return the action that a line stands for; raises SpecError where it stands for none."""
    words = line.split(" ", 1)
    area = screen if words[0] == "desk" else window
    kind, _, rest = line.removeprefix("desk ").partition(" ")
    if kind == "press":
        return Press(keys=rest)
    if kind == "type":
        return Type(text=rest)
    try:
        across, down, *notches = map(float, rest.split())
    except ValueError:
        raise SpecError(f"the line {line!r} of the settling battery cannot be read") from None
    x, y = area.x + int(across * (area.width - 1)), area.y + int(down * (area.height - 1))
    match kind, notches:
        case "click", []:
            return Click(x=x, y=y)
        case "right", []:
            return Click(x=x, y=y, button="right")
        case "double", []:
            return Click(x=x, y=y, count=2)
        case "move", []:
            return Move(x=x, y=y)
        case "scroll", [number]:
            return Scroll(x=x, y=y, dy=int(number))
    raise SpecError(f"the line {line!r} of the settling battery cannot be read")


def action_of(line: str, computer: Computer) -> InputAction:
    """Return the action of a line on a computer as it is now."""
    screen = Box(0, 0, *computer.size)
    front = computer.active_window()
    # A window may stick out beyond the screen.
    return read_step(line, screen, (front.box.intersect(screen) if front else None) or screen)
