"""The closed, typed set of actions, in desktop pixels, with a loss-free JSON form."""

from __future__ import annotations

import difflib
import json
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from proctor.actions import fields
from proctor.actions.fields import Bounds, JsonSchema, Length
from proctor.errors import AgentError

Button = Literal["left", "middle", "right", "back", "forward"]
Language = Literal["python", "shell"]

# Limits keep one action finite: no action of an agent may occupy the computer or a record for hours.
Finite = Annotated[float, Bounds(-1e300, 1e300)]
Coordinate = Annotated[float, Bounds(-100_000, 100_000)]
Point = tuple[Coordinate, Coordinate]
PointPath = Annotated[tuple[Point, ...], Length(1, 10_000)]
Notches = Annotated[int, Bounds(-10_000, 10_000)]
Text = Annotated[str, Length(0, 100_000)]
Words = Annotated[str, Length(0, 20_000)]
"""An answer or a question, which is read for what it means; that takes longer than to type it."""
Keys = Annotated[str, Length(1, 1_000)]
Modifiers = Annotated[tuple[Keys, ...], Length(0, 8)]
Code = Annotated[str, Length(1, 1_000_000)]
JsonObject = dict
"""Fields are checked by plain classes."""
MOST_ARGUMENTS = 1_000_000
"""Bytes of a tool's arguments, as JSON."""
MOST_NESTING = 50
"""Objects and lists within one another, in a tool's arguments; a record with more could not be read again."""

BUTTONS: tuple[str, ...] = typing.get_args(Button)
LANGUAGES: tuple[str, ...] = typing.get_args(Language)


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """What the model wrote before it was translated to desktop pixels."""

    text: str = ""
    """The model's own words or code for this action."""
    points: tuple[tuple[Finite, Finite], ...] = ()
    """Its raw coordinates, in `space`."""
    space: str = ""
    """The space of those coordinates, such as `image 1280x720`, `grid 0-999` or `unit`."""

    def __post_init__(self) -> None:
        _refuse("given", fields.problems(self))


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """Something an agent does; subclasses are the whole vocabulary."""

    kind: ClassVar[str]
    given: Given | None = None
    """The model's raw form of this action, where one exists."""

    def __post_init__(self) -> None:
        _refuse(self.kind, (*fields.problems(self), *self._conflicts()))

    def _conflicts(self) -> Iterator[str]:
        """Yield what is wrong between fields that are each right."""
        yield from ()

    def to_json(self) -> dict[str, object]:
        """Return the action as plain data; defaults are left out."""
        return {"type": self.kind, **fields.to_json(self)}


@dataclass(frozen=True, kw_only=True, slots=True)
class InputAction(Action):
    """An action that touches the computer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalAction(Action):
    """A signal; it does not touch the computer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Move(InputAction):
    """Move the pointer to a point."""

    kind: ClassVar[str] = "move"
    x: Coordinate
    y: Coordinate


@dataclass(frozen=True, kw_only=True, slots=True)
class Click(InputAction):
    """Press and release a mouse button, at a point or where the pointer is."""

    kind: ClassVar[str] = "click"
    x: Coordinate | None = None
    y: Coordinate | None = None
    button: Button = "left"
    count: Annotated[int, Bounds(1, 3)] = 1
    """1 to 3: single, double, triple."""
    modifiers: Modifiers = ()
    """Keys held meanwhile, such as `ctrl`."""

    def _conflicts(self) -> Iterator[str]:
        return _half_a_place(self.x, self.y)


@dataclass(frozen=True, kw_only=True, slots=True)
class MouseDown(InputAction):
    """Press a mouse button and hold it."""

    kind: ClassVar[str] = "mouse_down"
    button: Button = "left"


@dataclass(frozen=True, kw_only=True, slots=True)
class MouseUp(InputAction):
    """Release a held mouse button."""

    kind: ClassVar[str] = "mouse_up"
    button: Button = "left"


