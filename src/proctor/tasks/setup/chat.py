"""Setup steps for chat: a real server, people who are there, and a client that is connected."""

from __future__ import annotations

import json
from importlib import resources
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from proctor.tasks.setup.web import root_file
from proctor.tasks.shelves import SETUP
from proctor.tasks.stage import Stage

CHAT = "/run/proctor-chat"
"""Only root can enter it."""
PORT = 6667
NETWORK = "Lantern"
HEXCHAT = ".config/hexchat"

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
_SETTINGS = {
    "gui_input_spell": 0, "gui_join_dialog": 0, "gui_pane_left_size": 160, "gui_pane_right_size": 180,
    "gui_quit_dialog": 0, "gui_slist_skip": 1, "gui_tray": 0, "gui_win_height": 950, "gui_win_state": 1,
    "gui_win_width": 1900, "irc_logging": 1, "net_auto_reconnect": 0, "net_throttle": 0, "text_font": "Monospace 12",
    "text_replay": 0,
}  # fmt: skip


class ChatChannel(BaseModel):
    """A channel and what it is about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Channel
    topic: Line = ""
    people: tuple[Nick, ...] = ()


class ChatReply(BaseModel):
    """What someone answers in a channel, or privately, to a message with one of these words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: Nick
    about: tuple[str, ...]
    reply: Line


class ChatMessage(BaseModel):
    """Something that one of the people says in a channel or to someone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: Nick
    to: Nick | Channel
    text: Line


@SETUP.register
def chat_server(stage: Stage, channels: list[ChatChannel], replies: list[ChatReply] | None = None) -> None:
    """Start a chat server on loopback with people in its channels, and return when all of them are there."""
    people: dict[str, list[str]] = {}
    sections = [_SERVER]
    for channel in channels:
        sections.append(f"[Channel]\nName = {channel.name}\nTopic = {channel.topic}\nModes = +n\n")
        for nick in channel.people:
            people.setdefault(nick, []).append(channel.name)
    data = {"port": PORT, "people": people, "replies": [reply.model_dump() for reply in replies or []]}
    script = (resources.files("proctor.tasks.setup") / "chat_people.py").read_bytes()
    stage.command(["mkdir", "-p", "-m", "700", CHAT], root=True)
    root_file(stage, f"{CHAT}/people.json", json.dumps(data).encode())
    root_file(stage, f"{CHAT}/people.py", script)
    root_file(stage, f"{CHAT}/ngircd.conf", "".join(sections).encode())
    stage.command(["/usr/sbin/ngircd", "-f", f"{CHAT}/ngircd.conf"], root=True)
    stage.command(["python3", "-I", f"{CHAT}/people.py", CHAT], root=True)


@SETUP.register
def hexchat(stage: Stage, nick: Nick, channels: Annotated[list[Channel], Field(min_length=1)]) -> None:
    """Open HexChat, connected under a name, and return when it is in its channels; the last one is in front."""
    hexchat_account(stage, nick, channels)
    stage.computer.launch(["hexchat"], window=channels[-1], timeout_sec=60)


@SETUP.register
def hexchat_account(stage: Stage, nick: Nick, channels: Annotated[list[Channel], Field(min_length=1)]) -> None:
    """Let HexChat, whenever it is opened, connect under a name and join these channels."""
    settings = {**_SETTINGS, "irc_nick1": nick, "irc_nick2": f"{nick}_", "irc_user_name": nick, "irc_real_name": nick}
    lines = "".join(f"{key} = {value}\n" for key, value in settings.items())
    joined = "".join(f"J={channel}\n" for channel in channels)
    network = f"v=2.16\n\nN={NETWORK}\nE=UTF-8\nF=11\nD=0\nS=127.0.0.1/{PORT}\n{joined}\n"
    stage.computer.write_file(f"{HEXCHAT}/hexchat.conf", lines.encode())
    stage.computer.write_file(f"{HEXCHAT}/servlist.conf", network.encode())


@SETUP.register
def chat_say(stage: Stage, messages: Annotated[list[ChatMessage], Field(min_length=1)]) -> None:
    """Let people say something, and return when HexChat has received the last of it."""
    data = [message.model_dump() for message in messages]
    stage.command(SAY, root=True, input=json.dumps(data).encode())
    last = messages[-1].text
    stage.computer.wait_for(
        lambda computer: computer.run(["grep", "-rqF", "-e", last, f"{HEXCHAT}/logs"]).code == 0, what="the message"
    )
    stage.computer.settle()
