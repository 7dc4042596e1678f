"""The page of the agent protocol, from the wire and the action set."""

from __future__ import annotations

import inspect
import json

from proctor.actions.action import schemas
from proctor.actions.dialects.translation import MAX_ACTIONS
from proctor.actions.fields import JsonSchema
from proctor.agents import wire
from proctor.records import Told
from proctor.records.brief import Brief, Tool
from scripts.reference.record import table

HEAD = """# Agent protocol

An agent is a Python class (`--agent module:Class`), a program (`--agent cmd:COMMAND`) or a server
(`--agent http://HOST:PORT`). All three see the same things and answer with the same actions;
[examples/agents](../../examples/agents) has one of each.

- A **class** has `act(observation)` and, optionally, `start(brief)` and `close()`. `act` returns an action, a list, a
  `Turn`, the JSON below as dicts or as text, or a list that mixes these. The attribute `want` says what it wants to
  see, such as `want = Want(tree=True)`. Options are passed as keyword arguments to its constructor.
- A **program** reads one JSON object per line from standard input and answers each `observe` with one line on standard
  output, flushed. It ends when its input ends. What it writes to standard error is stored with the episode.
- A **server** receives the same objects by POST and answers with the same JSON.

`proctor agents show "cmd:./my-agent"` prints what is sent for a sample task.

## Messages

"""


def page() -> str:
    """Return the whole page."""
    told = inspect.cleandoc(wire.__doc__ or "").partition("\n\n")[2].partition("\n\n")[2]
    limits = (
        f"\n\nAn answer may have {MAX_ACTIONS} actions and {wire.MAX_REPLY_BYTES // 2**20} MB. This is protocol "
        f"{wire.PROTOCOL}.\n"
    )
    parts = [HEAD, told, limits, "\n## Fields of the messages\n", *map(table, (Brief, Tool, Told))]
    parts.append(ACTIONS)
    for kind, form in action_schemas().items():
        about = form.get("description", "")
        parts.append(f"\n### {kind}\n\n{about}\n\n```json\n{json.dumps(form, indent=2, ensure_ascii=False)}\n```\n")
    return "".join(parts)


def action_schemas() -> dict[str, JsonSchema]:
    """Return the schema of each kind of action, without `given`, which Proctor itself fills in."""
    return {
        kind: {**form, "properties": {name: each for name, each in form["properties"].items() if name != "given"}}
        for kind, form in schemas().items()
    }


ACTIONS = """
## Actions

Each action as JSON Schema. Coordinates are pixels of the desktop. `brief.actions` says which are allowed.
"""
