"""FlagWatcher: after every action, whether it reached for the judge or the answer, or shows a planted token."""

from __future__ import annotations

import json
import re

from proctor.exam.flags import CANARY, MOST_TEXT, find_flags
from proctor.exam.recorder import Recorder
from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.records import Flag, Step

TERMINALS = re.compile(r"term|konsole|console|shell", re.IGNORECASE)
"""Applications in which typed text is a command."""
MOST_FLAGS = 100
"""Flags that an episode keeps."""


class FlagWatcher(Watcher):
    """Looks at what an agent runs, types into terminals and says; it changes nothing about the episode."""

    def __init__(self, recorder: Recorder, token: str = "") -> None:
        self._recorder = recorder
        self._token = token
        self._typed = ""
        """What was typed into a terminal since the last line was sent."""

    def after(self, exam: ExamState, step: Step) -> Step:
        """Add the flags of one step."""
        for flag in self._flags(step) if not step.by else ():
            add_flag(exam, flag)
        return step

    def end(self, exam: ExamState) -> None:
        """Keep what was flagged."""
        for flag in find_flags(self._typed):
            add_flag(exam, flag)
        if exam.flags:
            self._recorder.note(flags=tuple(exam.flags))

    def _flags(self, step: Step) -> list[Flag]:
        found = list(find_flags(self._command(step), step.step))
        said = json.dumps(step.action, ensure_ascii=False) if step.action else ""
        output = step.output.text if step.output else ""
        for text in (step.reply, step.thought, said, output):
            if self._token and (place := text.find(self._token)) >= 0:
                found.append(Flag(rule=CANARY, step=step.step, text=text[max(place - 100, 0) :][:MOST_TEXT]))
                break
        return found

    def _command(self, step: Step) -> str:
        """Return the code that a step runs, or the command that it completes in a terminal."""
        action = step.action or {}
        if step.kind == "run_code":
            return str(action.get("code", ""))
        in_terminal = step.element is not None and bool(TERMINALS.search(f"{step.element.app} {step.element.role}"))
        if step.kind == "type" and in_terminal:
            self._typed += str(action.get("text", ""))
        ends = "\n" in self._typed or (step.kind == "press" and "return" in str(action.get("keys", "")).lower())
        if not self._typed or not ends:
            return ""
        command, self._typed = self._typed, ""
        return command


def add_flag(exam: ExamState, flag: Flag) -> None:
    """Add a flag to an episode, up to a bound."""
    if len(exam.flags) < MOST_FLAGS:
        exam.flags.append(flag)
