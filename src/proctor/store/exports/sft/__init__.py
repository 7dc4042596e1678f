"""Conversations for fine-tuning, of episodes that passed: each answer with exactly what was sent.

A line for each answer of a model:

    {"id": "<episode>#<call>", "messages": [...], "images": ["images/000000/0003.png", ...], "tools": [...],
     "metadata": {"task", "agent", "model", "score", "steps", "turn", "call", "understood", "exact": true}}

`messages` are those of the request, standing instructions first, and the answer last; each has a `role` (`system`,
`user`, `assistant`, `tool`) and a `content` of texts and images. Reasoning that the provider handed out is
`reasoning_content`, as are a person's thoughts; calls of a tool are `tool_calls`. `metadata` also has `person`,
`refined`, `reviews` and `about_steps`: what a step is for, who acted where that was not the agent, and what was there
before a person corrected it. Of an episode whose record does not say what a model was sent (agents without one, and
records of older versions) one line is made from what was seen and done, with `"exact": false`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.models.transcript import Message, plain_answer, plain_request
from proctor.models.vendors import part_reader
from proctor.store.collection import Recorded
from proctor.store.exchanges import RecordedExchange
from proctor.store.export import take_passed
from proctor.store.export_parts import PictureCopies, about_people, about_step
from proctor.store.exports.sft.reconstruct import reconstruct
from proctor.store.read import RecordedEpisode

NOT_EXACT = (
    "{count} of them do not say what a model was sent (agents without a model, or records of older versions): they "
    'were made from what was seen and done, and are marked "exact": false'
)


takes = take_passed


def write(recorded: Iterator[Recorded], out: Path) -> list[str]:
    """Write `conversations.jsonl` and the pictures it names, each once; returns remarks."""
    inexact = 0
    with (out / "conversations.jsonl").open("w", encoding="ascii") as file:
        for number, item in enumerate(recorded):
            pictures = _Pictures(item.episode, out, f"images/{number:06d}")
            lines = list(_exact(item, pictures))
            if not lines:
                inexact += 1
                lines = [_line(item, "", reconstruct(item.episode, pictures.place), pictures, {"exact": False})]
            file.writelines(f"{json.dumps(line)}\n" for line in lines)
    return [NOT_EXACT.format(count=inexact)] if inexact else []


class _Pictures(PictureCopies):
    def __init__(self, episode: RecordedEpisode, out: Path, folder: str) -> None:
        super().__init__(episode, out, folder)
        self.named: list[str] = []
        """Those of the line that is being made, in order, each once."""

    def place(self, name: str) -> str:
        found = super().place(name)
        if found not in self.named:
            self.named.append(found)
        return found


def _exact(item: Recorded, pictures: _Pictures) -> Iterator[dict[str, object]]:
    """Yield a line for each answer; requests that failed have none."""
    problems = {turn.steps[0].turn for turn in item.episode.turns() if turn.steps[0].problem}
    for exchange in item.episode.exchanges():
        if exchange.answer(str) is None:
            continue
        about = {"model": exchange.model, "turn": exchange.turn, "call": exchange.number}
        about |= {"understood": exchange.turn not in problems, "exact": True}
        messages = list(_messages(_plain_messages(exchange, pictures)))
        yield _line(item, f"#{exchange.number}", messages, pictures, about)


def _plain_messages(exchange: RecordedExchange, pictures: _Pictures) -> list[Message]:
    reader = part_reader(exchange.model)
    answer = plain_answer(exchange.answer(pictures.place), reader)
    return [*plain_request(exchange.request(pictures.place), reader), answer]


def _people(item: Recorded) -> dict[str, Any]:
    """Return what people did and said, each step with the turn that it belongs to."""
    steps = [{"turn": step.turn, **about} for step in item.episode.steps() if (about := about_step(step))]
    return {**about_people(item), **({"about_steps": steps} if steps else {})}


def _line(
    item: Recorded, suffix: str, messages: list[dict[str, Any]], pictures: _Pictures, about: dict[str, Any]
) -> dict[str, Any]:
    result = item.result
    whose = {"task": result.key.task, "agent": result.key.agent}
    tools = [message["tools"] for message in messages if "tools" in message]
    line: dict[str, Any] = {
        "id": f"{item.place}{suffix}",
        "messages": [message for message in messages if "tools" not in message],
        "images": pictures.named,
        **({"tools": tools[0]} if tools else {}),
        "metadata": {**whose, "score": result.score, "steps": result.steps, **about, **_people(item)},
    }
    pictures.named = []
    return line


def _messages(plain: list[Message]) -> Iterator[dict[str, Any]]:
    """Yield messages as trainers read them: results of a tool apart, others of one role together."""
    last: dict[str, Any] | None = None
    for message in plain:
        if message["role"] == "tools":
            yield {"tools": json.loads(message["parts"][0]["text"])}
            continue
        for part in message["parts"]:
            role, more = _place(message["role"], part, last)
            if last is None or last["role"] != role or part["type"] == "result":
                if last is not None:
                    yield last
                last = {"role": role, "content": [], **more}
            _add(last, part)
    if last is not None:
        yield last


def _place(role: str, part: dict[str, Any], last: dict[str, Any] | None) -> tuple[str, dict[str, str]]:
    """Return whose message a part belongs to; a picture right after a result is the result's."""
    if part["type"] == "result":
        return "tool", {"tool_call_id": part["id"]}
    follows = part["type"] == "picture" and last is not None and last["role"] == "tool"
    return ("tool", {}) if follows else (role, {})


def _add(message: dict[str, Any], part: dict[str, Any]) -> None:
    match part["type"]:
        case "picture":
            message["content"].append({"type": "image", "image": part["picture"]})
        case "call":
            function = {"name": part["name"], "arguments": part["data"]}
            call = {"id": part["id"], "type": "function", "function": function}
            message.setdefault("tool_calls", []).append(call)
        case "thought":
            earlier = message.get("reasoning_content")
            message["reasoning_content"] = f"{earlier}\n{part['text']}" if earlier else part["text"]
        case "text" | "result":
            if part["text"]:
                message["content"].append({"type": "text", "text": part["text"]})
        case _:
            message["content"].append({"type": "text", "text": json.dumps(part["data"], ensure_ascii=False)})
