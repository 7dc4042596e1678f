"""Inspect's `computer()` tool, answered from outside and never run inside.

Inspect starts a script in the sandbox for every action and reads one JSON object that it prints. We catch the command,
carry the action out as any other, and answer: no interpreter is started, nothing has to be in the image, and the record
has the element that was hit. Inspect tells models that the screen is 1366 by 768 whatever it is, so pictures have that
size and places are scaled back.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from PIL import Image

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Look
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.translation import place_fields
from proctor.computers.computer import Computer
from proctor.errors import AgentError, ComputerError, ComputerLost, HostError
from proctor.models.vendors import VENDORS
from proctor.observations.encode import png

TOOL = "/opt/inspect/tool/computer_tool.py"
SOURCE = "# Proctor answers this command from outside.\n"
"""What whoever reads the script is shown: Inspect looks whether it can be read."""
SIZE = (1366, 768)
LONGEST_WAIT_SEC = 60.0
_NUMBERS = {"coordinate": 2, "start_coordinate": 2, "region": 4, "scroll_amount": 1, "duration": 1}
_TEXTS = ("text", "scroll_direction")
_SIDE_BUTTONS = {"back_click": "back", "forward_click": "forward"}
_BROWSERS = "for name in firefox-esr firefox chromium; do command -v $name && exit; done"

Perform = Callable[[Action], object]


def is_call(argv: Sequence[str]) -> bool:
    """Tell whether a command is a call of the tool."""
    return len(argv) > 2 and argv[1] == TOOL and argv[0].rpartition("/")[2].startswith("python")


def answer(computer: Computer, argv: Sequence[str], perform: Perform) -> str:
    """Carry out a call, its actions by `perform`, and return what the script would print.

    Raises ComputerError where the computer is gone; what a model got wrong is an answer.
    """
    try:
        return _as_output(_carried_out(computer, _read(argv[2:]), perform))
    except (AgentError, ComputerError) as error:
        if isinstance(error, ComputerLost | HostError):
            raise
        return _as_output({"error": str(error)})


def _read(words: Sequence[str]) -> dict[str, object]:
    """Return a command line as the input of a call; raises AgentError."""
    name, *rest = words
    found: dict[str, object] = {"action": name}
    while rest:
        option, equals, value = rest.pop(0).partition("=")
        field = option.removeprefix("--")
        if not option.startswith("--") or field not in (*_NUMBERS, *_TEXTS):
            raise AgentError(f"unknown option {option[:40]!r}", remedy="see the tool's description")
        count = _NUMBERS.get(field, 1)
        values = [value] if equals else [rest.pop(0) for _ in range(min(count, len(rest)))]
        if len(values) != count:
            raise AgentError(f"{field} needs {count} values", remedy="give all of them")
        if field in _TEXTS:
            found[field] = values[0]
        else:
            numbers = [_number(each, field) for each in values]
            found[field] = numbers if count > 1 else numbers[0]
    return found


def _number(text: str, field: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise AgentError(f"{field} is {text[:40]!r}", remedy="give numbers")
    return int(value) if value == int(value) and abs(value) < 1e15 else value


def _carried_out(computer: Computer, call: dict[str, Any], perform: Perform) -> dict[str, Any]:
    frame = Frame(desktop=computer.size, image=SIZE, pointer=computer.pointer_position())
    name = call["action"]
    if name in _SIDE_BUTTONS:
        raw = (call["coordinate"][0], call["coordinate"][1]) if "coordinate" in call else None
        at = place_fields(json.dumps(call), raw, open_space("image", frame))
        perform(act.Click(**at, button=_SIDE_BUTTONS[name]))  # type: ignore[arg-type]
    elif name == "open_web_browser":
        _open_browser(computer)
    elif name == "navigate":
        for step in (act.Press(keys="ctrl+l"), act.Type(text=str(call.get("text", ""))), act.Press(keys="enter")):
            perform(step)
    else:
        reading = VENDORS.get("anthropic").dialect.read_call(call, frame)
        if reading.problem:
            raise AgentError(reading.problem)
        for action in reading.actions:
            perform(_limit(action))
        if reading.looks:
            return _show(computer, reading.looks[0])
    return _show(computer, Look(kind="screenshot"))


def _limit(action: Action) -> Action:
    if isinstance(action, act.Wait) and action.seconds > LONGEST_WAIT_SEC:
        raise AgentError(f"a wait of {action.seconds:g} s", remedy=f"wait at most {LONGEST_WAIT_SEC:g} s at a time")
    return action


def _open_browser(computer: Computer) -> None:
    found = computer.run(["sh", "-c", _BROWSERS]).stdout.split()
    if not found:
        raise AgentError("there is no browser on this computer", remedy="use what is on the screen")
    computer.launch([found[0]])


def _show(computer: Computer, look: Look) -> dict[str, object]:
    if look.kind == "pointer":
        across, down = (
            round(at * side / whole)
            for at, side, whole in zip(computer.pointer_position(), SIZE, computer.size, strict=True)
        )
        return {"output": f"X={across},Y={down}"}
    image = computer.screenshot(cursor=True)
    if look.region is not None:
        left, top, right, bottom = look.region
        box = (
            max(round(left), 0),
            max(round(top), 0),
            min(round(right), image.width),
            min(round(bottom), image.height),
        )
        if box[0] >= box[2] or box[1] >= box[3]:
            raise AgentError("the region of zoom is empty", remedy="give [left, top, right, bottom]")
        image = image.crop(box)
        grow = min(SIZE[0] / image.width, SIZE[1] / image.height)
        size = (max(round(image.width * grow), 1), max(round(image.height * grow), 1))
    else:
        size = SIZE
    shown = image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)
    return {"base64_image": base64.b64encode(png(shown)).decode("ascii")}


def _as_output(result: dict[str, object]) -> str:
    return json.dumps({"output": None, "error": None, "base64_image": None, **result})
