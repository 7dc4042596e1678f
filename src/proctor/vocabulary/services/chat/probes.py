"""Probes of a chat, as people in it noted it; agents can reach neither notes nor server."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.services.chat.parse import chat_lines
from proctor.vocabulary.services.chat.setup import CHAT, SAY

MOST_BYTES = 16 * 2**20


@PROBES.register_with(chat_lines, whole="sent")
def chat_log(context: ProbeContext, where: str = "") -> dict[str, object]:
    """What others than the scripted people did in a channel, or said to one of them (`where`).

    Each entry has a kind (message, topic, join, part, quit, nick), who, where and text; without `where`, all of them.
    """
    # What was said last may not have reached everybody yet.
    heard = context.run(SAY, root=True, input=b"[]")
    if heard.code != 0:
        raise CannotSee("refused", f"the chat cannot be followed any more: {heard.stderr.strip()[-200:]}")
    result = context.run(["head", "-c", str(MOST_BYTES), f"{CHAT}/log"], root=True)
    if result.code != 0:
        raise CannotSee("unreadable", f"the chat left no log: {result.stderr.strip()[-300:]}")
    return {"where": where or "the chat", "entries": parsed("the chat's log", chat_lines, result.stdout, where)}
