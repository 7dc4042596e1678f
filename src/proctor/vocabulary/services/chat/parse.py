"""What was noted of a chat, and how its channels stand."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from proctor.tasks.findings import CannotSee
from proctor.vocabulary.services.parse import parse_look, records

Told = dict[str, Any]

MARKS = "~&@%+"
"""Signs before the names of people with rights in a channel."""


def chat_lines(printed: str, where: str) -> list[dict[str, object]]:
    """Return what was noted of a chat, or of one place in it."""
    entries = records(printed, {"kind": str, "who": str, "where": str, "text": str})
    # Who quits or takes another name does so everywhere.
    return [entry for entry in entries if not where or entry["where"] in ("", where.lower())]


def comings_and_goings(model: Told) -> tuple[str, ...]:
    """Return the entries that opening and closing the program makes: joining its channels, quitting.

    Who quits with a word has said something; such an entry goes by its word, not by its number.
    """
    return tuple(
        f"entries.{number}" for number, entry in enumerate(model["entries"], 1) if entry["kind"] in ("join", "quit")
    )


def chat_doings(printed: str) -> list[dict[str, object]]:
    """Return what was done and said in a chat, without what opening and closing the program does.

    It joins the channels again that it was in.
    """
    there: set[tuple[object, object]] = set()
    found = []
    for entry in chat_lines(printed, ""):
        kind, who, where = entry["kind"], entry["who"], entry["where"]
        again = kind == "join" and (who, where) in there
        if kind == "join":
            there.add((who, where))
        elif kind == "part":
            there.discard((who, where))
        elif kind == "kick":
            there.discard((str(entry["text"]).partition(" ")[0], where))
        elif kind == "nick":
            there = {(entry["text"] if name == who else name, place) for name, place in there}
        if kind != "quit" and not again:
            found.append(entry)
    return found


def chat_channels(told: str, noted: str) -> list[Told]:
    """Return every channel: topic, modes, who is kept out, and who is in it.

    Whoever only closed the program is told as still in the channels it would join again.
    """
    state = parse_look(told, "the chat")
    if state.get("lost"):
        raise CannotSee("refused", "the chat cannot be followed any more: somebody has lost it")
    channels: dict[str, Told] = defaultdict(lambda: {"topic": "", "modes": "", "kept_out": [], "members": {}})
    for number, *words in state["told"]:
        # The first word is whoever asked; before names stands a sign of the channel's kind.
        at = 2 if number == "353" else 1
        if len(words) > at:
            _take(channels[words[at].lower()], number, words[at + 1 :])
    for place, who, there in _comings(chat_lines(noted, "")):
        members = channels[place]["members"]
        if there:
            members.setdefault(who, "")
        else:
            members.pop(who, None)
    return [
        {
            "name": name,
            **held,
            "members": [{"name": who, "marks": held["members"][who]} for who in sorted(held["members"])],
        }
        for name, held in sorted(channels.items())
    ]


def _take(channel: Told, number: str, words: list[str]) -> None:
    if number == "332" and words:
        channel["topic"] = words[0]
    elif number == "324":
        channel["modes"] = " ".join(words)
    elif number == "367" and words:
        channel["kept_out"] = sorted({*channel["kept_out"], words[0]})
    elif number == "353":
        for name in " ".join(words).split():
            bare = name.lstrip(MARKS)
            channel["members"][bare] = name[: len(name) - len(bare)]


def _comings(entries: list[Told]) -> list[tuple[str, str, bool]]:
    """Return who came into a channel and who left it, each by the name it has now."""
    found: list[tuple[str, str, bool]] = []
    for entry in entries:
        who, where, kind, text = entry["who"], entry["where"], entry["kind"], entry["text"]
        if kind == "nick":
            found = [(place, text if name == who else name, there) for place, name, there in found]
        elif kind in ("join", "part"):
            found.append((where, who, kind == "join"))
        elif kind == "kick":
            found.append((where, text.partition(" ")[0], False))
    return found
