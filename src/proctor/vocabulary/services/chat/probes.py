"""Probes of a chat, as people in it noted it; agents can reach neither notes nor server."""

from __future__ import annotations

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.services.chat.parse import chat_channels, chat_doings, chat_lines, comings_and_goings
from proctor.vocabulary.services.chat.setup import ASK, CHAT, SAY

MOST_BYTES = 16 * 2**20


@PROBES.register_with(chat_lines, whole="sent", noise=comings_and_goings)
def chat_log(context: ProbeContext, where: str = "") -> dict[str, object]:
    """What users other than the scripted people did in a channel, or said to one of them (`where`).

    Each entry has a kind (message, notice, topic, join, part, quit, nick, mode, kick, invite), who, where and text;
    without `where`, all of them.
    """
    return {"where": where or "the chat", "entries": parsed("the chat's log", chat_lines, _read_log(context), where)}


@PROBES.register_with(chat_channels, chat_doings, whole="store")
def chat(context: ProbeContext) -> dict[str, object]:
    """Everything in a chat: its channels with topic, modes and members, and what users did and said.

    Private messages and notices to the scripted people are told too; that somebody closed the program is not.
    """
    noted = _read_log(context)
    state = context.run(ASK, root=True, timeout_sec=50)
    if state.code != 0:
        raise CannotSee("refused", f"the chat cannot be followed any more: {state.stderr.strip()[-200:]}")
    return {
        "path": "the chat",
        "channels": parsed("the chat's channels", chat_channels, state.stdout, noted),
        "entries": parsed("the chat's log", chat_doings, noted),
    }


def _read_log(context: ProbeContext) -> str:
    # What was said last may not have reached everybody yet.
    heard = context.run(SAY, root=True, input=b"[]")
    if heard.code != 0:
        raise CannotSee("refused", f"the chat cannot be followed any more: {heard.stderr.strip()[-200:]}")
    result = context.run(["head", "-c", str(MOST_BYTES), f"{CHAT}/log"], root=True)
    if result.code != 0:
        raise CannotSee("unreadable", f"the chat left no log: {result.stderr.strip()[-300:]}")
    return result.stdout
