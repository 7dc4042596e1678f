"""Gemini's computer tool: contents with functionCall and functionResponse parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from proctor.models.model import Picture, RawModel
from proctor.models.pictures import inline_data
from proctor.models.tool_dialect import ToolDialect
from proctor.models.vendor_tool import FAILED, LEFT_OUT, CallResult, Finish, Heard, ToolCall, VendorTool, join_turn
from proctor.models.vendors.gemini.dialect import DESKTOP, GeminiDialect

NO_PAGE = "about:blank"
"""The tool of the second generation was made for browsers and wants an address with every result."""
TO_CONFIRM = "require_confirmation"
"""The verdict on a call that somebody must take responsibility for."""
_SECOND_GENERATION = re.compile(r"gemini-(2[.-]5|2[.-]0|1)")
_FINISHES: dict[str | None, Finish] = {
    None: "stop", "STOP": "stop", "FINISH_REASON_UNSPECIFIED": "stop", "OTHER": "stop", "MAX_TOKENS": "length",
    "MALFORMED_FUNCTION_CALL": "malformed", "UNEXPECTED_TOOL_CALL": "malformed", "TOO_MANY_TOOL_CALLS": "malformed",
    "MALFORMED_RESPONSE": "malformed",
}  # fmt: skip
"""Any other is the provider's own end to it."""


class GeminiTool(VendorTool):
    """A conversation with one of Google's models."""

    dialect: ClassVar[ToolDialect] = GeminiDialect()
    fit: ClassVar[tuple[int, int] | None] = (1440, 900)
    pictures: ClassVar[int] = 3

    def __init__(self, model: RawModel, *, version: str, history: int, max_tokens: int, cache: bool = True) -> None:
        super().__init__(model, version=version, history=history, max_tokens=max_tokens, cache=cache)
        self._system = ""
        self._contents: list[dict[str, Any]] = []

    @classmethod
    def default_version(cls, model: str) -> str:
        return "computer_use" if _SECOND_GENERATION.search(model) else DESKTOP

    def begin(self, system: str) -> None:
        self._system, self._contents = system, []

    def say(self, text: str, picture: Picture | None) -> None:
        self._add("user", [{"text": text}, *([inline_data(picture)] if picture else [])])

    def give(self, results: Sequence[CallResult], text: str) -> None:
        responses = [_response(result, browser=self.version != DESKTOP) for result in results]
        self._add("user", [*responses, *([{"text": text}] if text else [])])

    def payload(self) -> dict[str, object]:
        self._trim()
        return {
            "systemInstruction": {"parts": [{"text": self._system}]},
            "tools": [self.tool, *self._declare_outside()],
            "generationConfig": {"maxOutputTokens": self.max_tokens},
            "contents": self._contents,
        }

    def send(self) -> dict[str, object]:
        return self.model.request(self.payload()).data

    def keep(self, data: dict[str, Any]) -> Heard:
        if not data.get("candidates"):
            return Heard(text=f"blocked by the provider: {data.get('promptFeedback')}", finish="refusal")
        candidate = data["candidates"][0]
        parts = [part for part in (candidate.get("content") or {}).get("parts") or () if isinstance(part, dict)]
        if parts:
            self._add("model", parts)
        finish = _FINISHES.get(candidate.get("finishReason"), "refusal")
        # A stream may end with an empty text.
        last = next((part for part in reversed(parts) if part.get("text") != ""), {})
        return Heard(
            text="\n".join(str(part["text"]) for part in parts if "text" in part and not part.get("thought")),
            thought="\n".join(str(part["text"]) for part in parts if "text" in part and part.get("thought")),
            calls=tuple(self._call(call) for part in parts if isinstance(call := part.get("functionCall"), dict)),
            finish=finish,
            half=finish == "length" and "functionCall" in last,
        )

    def _declare_outside(self) -> list[dict[str, object]]:
        declared = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.schema}
            for tool in self.others
        ]
        return [{"functionDeclarations": declared}] if declared else []

    def _call(self, call: dict[str, Any]) -> ToolCall:
        name = str(call.get("name", ""))
        outside = self.is_outside(name)
        return ToolCall(id=str(call.get("id") or ""), name=name, data=call, outside=outside, arguments=call.get("args"))

    def _add(self, role: str, parts: list[dict[str, Any]]) -> None:
        join_turn(self._contents, role, "parts", parts)

    def _trim(self) -> None:
        """Keep the newest pictures only, all of the last content among them."""
        kept = 0
        for holder, stand_in, is_last in reversed(list(self._holders())):
            for place in reversed(range(len(holder))):
                if "inlineData" in holder[place]:
                    kept += 1
                    if kept > self.history and not is_last:
                        holder[place : place + 1] = stand_in

    def _holders(self) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]], bool]]:
        """Yield the lists that may hold pictures, oldest first.

        What stands in for a picture, and if it is the last.
        """
        for content in self._contents:
            is_last = content is self._contents[-1]
            yield content["parts"], [{"text": LEFT_OUT}], is_last
            for part in content["parts"]:
                if "functionResponse" in part:
                    # The response itself says which screen it was; its parts can only be pictures.
                    yield part["functionResponse"].get("parts", []), [], is_last


def _response(result: CallResult, *, browser: bool) -> dict[str, object]:
    said: dict[str, object] = {"url": NO_PAGE} if browser and not result.call.outside else {}
    if result.text or result.wrong:
        said["error" if result.wrong else "output"] = result.text or FAILED
    if result.label:
        said["screen"] = result.label
    if any(check.code == TO_CONFIRM for check in result.checks):
        said["safety_acknowledgement"] = "true" if browser else True
    response: dict[str, object] = {"name": result.call.name, "response": said}
    if result.call.id:
        response["id"] = result.call.id
    pictures = [*result.handed, *([result.picture] if result.picture else [])]
    if pictures:
        response["parts"] = list(map(inline_data, pictures))
    return {"functionResponse": response}
