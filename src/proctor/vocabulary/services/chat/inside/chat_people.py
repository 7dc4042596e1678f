"""People in a chat, played by plain data.

They run inside a computer, say what they are told, and note what they see. Called as `python3 -I chat_people.py
FOLDER`; the folder, which only root can enter, holds `people.json`. What happens in channels and what people are told
privately is added to `log` there, one line of JSON each. It returns once all of them are in their channels, and goes on
in the background. A second program says things through the socket `control`.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import sys
import time
from pathlib import Path
from typing import Any

SERVICE_UID = 39
"""The user of chat servers, who can neither enter the folder nor be meddled with."""
PATIENCE = 200
"""How often a server that is about to start is tried, every 50 ms."""
MOST_LINES = 5000
MOST_BYTES = 2 * 2**20
"""Whoever floods the chat does not fill the disk; no honest visitor gets this far, and the last line then says so."""
CATCH_UP_SEC = 15.0
MOST_CHANNELS = 60
KINDS = {
    "PRIVMSG": "message", "NOTICE": "notice", "TOPIC": "topic", "JOIN": "join", "PART": "part", "QUIT": "quit",
    "NICK": "nick", "MODE": "mode", "KICK": "kick", "INVITE": "invite",
}  # fmt: skip
"""What is noted, by the server's words."""
ANSWERS = ("322", "324", "332", "353", "367")
"""What the server says of channels when it is asked: listed, modes, topic, names, who is kept out."""


class ChatPerson:
    """One connection."""

    def __init__(self, nick: str, channels: list[str], port: int) -> None:
        self.nick = nick
        self.channels = channels
        self.joined: set[str] = set()
        self.rest = b""
        self.there = True
        self.socket = _connect(port)
        self.send(f"NICK {nick}", f"USER {nick} 0 * :{nick}")

    def send(self, *lines: str) -> None:
        """Send lines of the protocol; a server that does not take them has lost this person."""
        try:
            self.socket.sendall("".join(f"{line}\r\n" for line in lines).encode())
        except OSError:
            self.there = False

    def lines(self) -> list[str]:
        """Return the lines that have arrived."""
        try:
            data = self.socket.recv(65536)
        except OSError:
            data = b""
        self.there = self.there and bool(data)
        *lines, self.rest = (self.rest + data).split(b"\r\n")
        return [line.decode(errors="replace") for line in lines]


