"""No reply, however odd, makes a reader raise, hang or return without bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.actions.action import Action
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.reply import MAX_REPLY
from proctor.actions.dialects.translation import MAX_ACTIONS
from proctor.errors import AgentError
from tests.actions.dialects.samples import HALF, TEXT_DIALECTS, VENDOR_NAMES, any_action, frames, vendor_dialect

READERS = tuple(name for name in TEXT_DIALECTS if name != "ui_tars_1.0")
"""The two versions of UI-TARS are read by the same code."""
PIECES = st.sampled_from(
    ["```", "```python\n", "```json\n", "\n", "DONE", "FAIL", "WAIT", "CALL_USER", "Action: ", "Thought: ", "<think>",
     "</think>", "{", "}", "[", "]", "(", ")", "'", '"', "“", "”", ",", ":", "：", "pyautogui.click(", "pyautogui.",
     "import pyautogui as pg\n", "for i in range(9):\n    ", "while 1: ", "tag_3", "**", "x = ", "x", "10", "1e999",
     "NaN", "-", "lambda: ", "if x: ", "f'{x}'", "\\", "\\n",
     '"type": "click"', '"action_type": "CLICK"', '"x": 1', "#", "//",
     "click(start_box='(1,2)')", "type(content='", "start_box=", '"Function": "keyboard_input"', '"keys": "{ENTER}"',
     " ", "\ud800", "\0", "\u2028", "with pyautogui.hold('ctrl'):\n    ", "[x for x in y]",
     "*", "**2", "@", "=", "%", "^("]
)  # fmt: skip
words = st.lists(PIECES, max_size=40).map("".join)
replies = st.text(max_size=200) | st.text(st.characters(), max_size=50) | words
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | PIECES,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10) | PIECES, inner, max_size=5),
    max_leaves=30,
)
NAMES = {
    "anthropic": ("key", "type", "mouse_move", "left_click", "left_click_drag", "scroll", "hold_key", "wait", "zoom",
                  "left_mouse_down", "triple_click", "screenshot", "cursor_position"),
    "gemini": ("click_at", "hover_at", "type_text_at", "scroll_document", "scroll_at", "drag_and_drop", "navigate",
               "key_combination", "wait_5_seconds", "click", "triple_click", "mouse_down", "move", "scroll", "type",
               "press_key", "hotkey", "key_down", "wait", "take_screenshot"),
    "openai": ("click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait"),
}  # fmt: skip
FIELDS = (
    "x", "y", "text", "keys", "key", "path", "coordinate", "start_coordinate", "region", "duration", "button", "args",
    "scroll_direction", "scroll_amount", "direction", "magnitude", "scroll_x", "scroll_y", "actions", "action", "input",
    "destination_x", "destination_y", "pending_safety_checks", "safety_decision",
)  # fmt: skip


def sound(reading: Reading) -> None:
    """All or nothing: actions or a problem, within limits, and fit to be recorded."""
    assert bool(reading.problem) != bool(reading.actions or reading.looks)
    assert len(reading.actions) <= MAX_ACTIONS
    assert len(reading.looks) <= MAX_ACTIONS
    assert len(reading.problem) < 2000
    for action in reading.actions:
        assert action.given is not None
        action.to_json()


@pytest.mark.parametrize("name", READERS)
@given(reply=replies, frame=frames)
def test_any_text_can_be_read(name: str, reply: str, frame: Frame) -> None:
    sound(open_dialect(name).read(reply, frame))


@pytest.mark.parametrize("name", READERS)
@given(
    actions=st.lists(any_action, min_size=1, max_size=3), place=st.integers(0, 300), cut=st.integers(0, 5), put=words
)
def test_damaged_replies_can_be_read(name: str, actions: list[Action], place: int, cut: int, put: str) -> None:
    dialect = open_dialect(name)
    try:
        reply = dialect.write(actions, HALF)
    except AgentError:
        return
    sound(dialect.read(reply[:place] + put + reply[place + cut :], HALF))


@given(code=words | st.text(max_size=60))
def test_any_program_can_be_read(code: str) -> None:
    sound(open_dialect("pyautogui").read(f"```python\n{code}\n```", HALF))


@pytest.mark.parametrize("name", VENDOR_NAMES)
@given(data=values)
def test_any_data_can_be_read(name: str, data: object) -> None:
    sound(vendor_dialect(name).read_call(data, HALF))


@pytest.mark.parametrize("name", VENDOR_NAMES)
@given(data=st.data())
def test_calls_with_any_arguments_can_be_read(name: str, data: st.DataObject) -> None:
    called = data.draw(st.sampled_from(NAMES[name]))
    fields = data.draw(
        st.dictionaries(st.sampled_from(FIELDS), values | st.sampled_from([[1, 2], "down", 3]), max_size=6)
    )
    call = {"name": called, "args": fields} if name == "gemini" else {**fields, "type": called}
    sound(vendor_dialect(name).read_call(call if name != "anthropic" else {**fields, "action": called}, HALF))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "reply",
    ["x" * 10_000_000, "{" * MAX_REPLY, "[" * MAX_REPLY, "{'a':" * 30_000, "```a\n" * 40_000, "```a```" * 25_000,
     "(" * 90_000, "-" * 90_000 + "1", "a." * 40_000 + "b", "1+" * 40_000 + "1", "DONE x\n" * 20_000, "*" * MAX_REPLY,
     "<think>" * 25_000, "Action: " * 20_000, "type(content='" * 12_000, "x = [" * 20_000, "'" * MAX_REPLY,
     "\ud800" * 1000, "pyautogui.click(1, 2)\n" * 5000, '{"type": "done"}' * 10_000, "if x: \n" * 20_000,
     "Action: " + "hotkey(key='a')\n\n" * 9000, "{'action_type': 'DONE'}," * 8000, " " * MAX_REPLY, "{x" * 90_000],
    ids=lambda reply: repr(reply[:12]),
)  # fmt: skip
def test_a_huge_or_deep_reply_ends_in_a_problem(name: str, reply: str) -> None:
    reading = open_dialect(name).read(reply, HALF)
    assert reading.actions == ()
    assert reading.problem
    fence = open_dialect(name).read(f"```\n{reply[:190_000]}\n```", HALF)
    assert fence.actions == ()
    assert fence.problem


@pytest.mark.parametrize("name", VENDOR_NAMES)
def test_a_deep_call_ends_in_a_problem(name: str) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for data in ({"action": deep}, {"action": "type", "text": deep}, {"name": "click_at", "args": {"x": deep}}, deep):
        assert vendor_dialect(name).read_call(data, HALF).problem
