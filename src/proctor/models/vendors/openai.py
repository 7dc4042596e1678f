"""OpenAI's computer tool: computer_call and computer_call_output items of the Responses API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Look, Reading, SafetyCheck
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.translation import (
    MAX_ACTIONS,
    PlaceFields,
    button,
    chord,
    hold_keys,
    number,
    place_fields,
    point,
    raw_form,
    text,
    texts,
    too_many,
)
from proctor.errors import AgentError
from proctor.models.model import Picture, RawModel
from proctor.models.past import bounded_lines
from proctor.models.pictures import data_url
from proctor.models.tool_dialect import ToolDialect, call_text, label, record, required_field
from proctor.models.vendor_tool import FAILED, LEFT_OUT, CallResult, Heard, ToolCall, VendorTool
from proctor.records import Tool

PATH = "/responses"
CALLS = ("computer_call", "function_call")

PAST = "What you did before the calls that follow, oldest first:\n"
PIXELS_PER_NOTCH = 100
"""The tool scrolls by pixels; a notch of the wheel moves most applications by about this many."""


@dataclass
class _Exchange:
    """An answer of the model and what was said to it then; the first is the task."""

    items: list[dict[str, Any]]
    lines: list[str] = field(default_factory=list)
    """What it led to, in short."""


class OpenAIDialect(ToolDialect):
    """`computer_call` items of the Responses API."""

    name = "openai"
    versions = ("computer_use_preview", "computer")
    names = {
        "click": ("click", "double_click"), "move": ("move",), "drag": ("drag",), "scroll": ("scroll",),
        "type": ("type",), "press": ("keypress",), "wait": ("wait",),
    }  # fmt: skip

    def declare(self, version: str, size: tuple[int, int], denied: Sequence[str]) -> dict[str, object]:
        if version == "computer":
            return {"type": "computer"}
        return {"type": version, "display_width": size[0], "display_height": size[1], "environment": "linux"}

    def _checks(self, data: Mapping[str, object]) -> tuple[SafetyCheck, ...]:
        pending = data.get("pending_safety_checks")
        return tuple(
            SafetyCheck(id=label(check.get("id")), code=label(check.get("code")), message=label(check.get("message")))
            for check in (pending[:MAX_ACTIONS] if isinstance(pending, list) else ())
            if isinstance(check, dict)
        )

    def read(self, data: Mapping[str, object], frame: Frame) -> Reading:
        """Read a whole call or one action alone."""
        space = open_space("image", frame)
        batch = data.get("actions")
        single = data.get("action", data)
        items = batch if isinstance(batch, list) and batch else [single]
        actions: list[Action] = []
        looks: list[Look] = []
        for item in items:
            entry = record(item, "an action")
            if entry.get("type") == "screenshot":
                looks.append(Look(kind="screenshot", after=len(actions)))
            else:
                actions += _translate(entry, space)
            if len(actions) + len(looks) > MAX_ACTIONS:
                raise too_many()
        return Reading(actions=tuple(actions), looks=tuple(looks))


def _translate(entry: Mapping[str, object], space: Space) -> Iterator[Action]:
    source = call_text(entry)
    keys = tuple(texts(entry["keys"], "keys")) if entry.get("keys") else ()
    at: PlaceFields = {}
    if entry.get("type") in ("click", "double_click", "move", "scroll"):
        at = place_fields(source, (number(entry.get("x"), "x"), number(entry.get("y"), "y")), space)
    heard = at.get("given") or raw_form(source)
    match entry.get("type"):
        case "click":
            yield act.Click(**at, button=button(entry.get("button", "left")), modifiers=keys)
        case "double_click":
            yield act.Click(**at, count=2, modifiers=keys)
        case "move":
            yield from hold_keys(keys, [act.Move(**at)], raw_form(source))
        case "scroll":
            far = [_notches(entry.get(name, 0), name) for name in ("scroll_x", "scroll_y")]
            yield act.Scroll(**at, dx=far[0], dy=far[1], modifiers=keys)
        case "drag":
            yield _drag(entry, keys, source, space)
        case "keypress":
            yield act.Press(keys=chord(keys), given=heard)
        case "type":
            yield act.Type(text=text(required_field(entry, "text"), "text"), given=heard)
        case "wait":
            yield act.Wait(given=heard)
        case other:
            raise AgentError(f"unknown action type {str(other)[:40]!r}", remedy="use the types of the computer tool")


def _drag(entry: Mapping[str, object], keys: tuple[str, ...], source: str, space: Space) -> Action:
    path = required_field(entry, "path")
    if not isinstance(path, list) or not path:
        raise AgentError("the path of a drag is empty", remedy="give at least two points")
    points = [point(item, "path") for item in path]
    return act.Drag(
        path=tuple(space.place(*item) for item in points), modifiers=keys, given=raw_form(source, points, space.name)
    )


def _notches(pixels: object, what: str) -> int:
    """Return notches of the wheel, at least one for any distance."""
    far = number(pixels, what)
    return round(far / PIXELS_PER_NOTCH) or (far > 0) - (far < 0)


class OpenAITool(VendorTool):
    """A conversation with one of OpenAI's models."""

    dialect: ClassVar[ToolDialect] = OpenAIDialect()
    fit: ClassVar[tuple[int, int] | None] = (1440, 900)
    whole: ClassVar[bool] = True
    pictures_always: ClassVar[bool] = True

    def __init__(self, model: RawModel, *, version: str, history: int, max_tokens: int, cache: bool = True) -> None:
        super().__init__(model, version=version, history=history, max_tokens=max_tokens, cache=cache)
        self._system = ""
        self._exchanges: list[_Exchange] = []
        self._left_out: list[str] = []
        self._detail = "original" if version == "computer" else "high"

    @classmethod
    def default_version(cls, model: str) -> str:
        return "computer_use_preview" if "computer-use-preview" in model else "computer"

    def begin(self, system: str) -> None:
        self._system, self._left_out, self._exchanges = system, [], []

    def say(self, text: str, picture: Picture | None) -> None:
        content: list[dict[str, object]] = [{"type": "input_text", "text": text}]
        if picture is not None:
            content.append(self._image(picture))
        self._add({"type": "message", "role": "user", "content": content})

    def give(self, results: Sequence[CallResult], text: str) -> None:
        for result in results:
            if result.call.outside:
                last = result is results[-1]
                said = self._outside_output(result, last=last)
                self._add({"type": "function_call_output", "call_id": result.call.id, "output": said})
                continue
            assert result.picture is not None, "the provider takes no result without a picture"
            output: dict[str, Any] = {
                "type": "computer_call_output",
                "call_id": result.call.id,
                "output": {"type": "computer_screenshot", "image_url": data_url(result.picture)},
            }
            if self._detail == "original":
                output["output"]["detail"] = self._detail
            if checks := result.call.data.get("pending_safety_checks"):
                output["acknowledged_safety_checks"] = checks
            self._add(output)
        if text := "\n".join(filter(None, [*(result.text for result in results if not result.call.outside), text])):
            self.say(text, None)

    def _outside_output(self, result: CallResult, *, last: bool) -> list[dict[str, object]]:
        """Return what a tool outside of the computer answered; the last result shows the screen as well."""
        said = [result.text or (FAILED if result.wrong else "(nothing)"), result.label if last else ""]
        pictures = [*result.handed, *([result.picture] if last and result.picture else [])]
        return [{"type": "input_text", "text": "\n".join(filter(None, said))}, *map(self._image, pictures)]

    def _image(self, picture: Picture) -> dict[str, object]:
        return {"type": "input_image", "image_url": data_url(picture), "detail": self._detail}

    def note(self, lines: Sequence[str]) -> None:
        if self._exchanges:
            self._exchanges[-1].lines += lines

    def payload(self) -> dict[str, object]:
        self._trim()
        return {
            "instructions": self._system,
            "tools": [self.tool, *map(_declare_outside, self.others)],
            "truncation": "auto",
            "max_output_tokens": self.max_tokens,
            "input": [item for exchange in self._exchanges for item in exchange.items],
        }

    def send(self) -> dict[str, object]:
        return self.model.request(self.payload(), path=PATH).data

    def keep(self, data: dict[str, Any]) -> Heard:
        items = [item for item in data["output"] if isinstance(item, dict)]
        self._exchanges.append(_Exchange(_repeatable(items)))
        parts = [part for item in items if item.get("type") == "message" for part in item.get("content") or ()]
        refusals = [str(part.get("refusal", "")) for part in parts if part.get("type") == "refusal"]
        texts = [str(part.get("text", "")) for part in parts if part.get("type") == "output_text"]
        finish = _finish(bool(refusals), (data.get("incomplete_details") or {}).get("reason"))
        return Heard(
            text="\n".join([*texts, *refusals]),
            thought="\n".join(
                str(summary.get("text", ""))
                for item in items
                if item.get("type") == "reasoning"
                for summary in item.get("summary") or ()
            ),
            calls=tuple(_call(item) for item in items if item.get("type") in CALLS),
            finish=finish,
            half=finish == "length" and bool(items) and items[-1].get("type") in CALLS,
        )

    def _add(self, item: dict[str, Any]) -> None:
        if not self._exchanges:
            self._exchanges.append(_Exchange([]))
        self._exchanges[-1].items.append(item)

    def _trim(self) -> None:
        """Keep the task and the newest exchanges whole: a call without its picture is refused.

        Of what goes, a line for each step stays in the first message.
        """
        opening, *later = self._exchanges
        if len(later) < self.history:
            return
        surplus = len(later) - self.history
        self._left_out += [line for exchange in later[:surplus] for line in exchange.lines]
        content = [*opening.items[0]["content"][:1], {"type": "input_text", "text": LEFT_OUT}]
        if self._left_out:
            content.append({"type": "input_text", "text": PAST + bounded_lines(self._left_out)})
        self._exchanges = [_Exchange([{**opening.items[0], "content": content}]), *later[surplus:]]


def _declare_outside(tool: Tool) -> dict[str, object]:
    # Strict schemas are a part of JSON Schema only, and servers write what they like.
    declared = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", **declared, "strict": False}


def _repeatable(items: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the items of an answer that may be sent again: no thought that nothing came of."""
    kept = list(items)
    while kept and kept[-1].get("type") == "reasoning":
        kept.pop()
    return kept


def _call(item: dict[str, Any]) -> ToolCall:
    outside = item["type"] == "function_call"
    name = str(item.get("name", "")) if outside else "computer"
    given = item.get("arguments")
    return ToolCall(id=str(item.get("call_id", "")), name=name, data=item, outside=outside, arguments=given)


def _finish(refused: bool, reason: object) -> Literal["stop", "length", "refusal"]:
    if refused:
        return "refusal"
    return "length" if reason == "max_output_tokens" else "stop"


TOOL = OpenAITool
