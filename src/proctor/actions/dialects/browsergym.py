"""BrowserGym: calls such as `click('12')` (an element's id), `mouse_click(10, 20)`.

What goes past the screen there goes by hand here: a field is filled with keys, and an address is typed, which needs a
browser that shows one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import prompt_words
from proctor.actions.dialects.browsergym_calls import FUNCTIONS, NOTCH, BrowserCall
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.reply import special, special_lines
from proctor.actions.dialects.space import open_space
from proctor.actions.dialects.text_dialect import TextDialect
from proctor.actions.dialects.translation import MAX_ACTIONS, no_word, too_many
from proctor.errors import AgentError

_WITH_A_TEXT = {
    "type": ("keyboard_type", "text"), "press": ("keyboard_press", "keys"), "key_down": ("keyboard_down", "key"),
    "key_up": ("keyboard_up", "key"), "fail": ("report_infeasible", "reason"), "answer": ("send_msg_to_user", "text"),
}  # fmt: skip
"""Kinds of actions that hold one text: the function that takes it, and the field that has it."""


class BrowserGym(TextDialect):
    """BrowserGym's action sets chat, infeas, bid, coord, nav and tab, one call a line."""

    name = "browsergym"
    kinds = (
        "click", "move", "drag", "scroll", "type", "press", "key_down", "key_up", "wait", "wait_for_change", "done",
        "fail", "answer",
    )  # fmt: skip
    hint = "write a call in a code fence, such as mouse_click(10, 20) or click('12')"
    labels = frozenset({"python", "py"})
    endings = {"done": "DONE", "fail": "report_infeasible('...')", "answer": "send_msg_to_user('...')"}
    by_id = "click('3')"

    def describe(self, kinds: Sequence[str], frame: Frame) -> str:
        """Return the calls for these kinds."""
        marked = prompt_words.has_ids(frame)
        return prompt_words.join_lines(
            "Write your actions as calls in a code fence labelled python, one per line; they are carried out in order.",
            prompt_words.list_forms(kinds, FORMS),
            _by_bid(kinds) if marked else "",
            prompt_words.places(open_space("image", frame), frame, kinds, "a bid, as in click('3'),"),
            self.example(kinds, frame),
        )

    def _read_block(self, body: str, frame: Frame) -> Reading:
        actions: list[Action] = []
        for source in _statements(body):
            word = special(source)
            actions += [word] if word else BrowserCall(source, frame).actions()
        return Reading(actions=tuple(actions))

    def _read_prose(self, prose: str, frame: Frame) -> Reading:
        """Read the lines that are calls of ours; the others are thought."""
        lines = prose.splitlines()
        calls = [line.strip() for line in lines if line.strip().partition("(")[0] in FUNCTIONS and ")" in line]
        taken = set(calls)
        words = "\n".join(line for line in lines if line.strip() not in taken)
        if len(calls) > MAX_ACTIONS:
            raise too_many()
        actions = [action for line in calls for action in BrowserCall(line, frame).actions()]
        return Reading(actions=(*actions, *special_lines(prose)), thought=words)

    def _render(self, action: Action, frame: Frame) -> str:
        space = open_space("image", frame)

        def at(x: float, y: float) -> str:
            return ", ".join(f"{each:g}" if each != int(each) else str(int(each)) for each in space.raw(x, y))

        match action:
            case act.Move(x=x, y=y):
                return f"mouse_move({at(x, y)})"
            case act.Click(x=x, y=y, button=which, count=count, modifiers=()) if x is not None and y is not None:
                name = {1: "mouse_click", 2: "mouse_dblclick"}.get(count)
                if name and which in ("left", "middle", "right"):
                    return f"{name}({at(x, y)}{'' if which == 'left' else f', button={which!r}'})"
            case act.Drag(path=((x, y), (to_x, to_y)), button="left", modifiers=()):
                return f"mouse_drag_and_drop({at(x, y)}, {at(to_x, to_y)})"
            case act.Scroll(dx=dx, dy=dy, x=x, y=y, modifiers=()):
                by = f"{dx * NOTCH}, {dy * NOTCH}"
                return f"scroll({by})" if x is None or y is None else f"scroll_at({at(x, y)}, {by})"
        return self._render_rest(action)

    def _render_rest(self, action: Action) -> str:
        match action:
            case act.Wait(seconds=seconds):
                return f"noop({seconds * 1000:g})"
            case act.WaitForChange(seconds=seconds):
                return f"wait_for_change({seconds:g})"
            case act.Done():
                return "DONE"
        function, field = _WITH_A_TEXT.get(action.kind, ("", ""))
        if not function or (isinstance(action, act.Press) and " " in action.keys):
            raise no_word(self.name, action)
        return f"{function}({getattr(action, field)!r})"

    def _assemble(self, pieces: Sequence[str]) -> str:
        return "```python\n" + "\n".join(pieces) + "\n```"


FORMS = {
    "click": "mouse_click(x, y, button='left') | mouse_dblclick(x, y, button='left')",
    "move": "mouse_move(x, y)",
    "drag": "mouse_drag_and_drop(from_x, from_y, to_x, to_y)",
    "scroll": "scroll_at(x, y, dx, dy) | scroll(dx, dy), in pixels; positive is right and down",
    "type": "keyboard_type('text')",
    "press": "keyboard_press('Control+a'), with the names of keys as in Playwright",
    "key_down": "keyboard_down('Shift')",
    "key_up": "keyboard_up('Shift')",
    "wait": "noop(wait_ms)",
    "wait_for_change": "wait_for_change(seconds=30)",
    "done": "DONE alone on its line",
    "fail": "report_infeasible('reason')",
    "answer": "send_msg_to_user('text')",
}


def _by_bid(kinds: Sequence[str]) -> str:
    """Return the calls that name an element by its bid, as far as all that they do is allowed."""
    forms = {
        "click": "click('bid', button='left'), dblclick('bid'), focus('bid')",
        "move": "hover('bid')",
        "drag": "drag_and_drop('from_bid', 'to_bid')",
    }
    if {"click", "press", "type"} <= set(kinds):
        forms["click"] += ", fill('bid', 'value'), clear('bid'), select_option('bid', 'option'), press('bid', 'Enter')"
    listed = "; ".join(form for kind, form in forms.items() if kind in kinds)
    return f"On elements, whose bid is their id: {listed}." if listed else ""


def _statements(body: str) -> list[str]:
    """Return the statements of a block; raises AgentError where it is no Python, or too much of it."""
    try:
        found = ast.parse(body.strip()).body
        if len(found) > MAX_ACTIONS:
            raise too_many()
        return [ast.unparse(statement) for statement in found]
    except (SyntaxError, ValueError, MemoryError) as error:
        raise AgentError(
            f"the calls cannot be parsed: {error}", remedy="write one call per line, with text in quotes"
        ) from error
