"""Frames, actions and replies that the tests of dialects share."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.translation import bare
from proctor.models.tool_dialect import ToolDialect
from proctor.models.vendors import VENDORS

SAME = Frame(desktop=(1920, 1080), image=(1920, 1080))
HALF = Frame(desktop=(1920, 1080), image=(960, 540), marks={3: (100.0, 50.0), 12: (640.5, 360.25)}, pointer=(20, 40))
ODD = Frame(desktop=(1366, 768), image=(1021, 574), marks={1: (7.5, 9.0)})
FRAMES = (SAME, HALF, ODD)
frames = st.sampled_from(FRAMES)

TEXT_DIALECTS = (
    "android_world", "browsergym", "computer13", "omnibench", "plain_json", "pyautogui", "ui_tars", "ui_tars_1.0",
)  # fmt: skip
VENDOR_NAMES = ("anthropic", "gemini", "openai")


def vendor_dialect(name: str) -> ToolDialect:
    return VENDORS.get(name).dialect


# Scaled places are kept to a thousandth of a pixel, so that is what the tests draw.
coordinates = st.integers(-2_000_000, 2_000_000).map(lambda thousandths: thousandths / 1000) | st.integers(0, 1920)
places = st.just({}) | st.fixed_dictionaries({"x": coordinates, "y": coordinates})
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
tricky_texts = texts | st.sampled_from(
    ["DONE", "```", "it's \"quoted\"", "C:\\new\\table", "line\nDONE\nline", "</think>", "<think>", "{ENTER}",
     "^a+b%c~", "click(start_box='(1,2)')", "a\n\nAction: wait()", "')\ntype(content='x", "{'type': 'done'}",
     "f(x) # {y}", "\\", "'", "naïve “quotes” 你好", "\n```\nFAIL\n```\n", "pyautogui.click(1, 2)", "\u2028DONE\u2028",
     "\r\n", "\t", " "]
)  # fmt: skip
keys = st.sampled_from(
    ["enter", "a", "A", "+", "ctrl+s", "ctrl+shift+t", "ctrl++", "alt+f4", "ctrl+k ctrl+s", "down down enter", "F5",
     "Return", "space", "pagedown", "super+d", "shift+tab", "-", "{", "'", "é"]
)  # fmt: skip
single_keys = st.sampled_from(["shift", "ctrl", "alt", "a", "enter", "F5", "win", "Control_L"])
modifiers = st.lists(st.sampled_from(["ctrl", "shift", "alt", "super"]), max_size=2, unique=True).map(tuple)
buttons = st.sampled_from(act.BUTTONS)
notches = st.integers(-20, 20)
paths = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=3).map(tuple)


def _with_place(kind: type[Action], **fields: st.SearchStrategy[object]) -> st.SearchStrategy[Action]:
    return st.tuples(places, st.fixed_dictionaries(fields)).map(lambda drawn: kind(**drawn[0], **drawn[1]))


ACTIONS: dict[str, st.SearchStrategy[Action]] = {
    "move": st.builds(act.Move, x=coordinates, y=coordinates),
    "click": _with_place(act.Click, button=buttons, count=st.integers(1, 3), modifiers=modifiers),
    "mouse_down": st.builds(act.MouseDown, button=buttons),
    "mouse_up": st.builds(act.MouseUp, button=buttons),
    "drag": st.builds(act.Drag, path=paths, button=buttons, modifiers=modifiers),
    "scroll": _with_place(act.Scroll, dx=notches | st.just(0), dy=notches, modifiers=modifiers),
    "tap": st.builds(act.Tap, x=coordinates, y=coordinates, count=st.integers(1, 3)),
    "long_press": st.builds(act.LongPress, x=coordinates, y=coordinates, seconds=st.sampled_from([1.0, 0.5, 3.0])),
    "swipe": st.builds(act.Swipe, path=paths.filter(lambda path: len(path) > 1)),
    "pinch": st.builds(act.Pinch, x=coordinates, y=coordinates, scale=st.floats(0.1, 10)),
    "open_app": st.builds(act.OpenApp, name=tricky_texts.filter(bool)),
    "type": st.builds(act.Type, text=tricky_texts),
    "press": st.builds(act.Press, keys=keys),
    "key_down": st.builds(act.KeyDown, key=single_keys),
    "key_up": st.builds(act.KeyUp, key=single_keys),
    "wait_for_change": st.builds(act.WaitForChange, seconds=st.floats(0, 600) | st.just(30.0)),
    "wait": st.builds(act.Wait, seconds=st.floats(0, 60) | st.just(5.0)),
    "run_code": st.builds(act.RunCode, code=tricky_texts.filter(bool), language=st.sampled_from(act.LANGUAGES)),
    "done": st.just(act.Done()),
    "fail": st.builds(act.Fail, reason=tricky_texts | st.just("")),
    "answer": st.builds(act.Answer, text=tricky_texts),
    "ask_user": st.builds(act.AskUser, question=tricky_texts),
}
any_action = st.one_of(*ACTIONS.values())


def understood(reading: Reading) -> list[Action]:
    """Return the actions of a reading that has no problem."""
    assert reading.problem == ""
    return bare(reading.actions)


def refused(reading: Reading) -> str:
    """Return the problem of a reading, which has no action then."""
    assert reading.actions == ()
    assert reading.problem
    return reading.problem


def fenced(text: str, label: str = "python") -> str:
    return f"```{label}\n{text}\n```"


def kinds(reading: Reading) -> Sequence[str]:
    return [action.kind for action in reading.actions]
