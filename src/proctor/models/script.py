"""A model whose replies are written down beforehand, for tests and for replays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.models.model import Message, ModelAnswer, Picture
from proctor.models.retry import TRIES, CallFailed
from proctor.models.usage import FREE, Usage
from proctor.records import ModelCall

PICTURE_TOKENS = 1_000
"""About what a screenshot counts at the large providers."""
_FINISHES = ("stop", "length", "refusal")


class ScriptedModel:
    """Gives the replies of a list or of a file, in order.

    A line of the file is a JSON string (the text), or an object: `{"text": ..., "thought": ..., "finish": ...}` for a
    reply with its other parts, `{"error": "rate"}` for a call that fails in that way. Empty lines are passed over.
    """

    def __init__(
        self, name: str = "list", *, replies: Sequence[str | dict[str, Any]] | None = None, repeat: bool = False
    ):
        """Take a script.

        Args:
            name: Path of the file, unless `replies` are given.
            replies: The replies themselves.
            repeat: Begin again at the end; otherwise a call past the end fails.
        """
        self.name = f"scripted/{name}"
        self.price = FREE
        self.asked: list[tuple[Message, ...]] = []
        """What it was asked, in order."""
        listed = _from_file(Path(name)) if replies is None else replies
        self._replies = [_check_reply(reply, f"{self.name}, reply {number}") for number, reply in enumerate(listed, 1)]
        self._repeat = repeat
        self._next = 0

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Return the next reply, cut at `max_tokens`; raises CallFailed where the script says so or ends."""
        self.asked.append(tuple(messages))
        used = Usage(input=sum(_count(part) for message in messages for part in message.parts))
        if self._repeat and self._replies:
            self._next %= len(self._replies)
        if self._next >= len(self._replies):
            raise self._with_call(
                CallFailed("empty", f"{self.name} has no more than {len(self._replies)} replies"), used
            )
        reply = self._replies[self._next]
        self._next += 1
        if "error" in reply:
            raise self._with_call(CallFailed(reply["error"], f"{self.name}: {reply['error']}, as written"), used)
        text, finish = reply["text"], reply.get("finish", "stop")
        if _count(text) > max_tokens:
            text, finish = text[: max_tokens * 4], "length"
        used += Usage(output=_count(text) + _count(reply.get("thought", "")))
        return ModelAnswer(text=text, thought=reply.get("thought", ""), finish=finish, call=self._call(used), raw=reply)

    def _with_call(self, failure: CallFailed, used: Usage) -> CallFailed:
        failure.call = self._call(used, failure.kind)
        return failure

    def _call(self, used: Usage, error: str = "") -> ModelCall:
        return ModelCall(model=self.name, **used.counts, cost_usd=0.0, error=error, exchange=None)


def _count(part: str | Picture) -> int:
    """Return about how many tokens a part has: four characters each in English."""
    return PICTURE_TOKENS if isinstance(part, Picture) else -(-len(part) // 4)


def _from_file(path: Path) -> list[Any]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(
            f"the script {path} cannot be read: {error}", remedy="name a text file: scripted/PATH"
        ) from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += [json.loads(line)] if line.strip() else []
        except ValueError as error:
            raise SpecError(f"{path}:{number} is not JSON: {error}", remedy="write one JSON value per line") from error
    return found


def _check_reply(reply: object, where: str) -> dict[str, Any]:
    if isinstance(reply, str):
        return {"text": reply}
    if isinstance(reply, dict):
        kinds = {name: value for name, value in reply.items() if isinstance(value, str)}
        error_sound = reply.keys() == {"error"} and kinds.get("error") in TRIES
        words = kinds.keys() == reply.keys() and "text" in reply and reply.keys() <= {"text", "thought", "finish"}
        if error_sound or (words and reply.get("finish", "stop") in _FINISHES):
            return reply
    raise SpecError(
        f"{where} is {str(reply)[:200]!r}",
        remedy=f'write a text, {{"text", "thought", "finish"}} with finish one of {", ".join(_FINISHES)}, '
        f'or {{"error"}} with one of {", ".join(TRIES)}',
    )
