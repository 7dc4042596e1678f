"""Setup steps for HexChat: connected to a chat, and reached by what is said there."""

from __future__ import annotations

import json
from typing import Annotated

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.services.chat.setup import NETWORK, PORT, SAY, Channel, Line, Nick

HEXCHAT = ".config/hexchat"


_SETTINGS = {
    "gui_input_spell": 0, "gui_join_dialog": 0, "gui_pane_left_size": 160, "gui_pane_right_size": 180,
    "gui_quit_dialog": 0, "gui_slist_skip": 1, "gui_tray": 0, "gui_win_height": 950, "gui_win_state": 1,
    "gui_win_width": 1900, "irc_logging": 1, "net_auto_reconnect": 0, "net_throttle": 0, "text_font": "Monospace 12",
    "text_replay": 0,
}  # fmt: skip


class ChatMessage(PlainModel):
    """Something that one of the people says in a channel or to someone."""

    who: Nick
    to: Nick | Channel
    text: Line


@SETUP.register_before_use
def hexchat(context: SetupContext, nick: Nick, channels: Annotated[list[Channel], Field(min_length=1)]) -> None:
    """Open HexChat, connected under a name, with its channels open, the last one in front."""
    hexchat_account(context, nick, channels)
    context.computer.launch(["hexchat"], window=channels[-1], timeout_sec=60)


@SETUP.register_before_use
def hexchat_account(context: SetupContext, nick: Nick, channels: Annotated[list[Channel], Field(min_length=1)]) -> None:
    """Configure HexChat to connect under a name and join these channels whenever it is opened."""
    settings = {**_SETTINGS, "irc_nick1": nick, "irc_nick2": f"{nick}_", "irc_user_name": nick, "irc_real_name": nick}
    lines = "".join(f"{key} = {value}\n" for key, value in settings.items())
    joined = "".join(f"J={channel}\n" for channel in channels)
    network = f"v=2.16\n\nN={NETWORK}\nE=UTF-8\nF=11\nD=0\nS=127.0.0.1/{PORT}\n{joined}\n"
    context.computer.write_file(f"{HEXCHAT}/hexchat.conf", lines.encode())
    context.computer.write_file(f"{HEXCHAT}/servlist.conf", network.encode())


@SETUP.register
def chat_say(context: SetupContext, messages: Annotated[list[ChatMessage], Field(min_length=1)]) -> None:
    """Make people say something, and return when HexChat has received all of it."""
    data = [message.model_dump() for message in messages]
    context.command(SAY, root=True, input=json.dumps(data).encode())
    last = messages[-1].text
    context.computer.wait_for(
        lambda computer: computer.run(["grep", "-rqF", "-e", last, f"{HEXCHAT}/logs"]).code == 0, what="the message"
    )
    context.computer.settle()
