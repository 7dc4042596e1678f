"""PyAutoGUI code, as OSWorld's agents write it: programs that are interpreted, never run.

A program with a mistake yields no action at all: half of what a model planned is not what it planned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import prompt_words
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.pyautogui_actions import ActionCollector
from proctor.actions.dialects.reply import special
from proctor.actions.dialects.space import SPACES, open_space
from proctor.actions.dialects.text_dialect import TextDialect
from proctor.actions.dialects.translation import chord_names, no_word
from proctor.errors import UnknownName

_NAMES = (
    "click doubleClick tripleClick rightClick middleClick moveTo moveRel dragTo dragRel mouseDown mouseUp scroll "
    "hscroll write typewrite press hotkey keyDown keyUp sleep wait_for_change answer ask_user done fail"
)
_CALL = rf"(?:pyautogui|pag|pg|gui|time)\.\w+\s*\(|(?:{_NAMES.replace(' ', '|')})\s*\("
# Code that is not understood counts too: were it taken for reasoning, the rest would be done without it.
_CODE_LINE = re.compile(
    rf"\s*(?:{_CALL}|[A-Za-z_][\w.]*\(|import \w|from \w+ import |def \w+\(|try:|else:|pass$|"
    rf"(?:for|while|if|elif|with) .*:\s*(?:#.*)?$|"
    rf"[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?:\s*,\s*[A-Za-z_]\w*)*\s*[-+*/]?=\s*\S)"
)
_CALL_LINE = re.compile(rf"\s*(?:{_CALL})")
_CONTINUES = (" ", "\t", ")", "]")
"""How a line begins that belongs to the statement before."""
_LABEL = re.compile(
    r"^\s*(?:[-*>]\s+|\d+\.\s+)?[*_`]*(?:next |final )?(?:action|code)s?[*_` ]*[:：][*_` ]*", re.IGNORECASE
)


_OF_ONE_VALUE = {
    "type": ("pyautogui.write", "text"), "key_down": ("pyautogui.keyDown", "key"), "key_up": ("pyautogui.keyUp", "key"),
    "wait": ("time.sleep", "seconds"), "wait_for_change": ("wait_for_change", "seconds"),
    "fail": ("fail", "reason"), "answer": ("answer", "text"),
    "ask_user": ("ask_user", "question"),
}  # fmt: skip
"""Kinds of actions that hold one value: the function that takes it, and the field that has it."""


class PyAutoGui(TextDialect):
    """Python code with PyAutoGUI's functions, and OSWorld's special words."""

    name = "pyautogui"
    kinds = tuple(kind for kind in act.ON_A_DESKTOP if kind != "run_code")
    labels = frozenset({"python", "py", "python3", "pyautogui", "tool_code", "code"})
    hint = "write code in a fence labelled python, such as pyautogui.click(10, 20), or DONE, FAIL or WAIT alone"
    endings = {"done": "DONE", "fail": "fail('...')", "answer": "answer('...')", "ask_user": "ask_user('...')"}
    by_id = "pyautogui.click(*tag_3)"

    def __init__(self, space: str = "image") -> None:
        if space not in SPACES:
            raise UnknownName("space of coordinates", space, SPACES)
        self.space = space

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the calls for these kinds."""
        by_id = "`tag_3`, as in pyautogui.click(*tag_3),"
        return prompt_words.join_lines(
            "Write your actions as Python code in a code fence labelled python. The code is interpreted: variables, "
            "arithmetic, loops and conditions are understood, and these calls:",
            prompt_words.list_forms(kinds, FORMS),
            prompt_words.keys(kinds),
            prompt_words.places(open_space(self.space, frame), frame, kinds, by_id),
            self.example(kinds, frame),
        )

    def _read_block(self, body: str, frame: Frame) -> Reading:
        collector = ActionCollector(frame, open_space(self.space, frame))
        collector.run(body)
        return Reading(actions=tuple(collector.actions))

    def _read_prose(self, prose: str, frame: Frame) -> Reading:
        """Read from the first line that is code to the last; what stands between them is reasoning."""
        lines = [_strip_label(line) for line in prose.split("\n")]
        words = _words(lines)
        calls = [place for place, line in enumerate(lines) if _CALL_LINE.match(line)]
        if not calls and not words:
            return Reading(thought=prose)
        start, end = min(calls or words), max([*calls, *words]) + 1
        while start > 0 and _CODE_LINE.match(lines[start - 1]):
            start -= 1
        while end < len(lines) and _is_code(lines[end]):
            end += 1
        code = [
            words.get(place, lines[place]) for place in range(start, end) if place in words or _is_code(lines[place])
        ]
        found = self._read_block("\n".join(code), frame)
        return Reading(actions=found.actions, thought="\n".join([*lines[:start], *lines[end:]]))

    def _render(self, action: Action, frame: Frame) -> str:
        space = open_space(self.space, frame)
        held = getattr(action, "modifiers", ())
        match action:
            case act.Move(x=x, y=y):
                line = _call("moveTo", *space.raw(x, y))
            case act.Click(x=x, y=y, button=which, count=count):
                at = space.raw_fields(x, y).values()
                line = _call(
                    "click", *at, clicks=count if count > 1 else None, button=None if which == "left" else which
                )
            case act.MouseDown(button=which) | act.MouseUp(button=which):
                name = "mouseDown" if isinstance(action, act.MouseDown) else "mouseUp"
                line = _call(name, button=None if which == "left" else which)
            case act.Drag(path=path, button=which) if len(path) <= 2:
                start = _call("moveTo", *space.raw(*path[0])) + "\n" if len(path) == 2 else ""
                line = start + _call("dragTo", *space.raw(*path[-1]), button=None if which == "left" else which)
            case act.Scroll(dx=dx, dy=dy, x=x, y=y) if not (dx and dy):
                at = space.raw_fields(x, y).values()
                line = _call("hscroll", dx, *at) if dx else _call("scroll", -dy, *at)
            case _:
                line = self._render_rest(action)
        if held:
            inner = line.replace("\n", "\n    ")
            line = f"with pyautogui.hold({list(held)!r}):\n    {inner}"
        return line

    def _render_rest(self, action: Action) -> str:
        match action:
            case act.Press(keys=keys):
                return _press(keys)
            case act.Done() | act.Fail(reason=""):
                return action.kind.upper()
        if action.kind not in _OF_ONE_VALUE:
            raise no_word(self.name, action)
        function, field = _OF_ONE_VALUE[action.kind]
        return f"{function}({getattr(action, field)!r})"

    def _assemble(self, pieces: Sequence[str]) -> str:
        # A drag continues a move that stands right before it; a statement between them keeps the two apart.
        lines = [
            f"pass\n{piece}" if place and piece.startswith("pyautogui.dragTo") else piece
            for place, piece in enumerate(pieces)
        ]
        return "```python\n" + "\n".join(lines) + "\n```"


