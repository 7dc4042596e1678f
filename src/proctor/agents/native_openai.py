"""OpenAI's computer tool: the Responses API with computer_call and computer_call_output items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from proctor.agents.native_talk import Call, Heard, Result, Talk
from proctor.models.model import Picture, RawModel
from proctor.models.pictures import data_url

PATH = "/responses"


class OpenAITalk(Talk):
    """A conversation with one of OpenAI's models."""

    dialect: ClassVar[str] = "openai"
    fit: ClassVar[tuple[int, int] | None] = None
    pictures_always: ClassVar[bool] = True

    def __init__(self, model: RawModel, *, version: str, history: int, max_tokens: int) -> None:
        super().__init__(model, version=version, history=history, max_tokens=max_tokens)
        self._system = ""
        self._exchanges: list[list[dict[str, Any]]] = []
        self._left_out = 0

    @classmethod
    def default_version(cls, model: str) -> str:
        """Return which version of the tool a model was made for."""
        return "computer_use_preview" if "computer-use-preview" in model else "computer"

    def begin(self, system: str) -> None:
        """Forget everything and take new standing instructions."""
        self._system, self._left_out = system, 0
        self._exchanges = []

    def say(self, text: str, picture: Picture | None) -> None:
        """Add a message of the user."""
        content: list[dict[str, Any]] = [{"type": "input_text", "text": text}]
        if picture is not None:
            content.append({"type": "input_image", "image_url": data_url(picture), "detail": "high"})
        self._add({"type": "message", "role": "user", "content": content})

    def give(self, results: Sequence[Result], text: str) -> None:
        """Add what came of each call, and words to the model besides."""
        for result in results:
            assert result.picture is not None, "the provider takes no result without a picture"
            output: dict[str, Any] = {
                "type": "computer_call_output",
                "call_id": result.call.id,
                "output": {"type": "computer_screenshot", "image_url": data_url(result.picture)},
            }
            if checks := result.call.data.get("pending_safety_checks"):
                output["acknowledged_safety_checks"] = checks
            self._add(output)
        if text := "\n".join(filter(None, [*(result.text for result in results), text])):
            self.say(text, None)

    def _send(self) -> dict[str, Any]:
        self._trim()
        payload = {
            "instructions": self._system,
            "tools": [self.tool],
            "truncation": "auto",
            "max_output_tokens": self._max_tokens,
            "input": [item for exchange in self._exchanges for item in exchange],
        }
        return self._model.request(payload, path=PATH).data

    def _keep(self, data: dict[str, Any]) -> Heard:
        items = [item for item in data["output"] if isinstance(item, dict)]
        self._exchanges.append(items)
        parts = [part for item in items if item.get("type") == "message" for part in item.get("content") or ()]
        refusals = [str(part.get("refusal", "")) for part in parts if part.get("type") == "refusal"]
        texts = [str(part.get("text", "")) for part in parts if part.get("type") == "output_text"]
        return Heard(
            text="\n".join([*texts, *refusals]),
            thought="\n".join(
                str(summary.get("text", ""))
                for item in items
                if item.get("type") == "reasoning"
                for summary in item.get("summary") or ()
            ),
            calls=tuple(
                Call(id=str(item.get("call_id", "")), name="computer", data=item)
                for item in items
                if item.get("type") == "computer_call"
            ),
            finish=_finish(bool(refusals), (data.get("incomplete_details") or {}).get("reason")),
        )

    def _add(self, item: dict[str, Any]) -> None:
        if not self._exchanges:
            self._exchanges.append([])
        self._exchanges[-1].append(item)

    def _trim(self) -> None:
        """Keep the task and the newest exchanges; a call without its picture is refused, so the two go together."""
        opening, *later = self._exchanges
        if len(later) < self._history:
            return
        surplus = len(later) - self._history
        self._left_out += surplus
        content = opening[0]["content"][:1]
        if self._left_out:
            content.append({"type": "input_text", "text": f"({self._left_out} earlier steps are not shown.)"})
        self._exchanges = [[{**opening[0], "content": content}], *later[surplus:]]


def _finish(refused: bool, reason: object) -> Literal["stop", "length", "refusal"]:
    if refused or reason == "content_filter":
        return "refusal"
    return "length" if reason == "max_output_tokens" else "stop"
