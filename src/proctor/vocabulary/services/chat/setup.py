"""Setup steps for chat: a real server, people who are there, and a client that is connected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.web.setup import root_file

CHAT = "/run/proctor-chat"
"""Only root can enter it."""

PORT = 6667

NETWORK = "Lantern"

Nick = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,15}$")]

Channel = Annotated[str, Field(pattern=r"^#[a-z0-9-]{1,30}$")]

Line = Annotated[str, Field(pattern=r"^[^\r\n\x00]*$", max_length=400)]

_SERVER = f"""[Global]
Name = irc.lantern.example
Info = {NETWORK}
Network = {NETWORK}
Listen = 127.0.0.1
Ports = {PORT}
MotdPhrase = "Welcome."
ServerUID = irc
ServerGID = irc
[Limits]
MaxConnections = 100
MaxConnectionsIP = 0
MaxNickLength = 17
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
"""

_SAY = """
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(20)
try:
    connection.connect(sys.argv[1])
    connection.sendall(sys.stdin.buffer.read())
    connection.shutdown(socket.SHUT_WR)
    heard = connection.recv(1)
except OSError as error:
    sys.exit(f"nobody in the chat answers: {error}")
sys.exit(None if heard else "not everybody in the chat is still there")
"""
SAY = ["python3", "-I", "-c", _SAY, f"{CHAT}/control"]
"""Lets people say what it reads, and ends when they have heard everything that was said until then; with an error where
they cannot any more."""

_ASK = """
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(40)
try:
    connection.connect(sys.argv[1])
    connection.sendall(b'"state"')
    connection.shutdown(socket.SHUT_WR)
    while heard := connection.recv(65536): sys.stdout.buffer.write(heard)
except OSError as error:
    sys.exit(f"nobody in the chat answers: {error}")
"""
ASK = ["python3", "-I", "-c", _ASK, f"{CHAT}/control"]
"""Prints what people in the chat are told of its channels when they ask."""


class ChatChannel(PlainModel):
    """A channel and what it is about."""

    name: Channel
    topic: Line = ""
    people: tuple[Nick, ...] = ()


class ChatReply(PlainModel):
    """What someone answers in a channel, or privately, to a message with one of these words."""

    who: Nick
    about: tuple[str, ...]
    reply: Line


@SETUP.register_before_use
def chat_server(context: SetupContext, channels: list[ChatChannel], replies: list[ChatReply] | None = None) -> None:
    """Start a chat server on loopback and return when the people in its channels are there."""
    people: dict[str, list[str]] = {}
    sections = [_SERVER]
    for channel in channels:
        sections.append(f"[Channel]\nName = {channel.name}\nTopic = {channel.topic}\nModes = +n\n")
        for nick in channel.people:
            people.setdefault(nick, []).append(channel.name)
    data = {"port": PORT, "people": people, "replies": [reply.model_dump() for reply in replies or []]}
    script = (Path(__file__).parent / "inside" / "chat_people.py").read_bytes()
    context.command(["mkdir", "-p", "-m", "700", CHAT], root=True)
    root_file(context, f"{CHAT}/people.json", json.dumps(data).encode())
    root_file(context, f"{CHAT}/people.py", script)
    root_file(context, f"{CHAT}/ngircd.conf", "".join(sections).encode())
    context.command(["/usr/sbin/ngircd", "-f", f"{CHAT}/ngircd.conf"], root=True)
    context.command(["python3", "-I", f"{CHAT}/people.py", CHAT], root=True)
