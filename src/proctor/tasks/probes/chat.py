"""Probes that look at what happened in a chat, as people in it noted it; agents can reach neither notes nor server."""

from __future__ import annotations

import json
from typing import Any

from proctor.errors import CheckError
from proctor.tasks.scene import Scene
from proctor.tasks.setup.chat import CHAT, SAY
from proctor.tasks.shelves import PROBES

MOST_BYTES = 16 * 2**20


@PROBES.register
def chat_log(scene: Scene, where: str = "") -> dict[str, Any]:
    """What others than the scripted people did in a channel, or said privately to one of them (`where` is the name).

    Each entry has a kind (message, topic, join, part, quit, nick), who, where and text; without `where`, all of them.
    """
    # What was said last may not have reached everybody yet.
    scene.computer.run(SAY, root=True, input=b"[]")
    result = scene.computer.run(["head", "-c", str(MOST_BYTES), f"{CHAT}/log"], root=True)
    if result.code != 0:
        # Nobody but root gets there, so this is no doing of the agent's.
        raise CheckError(f"the chat left no log: {result.stderr.strip()}")
    entries = [json.loads(line) for line in result.stdout.splitlines()]
    # Who quits or takes another name does so everywhere.
    found = [entry for entry in entries if not where or entry["where"] in ("", where.lower())]
    return {"where": where or "the chat", "entries": found}
