"""What agents in any language are sent and answer.

JSON objects, bounded in size, read and never trusted.

Sent when an episode begins; no answer is expected:

    {"type": "start", "protocol": 1,
     "brief": {"instruction": "...", "actions": ["click", ...], "size": [1920, 1080], "max_steps": 15,
               "notes": "...", "intent": "...", "seconds": 0, "seed": 0,
               "tools": [{"name": "notes__add", "description": "...", "schema": {...}, "server": "..."}, ...]}}

Sent at each turn; parts that are not observed are omitted:

    {"type": "observe", "desktop": [1920, 1080],
     "screenshot": "<PNG as base64>",       or "screenshot_file": "/path/to/it.png"
     "tree": [{"index": 0, "parent": null, "role": "push button", "name": "Save", "text": "", "states": ["enabled"],
               "box": [x, y, width, height], "app": "mousepad", "window": "notes.txt"}, ...],
     "marks": [{"index": 1, "role": "...", "name": "...", "text": "...", "box": [x, y, width, height]}, ...],
     "degraded": ["why something may be incomplete"],
     "told": [{"kind": "reply" | "output" | "refused" | "feedback", "text": "..."}]}

A tool's answer may have `"pictures": ["data:image/png;base64,...", ...]` in addition to its text.

The answer to each turn, in one of four forms; coordinates are desktop pixels, whatever the size of the screenshot:

    {"actions": [{"type": "click", "x": 10, "y": 20}, {"type": "done"}], "text": "the agent's reasoning"}
    {"type": "click", "x": 10, "y": 20}
    [{"type": "type", "text": "hello"}, {"type": "press", "keys": "ctrl+s"}]
    "{\\"type\\": \\"done\\"}"                    any of these as text

Actions are those of `proctor.actions.action`; if the brief has tools, also
`{"type": "call_tool", "tool": "notes__add", "arguments": {...}}`. An answer that cannot be read is reported
at the next turn as `refused`.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from proctor.actions.action import Action, from_json
from proctor.actions.dialects.translation import MAX_ACTIONS, complaint
from proctor.agents.agent import Turn
from proctor.errors import AgentError
from proctor.observations.encode import png
from proctor.observations.observation import Observation
from proctor.observations.tree import Node
from proctor.records import Brief, without_defaults

PROTOCOL = 1
_FENCES = re.compile(r"^```(?:json)?\s*\n|\n\s*```$")
"""What models put around JSON that they were asked for."""
MOST_REPLY = 100_000
"""Characters kept of an answer that was given as plain data."""
MAX_REPLY_BYTES = 8 * 1024 * 1024

TOO_LONG = f"the answer was longer than {MAX_REPLY_BYTES // 2**20} MB and was not read; answer with less"


def start_message(brief: Brief) -> dict[str, object]:
    """Return what is said when an episode begins."""
    return {"type": "start", "protocol": PROTOCOL, "brief": dataclasses.asdict(brief)}


def observe_message(observation: Observation, *, picture_file: Path | None = None) -> dict[str, object]:
    """Return what is said at a turn; with `picture_file` the picture is written there, not sent."""
    message: dict[str, object] = {"type": "observe", "desktop": list(observation.desktop)}
    image = observation.screenshot or (observation.marks.image if observation.marks else None)
    if image is not None and picture_file is not None:
        picture_file.write_bytes(png(image))
        message["screenshot_file"] = str(picture_file)
    elif image is not None:
        message["screenshot"] = base64.b64encode(png(image)).decode("ascii")
    if observation.tree is not None:
        message["tree"] = [_node(node) for node in observation.tree.nodes]
    if observation.marks is not None:
        message["marks"] = [
            {"index": mark.index, "role": mark.node.role, "name": mark.node.name, "text": mark.node.text,
             "box": list(mark.box)}
            for mark in observation.marks.marks
        ]  # fmt: skip
    message["degraded"] = list(observation.degraded)
    message["told"] = [without_defaults(told) for told in observation.told]
    return message


def read_reply(data: bytes) -> Turn:
    """Return the turn that an answer stands for; one that cannot be read becomes the turn's problem."""
    text = data.decode("utf-8", "replace").strip()
    if not text:
        return Turn(problem='the answer is empty; write {"actions": [...]}', finish="empty")
    try:
        answer = json.loads(_FENCES.sub("", text))
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Turn(reply=text, problem=f'the answer is not JSON ({why}); write {{"actions": [...]}}')
    return read_answer(answer, text)


def read_answer(answer: object, text: str = "") -> Turn:
    """Return the turn that an answer stands for as plain data, `text` being what was written."""
    said = answer.get("text", "") if isinstance(answer, dict) and "actions" in answer else ""
    # Half of a surrogate pair is valid JSON, but no text that could be stored.
    thought = said.encode("utf-8", "replace").decode() if isinstance(said, str) else ""
    try:
        return Turn(actions=_actions(answer), reply=text, thought=thought)
    except AgentError as error:
        return Turn(reply=text, thought=thought, problem=complaint(error))


def _actions(answer: object) -> tuple[Action, ...]:
    listed = answer.get("actions", [answer]) if isinstance(answer, dict) else answer
    listed = [listed] if isinstance(listed, Action) else list(listed) if isinstance(listed, tuple) else listed
    if not isinstance(listed, list):
        raise AgentError(
            f"the answer is a JSON {type(listed).__name__}, not a list of actions",
            remedy='write {"actions": [...]} or a single action such as {"type": "done"}',
        )
    if len(listed) > MAX_ACTIONS:
        raise AgentError(f"{len(listed)} actions in one turn", remedy=f"send at most {MAX_ACTIONS}")
    return tuple(map(_action, listed))


def _action(item: object) -> Action:
    if isinstance(item, str):
        with suppress(ValueError, RecursionError):
            item = json.loads(item)
    return item if isinstance(item, Action) else from_json(item)


def _node(node: Node) -> dict[str, object]:
    plain = {name: getattr(node, name) for name in ("index", "parent", "role", "name", "text", "app", "window")}
    return {**plain, "states": sorted(node.states), "box": list(node.box) if node.box else None}


def as_turn(answer: object) -> Turn:
    """Return what an agent answered as a turn; raises AgentError when it is not an answer at all.

    An answer is a Turn, an action, its JSON as a dict or as text, or a list that mixes actions and their JSON.
    """
    if isinstance(answer, Turn):
        return answer
    if isinstance(answer, bytes | str):
        return read_reply(answer if isinstance(answer, bytes) else answer.encode("utf-8", "replace"))
    if isinstance(answer, Action):
        return Turn(actions=(answer,))
    if isinstance(answer, Sequence) and all(isinstance(item, Action) for item in answer):
        return Turn(actions=tuple(answer))
    if isinstance(answer, Sequence | dict):
        return read_answer(list(answer) if isinstance(answer, Sequence) else answer, repr(answer)[:MOST_REPLY])
    raise AgentError(
        f"the agent answered with {type(answer).__name__}, which is not a turn",
        remedy="return an action, a list of actions, dicts such as {'type': 'click', 'x': 1, 'y': 2}, or a Turn; "
        "Done() ends the episode",
    )
