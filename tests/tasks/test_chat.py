"""Chat: a real server, people who are there, and the checks on what was said."""

from __future__ import annotations

from typing import Any

import pytest

from proctor import open_computer
from proctor.actions.action import Press, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make
from proctor.vocabulary.apps.hexchat.setup import HEXCHAT, ChatMessage, chat_say, hexchat, hexchat_account
from proctor.vocabulary.services.chat.checks import (
    chat_mentioned,
    chat_said,
    chat_silent,
    chat_topic,
    joined_channel,
    left_channel,
)
from proctor.vocabulary.services.chat.probes import chat_log
from proctor.vocabulary.services.chat.setup import PORT, ChatChannel, ChatReply, chat_server


def log(*entries: tuple[str, str, str]) -> dict[str, Any]:
    listed = [{"kind": kind, "who": who, "where": "#choir", "text": text} for kind, who, text in entries]
    return {"where": "#choir", "entries": listed}


def test_what_was_said() -> None:
    seen = log(("message", "Ines", "I will be  late!"), ("message", "greta", "fine"))
    assert chat_said(seen, "ines", "i will be late").passed
    assert not chat_said(seen, "greta", "I will be late").passed
    assert not chat_said(log(("message", "ines", "I will be late?")), "ines", "I will be late").passed
    assert not chat_said(seen, "ines", "I will be").passed
    assert not chat_said(log(("message", "ines", "hi"), ("message", "ines", "hi")), "ines", "hi").passed
    assert chat_said(seen, "ines", "I will be late", alone=True).passed
    every = log(("message", "ines", "Picnic on Friday"), ("message", "ines", "Picnic on Sunday"))
    assert chat_said(every, "ines", "Picnic on Sunday").passed
    assert not chat_said(every, "ines", "Picnic on Sunday", alone=True).passed
    assert chat_said(seen, "ines", "I will be late!", exactly=True).passed
    assert not chat_said(seen, "ines", "I will be late", exactly=True).passed
    assert not chat_said(seen, "ines", "i will be late!", exactly=True).passed
    assert chat_mentioned(seen, "ines", ["LATE", "will"]).passed
    assert not chat_mentioned(seen, "ines", ["late", "tomorrow"]).passed
    assert chat_silent(seen, "samir").passed and not chat_silent(seen, "greta").passed


def test_topics() -> None:
    seen = log(("topic", "ines", "Old"), ("topic", "ines", "Tuesday at 7"))
    assert chat_topic(seen, "tuesday at 7").passed
    assert chat_topic(seen, "Tuesday  at 7", exactly=True).passed
    assert not chat_topic(seen, "tuesday at 7", exactly=True).passed
    assert not chat_topic(seen, "Old").passed and not chat_topic(log(), "Old").passed


def test_coming_and_going() -> None:
    assert joined_channel(log(("join", "ines", "")), "Ines").passed
    for seen in (
        log(),
        log(("join", "ines", ""), ("part", "ines", "")),
        log(("join", "ines", ""), ("quit", "ines", "")),
    ):
        assert not joined_channel(seen, "ines").passed and left_channel(seen, "ines").passed
    assert not left_channel(log(("join", "ines", "")), "ines").passed


def test_names_that_would_break_the_protocol_are_refused() -> None:
    with pytest.raises(SpecError):
        make.chat_server([{"name": "#choir\nTopic = x"}])
    with pytest.raises(SpecError):
        make.chat_server([{"name": "#choir", "topic": "two\nlines"}])
    with pytest.raises(SpecError):
        make.hexchat("ines dahl", ["#choir"])


def test_hexchat_knows_its_account_before_it_is_opened() -> None:
    with FakeComputer() as computer:
        hexchat_account(SetupContext(computer), "ines", ["#choir", "#garden"])
        settings = computer.read_file(f"{HEXCHAT}/hexchat.conf").decode().splitlines()
        network = computer.read_file(f"{HEXCHAT}/servlist.conf").decode().splitlines()
        assert not computer.windows()
    assert {"irc_nick1 = ines", "irc_nick2 = ines_", "irc_user_name = ines", "gui_slist_skip = 1"} <= set(settings)
    assert [line for line in network if line.startswith("J=")] == ["J=#choir", "J=#garden"]
    assert f"S=127.0.0.1/{PORT}" in network
    with pytest.raises(SpecError):
        make.hexchat_account("ines", [])


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_chat_with_people_who_answer() -> None:
    with open_computer("sandbox", image="full", network="loopback") as computer:
        setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
        channels = [ChatChannel(name="#choir", topic="Tuesdays", people=("greta", "samir"))]
        chat_server(setup_context, channels, [ChatReply(who="greta", about=("when",), reply="At seven sharp")])
        hexchat(setup_context, "ines", ["#choir"])
        assert joined_channel(chat_log(probe_context, "#choir"), "ines").passed
        chat_say(setup_context, [ChatMessage(who="samir", to="#choir", text="Welcome, Ines")])
        computer.perform(Type(text="When do we meet?"))
        computer.perform(Press(keys="Return"))
        logs = ".config/hexchat/logs"
        computer.wait_for(lambda c: c.run(["grep", "-rq", "At seven sharp", logs]).code == 0, what="the answer")
        for line in ("/topic Wednesdays", "/msg greta see you", "/part"):
            computer.perform(Type(text=line))
            computer.perform(Press(keys="Return"))
        seen = chat_log(probe_context, "#choir")
        assert chat_said(seen, "ines", "When do we meet?").passed
        assert chat_topic(seen, "Wednesdays").passed
        assert left_channel(seen, "ines").passed
        assert chat_said(chat_log(probe_context, "greta"), "ines", "see you").passed
        assert computer.run(["cat", "/run/proctor-chat/log"]).code != 0
