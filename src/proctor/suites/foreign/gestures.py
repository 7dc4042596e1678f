"""PyAutoGUI programs in foreign steps: interpreted into actions, never run."""

from __future__ import annotations

import re

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.pyautogui_actions import ActionCollector
from proctor.actions.dialects.space import open_space
from proctor.errors import ProctorError
from proctor.suites.foreign.translation import NotJudgedYet, fill_in, step
from proctor.tasks.call import Call

_FRAME = Frame(desktop=(1920, 1080), image=(1920, 1080))
_ONE_KEY_IN_LIST = re.compile(r"\b(hotkey|press)\(\[([^\]]*)\](?=[,)])")
TERMINAL = "ctrl+alt+t"
"""The keys that open a terminal on Ubuntu."""
SAVE = "ctrl+s"
"""The keys that save a document."""


def program_of(command: object) -> str | None:
    """Return the PyAutoGUI program that a command runs; None where it is another command."""
    if isinstance(command, list) and len(command) >= 3 and str(command[0]).startswith("python") and command[1] == "-c":
        text = str(command[2])
        return fill_in(text) if "pyautogui" in text else None
    return None


def gestures(program: str) -> list[Call]:
    """Return the steps that do what a program does, without pauses: each action is waited for."""
    collector = ActionCollector(_FRAME, open_space("image", _FRAME))
    # `hotkey(["ctrl", "s"])` is what newer versions take as well.
    plain = _ONE_KEY_IN_LIST.sub(lambda found: f"{found[1]}({found[2]}" if found[1] == "hotkey" else found[0], program)
    try:
        collector.run(plain)
    except ProctorError as error:
        raise NotJudgedYet(f"the PyAutoGUI program {program[:80]!r}: {error.message}") from error
    found: list[Call] = []
    together: list[dict[str, object]] = []
    for action in collector.actions:
        if isinstance(action, act.Press) and action.keys == TERMINAL:
            found += _steps(together) + [step("terminal")]
            together = []
        elif not isinstance(action, act.Wait | act.Move):
            together.append(_plain(action))
    found += _steps(together)
    # Nothing is saved while LibreOffice asks whether the format is meant.
    saves = any(isinstance(action, act.Press) and action.keys == SAVE for action in collector.actions)
    return [*found, step("keep_format")] if saves else found


def _steps(together: list[dict[str, object]]) -> list[Call]:
    return [step("actions", actions=together)] if together else []


def _plain(action: Action) -> dict[str, object]:
    return dict(action.to_json())
