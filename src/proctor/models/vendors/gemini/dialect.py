"""Gemini's computer tool: function calls whose coordinates lie on a grid from 0 to 999.

Its browser functions (`navigate`, `go_back`, ...) are left out of the declaration: on a desktop there is no such page.
`long_press_at`, which Google names for mobile devices, is understood where a model writes it. Calls of both
generations are understood whichever was declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Look, Reading, SafetyCheck
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.translation import PlaceFields, number, place_fields, raw_form, scroll_direction, text
from proctor.errors import AgentError
from proctor.models.tool_dialect import ToolDialect, call_text, label, only_look, record, required_field
from proctor.models.vendors.gemini import desktop

BROWSER_FUNCTIONS = ("open_web_browser", "navigate", "search", "go_back", "go_forward")
GRID_PER_NOTCH = 100
"""How far one notch of the wheel scrolls, in cells of the grid."""
USUAL_MAGNITUDE = 800
WAIT_SEC = 5.0
BLOCKED = "blocked"
"""The verdict on a call that must not be carried out."""
DESKTOP = "computer_use_desktop"
"""The tool since the third generation, as `version` names it; the wire knows it by its environment."""


class GeminiDialect(ToolDialect):
    """The predefined functions of the computer-use tool."""

    name = "gemini"
    versions = ("computer_use", DESKTOP)
    space = "grid 0-999"
    names = {
        "click": ("click_at",), "move": ("hover_at",), "drag": ("drag_and_drop",), "type": ("type_text_at",),
        "scroll": ("scroll_at", "scroll_document"), "press": ("key_combination",), "wait": ("wait_5_seconds",),
    }  # fmt: skip

    def names_in(self, version: str) -> Mapping[str, tuple[str, ...]]:
        return desktop.NAMES if version == DESKTOP else self.names

    def declare(self, version: str, size: tuple[int, int], denied: Sequence[str]) -> dict[str, object]:
        if version == DESKTOP:
            name, where, excluded = "computer_use", "DESKTOP", ["navigate", "go_back", "go_forward", *denied]
        else:
            name, where, excluded = version, "BROWSER", [*BROWSER_FUNCTIONS, *denied]
        return {name: {"environment": f"ENVIRONMENT_{where}", "excluded_predefined_functions": excluded}}

    def _checks(self, data: Mapping[str, object]) -> tuple[SafetyCheck, ...]:
        call = _call(data)
        arguments = call.get("args") or call.get("arguments")
        decision = arguments.get("safety_decision") if isinstance(arguments, dict) else None
        if not isinstance(decision, dict):
            return ()
        return (SafetyCheck(code=label(decision.get("decision")), message=label(decision.get("explanation"))),)

    def read(self, data: Mapping[str, object], frame: Frame) -> Reading:
        call = _call(data)
        name = call.get("name")
        if not isinstance(name, str):
            raise AgentError("the call has no name", remedy="call one of the tool's functions")
        if name in BROWSER_FUNCTIONS:
            raise AgentError(f"{name} is not available on a desktop", remedy="use the pointer and the keyboard")
        if name == desktop.SCREENSHOT:
            return only_look(Look(kind="screenshot"))
        if any(check.code == BLOCKED for check in self._checks(data)):
            raise AgentError(f"{name} was blocked by the provider's safety policy", remedy="find another way or stop")
        arguments = record(call.get("args") or call.get("arguments") or {}, "args")
        newer = name in desktop.OWN and "destination_x" not in arguments
        translate = desktop.translate if newer else _translate
        return Reading(actions=tuple(translate(name, arguments, call_text(call), open_space("grid 0-999", frame))))


def _call(data: Mapping[str, object]) -> Mapping[str, object]:
    """Return the call itself, whether or not it came inside a part of a message."""
    inner = data.get("functionCall", data.get("function_call", data))
    return inner if isinstance(inner, dict) else {}


def _translate(name: str, arguments: Mapping[str, object], source: str, space: Space) -> Iterator[Action]:
    plain = raw_form(source)
    at: PlaceFields = {}
    raw = (0.0, 0.0)
    if name in ("click_at", "long_press_at", "hover_at", "type_text_at", "scroll_at", "drag_and_drop"):
        raw = desktop.pair(arguments, "x", "y")
        at = place_fields(source, raw, space)
    match name:
        case "click_at":
            yield act.Click(**at)
        case "long_press_at":
            yield act.LongPress(**at)
        case "hover_at":
            yield act.Move(**at)
        case "type_text_at":
            yield from _type_at(arguments, at, plain)
        case "scroll_at":
            magnitude = number(arguments.get("magnitude", USUAL_MAGNITUDE), "magnitude")
            yield _scroll(arguments, at, max(round(magnitude / GRID_PER_NOTCH), 1))
        case "scroll_document":
            yield _page(arguments, plain)
        case "drag_and_drop":
            end = desktop.pair(arguments, "destination_x", "destination_y")
            path = (space.place(*raw), space.place(*end))
            yield act.Drag(path=path, given=raw_form(source, [raw, end], space.name))
        case "key_combination":
            yield act.Press(keys=text(required_field(arguments, "keys"), "keys"), given=plain)
        case "wait_5_seconds":
            yield act.Wait(seconds=WAIT_SEC, given=plain)
        case _:
            raise AgentError(f"unknown function {name[:40]!r}", remedy="call one of the tool's functions")


def _type_at(arguments: Mapping[str, object], at: PlaceFields, source: act.Given) -> Iterator[Action]:
    """Click, clear, type and confirm; the last three as the call says, by default all of them."""
    yield act.Click(**at)
    if arguments.get("clear_before_typing", True):
        yield act.Press(keys="ctrl+a delete", given=source)
    yield act.Type(text=text(required_field(arguments, "text"), "text"), given=source)
    if arguments.get("press_enter", True):
        yield act.Press(keys="enter", given=source)


def _scroll(arguments: Mapping[str, object], at: PlaceFields, notches: int) -> Action:
    across, down = scroll_direction(arguments.get("direction"))
    return act.Scroll(**at, dx=across * notches, dy=down * notches)


def _page(arguments: Mapping[str, object], source: act.Given) -> Action:
    """Scroll by a page: a key does so downward and upward, the wheel sideways."""
    across, down = scroll_direction(arguments.get("direction"))
    if down:
        return act.Press(keys="pagedown" if down > 0 else "pageup", given=source)
    return act.Scroll(dx=across * USUAL_MAGNITUDE // GRID_PER_NOTCH, given=source)
