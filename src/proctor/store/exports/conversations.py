"""Conversations for supervised fine-tuning: one JSON object a line, what an agent saw and what it answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.records import Result
from proctor.store.exports.export import Recorded
from proctor.store.files import write_new
from proctor.store.read import RecordedTurn


def wanted(result: Result, everything: bool) -> bool:
    """Take episodes that passed, or all that were scored; a void one teaches nothing."""
    return not result.void if everything else result.passed


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write `conversations.jsonl` and the pictures it names, each once."""
    with (out / "conversations.jsonl").open("w", encoding="ascii") as file:
        for number, item in enumerate(recorded):
            folder = f"images/{number:06d}"
            (out / folder).mkdir(parents=True)
            file.write(json.dumps(_conversation(item, out, folder)) + "\n")


def _conversation(item: Recorded, out: Path, folder: str) -> dict[str, Any]:
    result = item.result
    messages: list[dict[str, Any]] = []
    images: dict[str, str] = {}
    for turn in item.episode.turns():
        content: list[dict[str, Any]] = []
        if not messages:
            content.append({"type": "text", "text": item.episode.instruction})
        content += _observation(item, turn, images, out, folder)
        messages.append({"role": "user", "content": content})
        messages.append({"role": "assistant", "content": [{"type": "text", "text": _answer(turn)}]})
    return {
        "id": result.folder,
        "messages": messages,
        "images": list(images.values()),
        "metadata": {"task": result.key.task, "agent": result.key.agent, "score": result.score, "steps": result.steps},
    }


def _observation(
    item: Recorded, turn: RecordedTurn, images: dict[str, str], out: Path, folder: str
) -> Iterator[dict[str, Any]]:
    for told in turn.saw.get("told") or ():
        if isinstance(told, dict) and isinstance(told.get("text"), str):
            yield {"type": "text", "text": f"{told.get('kind')}: {told['text']}"}
    name = turn.saw.get("marks") or turn.saw.get("screenshot")
    if name:
        if name not in images:
            data = item.episode.picture(name)
            write_new(str(out / folder), name, data)
            images[name] = f"{folder}/{name}"
        yield {"type": "image", "image": images[name]}
    if isinstance(turn.saw.get("terminal"), str):
        yield {"type": "text", "text": turn.saw["terminal"]}


def _answer(turn: RecordedTurn) -> str:
    """Return what the model wrote; for an agent without one, its actions."""
    plain = [{name: value for name, value in action.items() if name != "given"} for action in turn.actions]
    return turn.reply or "\n".join(json.dumps(action, ensure_ascii=False) for action in plain)
