"""OpenAI's computer tool: the Responses API with computer_call and computer_call_output items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from proctor.agents.history import listed
from proctor.agents.native.conversation import FAILED, LEFT_OUT, Conversation, Heard, Result, ToolCall
from proctor.models.model import Picture, RawModel
from proctor.models.pictures import data_url
from proctor.records import Tool

PATH = "/responses"
CALLS = ("computer_call", "function_call")

PAST = "What you did before the calls that follow, oldest first:\n"


@dataclass
class _Exchange:
    """An answer of the model and what was said to it then; the first is the task."""

    items: list[dict[str, Any]]
    lines: list[str] = field(default_factory=list)
    """What it led to, in short."""


class OpenAITalk(Conversation):
    """A conversation with one of OpenAI's models."""

    dialect: ClassVar[str] = "openai"
    fit: ClassVar[tuple[int, int] | None] = None
    pictures_always: ClassVar[bool] = True

    def __init__(self, model: RawModel, *, version: str, history: int, max_tokens: int, cache: bool = True) -> None:
        super().__init__(model, version=version, history=history, max_tokens=max_tokens, cache=cache)
        self._system = ""
        self._exchanges: list[_Exchange] = []
        self._left_out: list[str] = []
        self._detail = "original" if version == "computer" else "high"

    @classmethod
    def default_version(cls, model: str) -> str:
        """Return which version of the tool a model was made for."""
        return "computer_use_preview" if "computer-use-preview" in model else "computer"

    def begin(self, system: str) -> None:
        """Forget everything and take new standing instructions."""
        self._system, self._left_out = system, []
        self._exchanges = []

    def say(self, text: str, picture: Picture | None) -> None:
        """Add a message of the user."""
        content: list[dict[str, Any]] = [{"type": "input_text", "text": text}]
        if picture is not None:
            content.append(self._image(picture))
        self._add({"type": "message", "role": "user", "content": content})

    def give(self, results: Sequence[Result], text: str) -> None:
        """Add what came of each call, and words to the model besides."""
        for result in results:
            if result.call.outside:
                last = result is results[-1]
                self._add({
                    "type": "function_call_output", "call_id": result.call.id, "output": self._said(result, last=last),
                })  # fmt: skip
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

    def _said(self, result: Result, *, last: bool) -> list[dict[str, Any]]:
        """Return what a tool outside of the computer answered; the last result shows the screen as well."""
        said = [result.text or (FAILED if result.wrong else "(nothing)"), result.label if last else ""]
        pictures = [*result.handed, *([result.picture] if last and result.picture else [])]
        return [{"type": "input_text", "text": "\n".join(filter(None, said))}, *map(self._image, pictures)]

    def _image(self, picture: Picture) -> dict[str, Any]:
        return {"type": "input_image", "image_url": data_url(picture), "detail": self._detail}

    def note(self, lines: Sequence[str]) -> None:
        """Take a line for each thing that the last answer led to."""
        if self._exchanges:
            self._exchanges[-1].lines += lines

    def payload(self) -> dict[str, Any]:
        """Return the body of the next request."""
        self._trim()
        return {
            "instructions": self._system,
            "tools": [self.tool, *map(_declared, self.others)],
            "truncation": "auto",
            "max_output_tokens": self._max_tokens,
            "input": [item for exchange in self._exchanges for item in exchange.items],
        }

    def _send(self) -> dict[str, Any]:
        return self._model.request(self.payload(), path=PATH).data

    def _keep(self, data: dict[str, Any]) -> Heard:
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
        """Keep the task and the newest exchanges; a call without its picture is refused, so the two go together.

        Of what goes, a line for each step stays in the first message.
        """
        opening, *later = self._exchanges
        if len(later) < self._history:
            return
        surplus = len(later) - self._history
        self._left_out += [line for exchange in later[:surplus] for line in exchange.lines]
        content = [*opening.items[0]["content"][:1], {"type": "input_text", "text": LEFT_OUT}]
        if self._left_out:
            content.append({"type": "input_text", "text": PAST + listed(self._left_out)})
        self._exchanges = [_Exchange([{**opening.items[0], "content": content}]), *later[surplus:]]


def _declared(tool: Tool) -> dict[str, Any]:
    # Strict schemas are a part of JSON Schema only, and servers write what they like.
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": False,
    }


def _repeatable(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return those items of an answer that a request may repeat: a thought that nothing came of is refused."""
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
    if refused or reason == "content_filter":
        return "refusal"
    return "length" if reason == "max_output_tokens" else "stop"
