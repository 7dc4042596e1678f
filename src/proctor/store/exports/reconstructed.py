"""A conversation made from what was seen and done, where the record does not say what a model was sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from proctor.store.read import Episode, RecordedTurn, part, text

BLIND = ("tree", "nothing")
"""Ways of seeing without a picture: the record has one all the same, for the replay."""


def reconstructed(episode: Episode, place: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return messages of the turns of an episode: the instruction, what was shown, what was answered."""
    options = part(part(episode.header, "agent"), "options")
    blind = text(options, "observe") in BLIND
    messages: list[dict[str, Any]] = []
    for turn in episode.turns():
        content = [] if messages else [_text(episode.instruction)]
        content += _seen(episode, turn, place, blind=blind)
        messages.append({"role": "user", "content": content})
        messages.append({"role": "assistant", "content": [_text(_answer(turn))]})
    return messages


def _seen(
    episode: Episode, turn: RecordedTurn, place: Callable[[str], str], *, blind: bool
) -> Iterator[dict[str, Any]]:
    for told in turn.saw.get("told") or ():
        if isinstance(told, dict) and isinstance(told.get("text"), str):
            yield _text(f"{told.get('kind')}: {told['text']}")
    if turn.saw.get("marked"):
        yield _text(text(part({"marks": episode.packed(turn.saw["marked"])}, "marks"), "table"))
    name = turn.saw.get("marks") or turn.saw.get("screenshot")
    if name and not blind:
        yield {"type": "image", "image": place(name)}
    if isinstance(turn.saw.get("terminal"), str):
        yield _text(turn.saw["terminal"])


def _answer(turn: RecordedTurn) -> str:
    """Return what the model wrote; for an agent without one, its actions."""
    plain = [{name: value for name, value in action.items() if name != "given"} for action in turn.actions]
    return turn.reply or "\n".join(json.dumps(action, ensure_ascii=False) for action in plain)


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}
