"""A conversation made from what was seen and done, for records that have no requests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from proctor.store.read import RecordedEpisode, RecordedTurn


def reconstruct(episode: RecordedEpisode, place: Callable[[str], str]) -> list[dict[str, object]]:
    """Return messages of the turns of an episode: the instruction, what was shown, what was answered."""
    # The record has pictures all the same. What an answer key or a person did is only worth something with them.
    blind = bool(episode.header.view) and not {"screenshot", "marks"} & set(episode.header.view)
    messages: list[dict[str, object]] = []
    for turn in episode.turns():
        content = [] if messages else [_text(episode.instruction)]
        content += _what_was_seen(episode, turn, place, blind=blind)
        messages.append({"role": "user", "content": content})
        # What a model wrote holds its thoughts already.
        thought = {} if turn.reply or not turn.thought else {"reasoning_content": turn.thought}
        messages.append({"role": "assistant", "content": [_text(_answer(turn))], **thought})
    return messages


def _what_was_seen(
    episode: RecordedEpisode, turn: RecordedTurn, place: Callable[[str], str], *, blind: bool
) -> Iterator[dict[str, object]]:
    saw = turn.saw
    for told in saw.told:
        yield _text(f"{told.kind}: {told.text}")
    if saw.marked:
        marks = episode.read_packed(saw.marked)
        yield _text(str(marks.get("table", "")) if isinstance(marks, dict) else "")
    name = saw.marks or saw.screenshot
    if name and not blind:
        yield {"type": "image", "image": place(name)}
    if saw.terminal is not None:
        yield _text(saw.terminal)


def _answer(turn: RecordedTurn) -> str:
    """Return what the model wrote; for an agent without one, its actions."""
    plain = [{name: value for name, value in action.items() if name != "given"} for action in turn.actions]
    return turn.reply or "\n".join(json.dumps(action, ensure_ascii=False) for action in plain)


def _text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}