class Chat:
    """Everybody, and what they do."""

    def __init__(self, data: dict[str, Any], log: int) -> None:
        self.data = data
        self.log = log
        self.people = {nick: ChatPerson(nick, channels, data["port"]) for nick, channels in data["people"].items()}
        self.witness: dict[str, str] = {}
        """Who notes what happens in a channel; one is enough."""
        for nick, channels in data["people"].items():
            for channel in channels:
                self.witness.setdefault(channel, nick)
        self.lines = self.bytes = 0
        self.waiting: set[str] = set()
        self.told: list[list[str]] = []
        """What the server answers to those who ask how things stand: numbers and words."""
        self.selector = selectors.DefaultSelector()
        for person in self.people.values():
            self.selector.register(person.socket, selectors.EVENT_READ, person)

    def gather(self) -> None:
        """Return when everybody is everywhere."""
        while any(person.joined != set(person.channels) for person in self.people.values()):
            self.turn()

    def turn(self, wait_sec: float = 10.0) -> None:
        """Deal with what has arrived."""
        for key, _ in self.selector.select(wait_sec):
            if isinstance(key.data, ChatPerson):
                for line in key.data.lines():
                    self.hear(key.data, line)
                if not key.data.there:
                    self.selector.unregister(key.data.socket)
            else:
                connection, _ = key.data.accept()
                with connection, connection.makefile("rb") as request, contextlib.suppress(OSError):
                    order = json.loads(request.read())
                    if order == "state":
                        connection.sendall(json.dumps(self.state()).encode())
                        continue
                    for message in order:
                        self.people[message["who"]].send(f"PRIVMSG {message['to']} :{message['text']}")
                    if self.catch_up():
                        connection.sendall(b"!")

    def state(self) -> dict[str, Any]:
        """Return what the server tells of every channel: topic, modes, who is there and who is kept out.

        Somebody who is in a channel asks about it, since others are not told of all.
        """
        self.told = []
        first = next(iter(self.people), "")
        if first:
            self.people[first].send("LIST")
        if not self.catch_up():
            return {"lost": True}
        channels = sorted({words[1].lower() for number, *words in self.told if number == "322" and len(words) > 1})
        channels += sorted(set(self.witness) - set(channels))
        for channel in channels[:MOST_CHANNELS]:
            who = self.witness.get(channel, first)
            self.people[who].send(f"TOPIC {channel}", f"MODE {channel}", f"NAMES {channel}", f"MODE {channel} +b")
        return {"lost": not self.catch_up(), "told": self.told[:MOST_LINES]}

    def catch_up(self) -> bool:
        """Return whether everybody has heard all that the server knows: its answers come in order."""
        self.waiting = set(self.people)
        for person in self.people.values():
            person.send("PING :catch-up")
        end = time.monotonic() + CATCH_UP_SEC
        while self.waiting and all(person.there for person in self.people.values()):
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.turn(left)
        return not self.waiting

    def hear(self, person: ChatPerson, line: str) -> None:
        """Answer the server, note what happened, and reply where a reply is due."""
        source, _, rest = line[1:].partition(" ") if line.startswith(":") else ("", "", line)
        head, _, text = rest.partition(" :")
        words = head.split()
        who, command, target = source.partition("!")[0], words[0] if words else "", (words[1:] or [text])[0]
        if command == "PING":
            person.send(f"PONG :{text}")
        elif command in ANSWERS:
            self.told.append([command, *words[1:], *([text] if " :" in rest else [])])
        elif command == "PONG":
            self.waiting.discard(person.nick)
        elif command == "001":
            person.send(*(f"JOIN {channel}" for channel in person.channels))
        elif command == "JOIN" and who == person.nick:
            person.joined.add(target.lower())
        elif command in KINDS and who not in self.people and "!" in source:
            # Someone who leaves or is renamed does so in all channels at once; each witness may say it.
            everywhere = command in ("QUIT", "NICK")
            place = "" if everywhere else target.lower()
            witness = person.nick in self.witness.values() if everywhere else self.witness.get(place) == person.nick
            if witness or place == person.nick.lower():
                said = "" if command in ("JOIN", "PART", "QUIT") else text or target
                # Who is thrown out is named before the reason; a mode has no text of its own.
                named = words[2:] if command in ("MODE", "KICK", "INVITE") else []
                self.note(command, who, place, " ".join([*named, text]).strip() if named else said)
                if command == "PRIVMSG":
                    self.reply(person, target, who, text)

    def reply(self, person: ChatPerson, target: str, who: str, text: str) -> None:
        """Let whoever is meant answer in the channel, or privately what was said privately."""
        for answer in self.data["replies"]:
            private = target.lower() == person.nick.lower()
            here = answer["who"] == person.nick if private else target in self.data["people"].get(answer["who"], ())
            if here and any(word.lower() in text.lower() for word in answer["about"]):
                back = who if private else target
                self.people[answer["who"]].send(f"PRIVMSG {back} :{answer['reply']}")
                return

    def note(self, command: str, who: str, where: str, text: str) -> None:
        """Write one line of the log."""
        entry = {"kind": KINDS[command], "who": who, "where": where, "text": text}
        line = json.dumps(entry).encode() + b"\n"
        if self.lines > MOST_LINES:
            return
        self.lines, self.bytes = self.lines + 1, self.bytes + len(line)
        if self.lines > MOST_LINES or self.bytes > MOST_BYTES:
            self.lines, line = MOST_LINES + 1, b'{"too_much": true}\n'
        os.write(self.log, line)


def _connect(port: int) -> socket.socket:
    for _ in range(PATIENCE):
        with contextlib.suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        pause(0.05)
    raise SystemExit("the chat server does not answer")


def pause(seconds: float) -> None:
    """Let time go by; what nothing announces can only be looked for again."""
    time.sleep(seconds)


def main(folder: str) -> None:
    """Join, then go into the background."""
    data = json.loads((Path(folder) / "people.json").read_text(encoding="utf-8"))
    log = os.open(Path(folder) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    chat = Chat(data, log)
    chat.gather()
    control = socket.socket(socket.AF_UNIX)
    control.bind(str(Path(folder) / "control"))
    control.listen()
    chat.selector.register(control, selectors.EVENT_READ, control)
    if os.fork():
        os._exit(0)
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.setgroups([])
    os.setgid(SERVICE_UID)
    os.setuid(SERVICE_UID)
    while True:
        chat.turn()


if __name__ == "__main__":
    main(sys.argv[1])