FORMS = {
    "move": "pyautogui.moveTo(x, y)",
    "click": "pyautogui.click(x, y, clicks=1, button='left'); with pyautogui.hold('ctrl'): around it holds a key",
    "mouse_down": "pyautogui.mouseDown(button='left')",
    "mouse_up": "pyautogui.mouseUp(button='left')",
    "drag": "pyautogui.moveTo(x, y) and then pyautogui.dragTo(x, y, button='left')",
    "scroll": "pyautogui.scroll(notches, x, y), where a positive number is up; pyautogui.hscroll(notches, x, y), "
    "where a positive number is to the right",
    "type": "pyautogui.write('text')",
    "press": "pyautogui.press('enter', presses=1) for a key, pyautogui.hotkey('ctrl', 's') for a key combination",
    "key_down": "pyautogui.keyDown('shift')",
    "key_up": "pyautogui.keyUp('shift')",
    "wait": "time.sleep(seconds), or WAIT alone",
    "wait_for_change": "wait_for_change(seconds=30)",
    "done": "DONE alone",
    "fail": "FAIL alone, or fail('reason')",
    "answer": "answer('text')",
    "ask_user": "ask_user('question')",
}


def _call(name: str, *arguments: object, **options: object) -> str:
    written = [repr(argument) for argument in arguments]
    written += [f"{option}={value!r}" for option, value in options.items() if value is not None]
    return f"pyautogui.{name}({', '.join(written)})"


def _press(keys: str) -> str:
    chords = keys.split(" ") if keys.strip(" ") else [keys]
    names = chord_names(keys)
    if len(chords) > 1:
        return _call("press", chords)
    return _call("hotkey", *names) if len(names) > 1 else _call("press", keys)


def _strip_label(line: str) -> str:
    """Return a line of prose without a label before it and marks around it."""
    bare = _LABEL.sub("", line)
    return bare.strip("` \t") if bare != line or bare.lstrip().startswith("`") else line.rstrip()


def _is_code(line: str) -> bool:
    return line.startswith(_CONTINUES) or bool(_CODE_LINE.match(line))


def _words(lines: Sequence[str]) -> dict[int, str]:
    """Return the lines that are special words, as the interpreter knows them."""
    last = max((place for place, line in enumerate(lines) if line.strip()), default=0)
    found: dict[int, str] = {}
    for place, line in enumerate(lines):
        word = special(line, alone=place == last)
        if isinstance(word, act.AskUser):
            found[place] = f"ask_user({word.question!r})"
        elif word is not None:
            found[place] = word.kind.upper()
    return found