@dataclass(frozen=True, kw_only=True, slots=True)
class Drag(InputAction):
    """Drag along a path; a path of one point starts where the pointer is."""

    kind: ClassVar[str] = "drag"
    path: PointPath
    button: Button = "left"
    modifiers: Modifiers = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Scroll(InputAction):
    """Turn the mouse wheel by notches; positive `dy` shows what is below, `dx` what is to the right."""

    kind: ClassVar[str] = "scroll"
    dx: Notches = 0
    dy: Notches = 0
    x: Coordinate | None = None
    y: Coordinate | None = None
    modifiers: Modifiers = ()

    def _conflicts(self) -> Iterator[str]:
        return _half_a_place(self.x, self.y)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tap(InputAction):
    """Tap a point with a finger, once or several times in a row."""

    kind: ClassVar[str] = "tap"
    x: Coordinate
    y: Coordinate
    count: Annotated[int, Bounds(1, 3)] = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class LongPress(InputAction):
    """Touch a point with a finger and hold it there."""

    kind: ClassVar[str] = "long_press"
    x: Coordinate
    y: Coordinate
    seconds: Annotated[float, Bounds(0, 10, above=True)] = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Swipe(InputAction):
    """Move a finger over the screen along a path, dragging what is under it."""

    kind: ClassVar[str] = "swipe"
    path: PointPath
    seconds: Annotated[float, Bounds(0, 10, above=True)] = 0.3
    """How long it takes: a fast one flings, a slow one moves."""

    def _conflicts(self) -> Iterator[str]:
        if len(self.path) < 2:
            yield "path has one point; a swipe goes from one point to another"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pinch(InputAction):
    """Move two fingers around a point: apart to enlarge (scale above 1), together to shrink."""

    kind: ClassVar[str] = "pinch"
    x: Coordinate
    y: Coordinate
    scale: Annotated[float, Bounds(0.1, 10)]


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenApp(InputAction):
    """Open an application by its name, from the phone's list of apps."""

    kind: ClassVar[str] = "open_app"
    name: Annotated[str, Length(1, 200)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Type(InputAction):
    """Type a text exactly; a newline is the Return key, a tab the Tab key."""

    kind: ClassVar[str] = "type"
    text: Text


@dataclass(frozen=True, kw_only=True, slots=True)
class Press(InputAction):
    """Press a key or key combination, such as `ctrl+shift+t`; separate several with spaces."""

    kind: ClassVar[str] = "press"
    keys: Keys


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyDown(InputAction):
    """Press a key and hold it."""

    kind: ClassVar[str] = "key_down"
    key: Keys


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyUp(InputAction):
    """Release a held key."""

    kind: ClassVar[str] = "key_up"
    key: Keys


@dataclass(frozen=True, kw_only=True, slots=True)
class Wait(InputAction):
    """Wait while the computer works."""

    kind: ClassVar[str] = "wait"
    seconds: Annotated[float, Bounds(0, 60)] = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitForChange(InputAction):
    """Let time pass until something new is on the screen; `seconds` is the longest."""

    kind: ClassVar[str] = "wait_for_change"
    seconds: Annotated[float, Bounds(0, 600)] = 30.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCode(InputAction):
    """Run code inside the computer, as its user; state persists between calls."""

    kind: ClassVar[str] = "run_code"
    code: Code
    language: Language = "python"
    timeout_sec: Annotated[float, Bounds(0, 600, above=True)] = 30.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Done(SignalAction):
    """Say that the task is finished."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fail(SignalAction):
    """Say that the task cannot be done."""

    kind: ClassVar[str] = "fail"
    reason: Text = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer(SignalAction):
    """Answer a question that the task asks."""

    kind: ClassVar[str] = "answer"
    text: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class AskUser(SignalAction):
    """Ask the user something."""

    kind: ClassVar[str] = "ask_user"
    question: Words


@dataclass(frozen=True, kw_only=True, slots=True)
class CallTool(Action):
    """Call a tool that a server outside of the computer has; only where the brief offers it."""

    kind: ClassVar[str] = "call_tool"
    tool: Annotated[str, Length(1, 200)]
    """Its name, as the brief offers it."""
    arguments: JsonObject | None = None  # type: ignore[type-arg]
    """By name; None for none."""

    def _conflicts(self) -> Iterator[str]:
        if _nests_deeper(self.arguments, MOST_NESTING):
            yield f"arguments are nested more than {MOST_NESTING} deep"
            return
        try:
            size = len(json.dumps(self.arguments, ensure_ascii=False, allow_nan=False).encode())
        except (TypeError, ValueError) as error:
            yield f"arguments cannot be written as JSON ({error})"
        else:
            if size > MOST_ARGUMENTS:
                yield f"arguments have {size} bytes; send at most {MOST_ARGUMENTS}"


ACTIONS: dict[str, type[Action]] = {
    cls.kind: cls
    for cls in (
        Move, Click, MouseDown, MouseUp, Drag, Scroll, Tap, LongPress, Swipe, Pinch, OpenApp, Type, Press, KeyDown,
        KeyUp, Wait, WaitForChange, RunCode, Done, Fail, Answer, AskUser,
    )
}  # fmt: skip

TOUCH = frozenset(cls.kind for cls in (Tap, LongPress, Swipe, Pinch))
"""The kinds that need a touch screen."""
ON_A_DESKTOP: tuple[str, ...] = tuple(kind for kind in ACTIONS if kind not in {*TOUCH, OpenApp.kind})

KNOWN: dict[str, type[Action]] = {**ACTIONS, CallTool.kind: CallTool}
"""All that a record may hold. ACTIONS are what one does on a computer and says; a tool is neither."""

SIGNALS = frozenset(kind for kind, cls in ACTIONS.items() if issubclass(cls, SignalAction))
"""The kinds of what is said and not done."""


def from_json(data: object) -> Action:
    """Return the action that `to_json` wrote; any other data is an AgentError that says how to write."""
    if not isinstance(data, dict):
        raise AgentError(f"an action cannot be {fields.show(data)}", remedy='write it as {"type": ..., ...}')
    kind = data.get("type")
    cls = KNOWN.get(kind) if isinstance(kind, str) else None
    if cls is None:
        near = difflib.get_close_matches(kind[:40], ACTIONS, n=1) if isinstance(kind, str) else []
        remedy = f"did you mean {near[0]!r}?" if near else f"choose one of: {', '.join(ACTIONS)}"
        raise AgentError(f"unknown action type {fields.show(kind)}", remedy=remedy)
    rest = {name: value for name, value in data.items() if name != "type"}
    make: Callable[..., Action] = cls
    return make(**fields.read(cls, rest, f"action {kind!r}"))


def schema() -> dict[str, object]:
    """Return the JSON schema of the closed set: one alternative for each kind of action."""
    alternatives = [*schemas().values()]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Action", "oneOf": alternatives}


def schemas() -> dict[str, JsonSchema]:
    """Return the JSON schema of each kind of action."""
    found: dict[str, JsonSchema] = {}
    for kind, cls in ACTIONS.items():
        form = fields.schema(cls)
        properties: dict[str, JsonSchema] = {"type": {"const": kind}, **form["properties"]}
        found[kind] = {**form, "properties": properties, "required": ["type", *form["required"]]}
    return found


def _refuse(what: str, found: Iterable[str]) -> None:
    if listed := list(found):
        raise AgentError(f"{what}: {'; '.join(listed)}", remedy="correct the named fields and send the action again")


def _nests_deeper(value: object, most: int) -> bool:
    """Tell whether plain data is nested deeper than so many levels."""
    level = [value]
    for _ in range(most + 1):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list | tuple)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return any(isinstance(item, dict | list | tuple) for item in level)


def _half_a_place(x: float | None, y: float | None) -> Iterator[str]:
    if (x is None) != (y is None):
        yield f"only one of x and y is given (x={x!r}, y={y!r}); give both, or neither for the pointer's position"
