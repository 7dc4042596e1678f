"""The actions of an OSWorld agent's prediction: code, dictionaries and three words."""

from __future__ import annotations

import json
from collections.abc import Sequence

from proctor.actions.action import Action, Done, Fail, Wait
from proctor.actions.dialects.dialect import Dialect, Frame
from proctor.actions.dialects.translation import MAX_ACTIONS
from proctor.errors import AgentError

WORDS: dict[str, type[Action]] = {"WAIT": Wait, "DONE": Done, "FAIL": Fail}


def predicted_actions(items: Sequence[object], dialect: Dialect, frame: Frame) -> tuple[Action, ...]:
    """Return the actions of a prediction; raises AgentError with why one cannot be understood."""
    found: list[Action] = []
    for item in items[: MAX_ACTIONS + 1]:
        kind = item.get("action_type") if isinstance(item, dict) else item
        word = kind.strip() if isinstance(kind, str) else ""
        if word in WORDS:
            found.append(WORDS[word]())
            continue
        text = item if isinstance(item, str) else json.dumps(item, default=str)
        language = "python" if dialect.name == "pyautogui" else "json"
        reading = dialect.read(f"```{language}\n{text}\n```", frame)
        if reading.problem or not reading.actions:
            raise AgentError(reading.problem or f"{text[:200]!r} is not an action")
        found += reading.actions
    if len(found) > MAX_ACTIONS:
        raise AgentError(f"more than {MAX_ACTIONS} actions in one turn")
    if not found:
        raise AgentError("predict() returned no action")
    return tuple(found)
