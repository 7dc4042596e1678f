"""Subtasks in a chat with HexChat.

The server, its channels and the people in them are the same in every task.
"""

from __future__ import annotations

from collections.abc import Mapping

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import close_slowly, lines_of, start_program
from proctor.suites.parts.ways import by_hand, by_python, by_shell, to_clipboard, typed_and_copied
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

ME = "robin"
TOPICS = {
    "#helpers": "Who helps where and when",
    "#planning": "What is still to be done",
    "#market": "Swap and sell with your neighbours",
    "#welcome": "Say hello to new members here",
}
PEOPLE = (("anna", "ben"), ("cleo",), ("dario", "elif"), ("frida",))
_CHANNELS = [
    {"name": name, "topic": topic, "people": list(people)}
    for (name, topic), people in zip(TOPICS.items(), PEOPLE, strict=True)
]
SETUP = (make.chat_server(_CHANNELS), make.hexchat_account(ME, list(TOPICS)))
HEXCHAT = "Lantern"
"""The network stands in the title of its window, whichever channel is shown."""
DEMAND = "Office/Communication/Messaging"
NEWS = ("We meet", "The doors open", "Rehearsal starts", "The van comes", "We clear up")
LONGEST_LINE = 300
"""Longer messages are broken on the way."""


class PostWordsInAChannel(Subtask):
    """Something is said in a channel."""

    version = 5
    app = "hexchat"
    gives = {"message": "message"}
    asks = (
        'post the message "{message}" in the channel {channel} in HexChat',
        'write "{message}" to everybody in the HexChat channel {channel}',
    )
    tied = True
    brief = 'post "{message}" in {channel} in HexChat'
    steps = ("Start HexChat and choose {channel}.", 'Say "{message}" there.', "Quit HexChat.")
    demand = DEMAND
    services = ("chat",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = theme.remark(draw, [f"{news} at {{time}} in {{place}}" for news in NEWS], "message")
        return Bound(
            gives={"message": Resource("message", line, [line])},
            params={"channel": theme.among("channel", draw, TOPICS)},
        )

    def work(self, bound: Bound) -> Work:
        channel, line = bound.params["channel"], bound.gives["message"].value
        other = next(name for name in TOPICS if name != channel)
        return Work(
            moves=(*_in_channel(channel), *_say(hand.type(line)), *close_slowly(HEXCHAT, "hexchat")),
            check=expect.chat_said(see.chat_log(channel), ME, line),
            alone=_nothing_more(channel, line),
            near_misses=(
                NearMiss(name="in another channel", moves=(*_in_channel(other), *_say(hand.type(line)))),
                NearMiss(name="not sent", moves=(*_in_channel(channel), hand.type(line))),
            ),
            other_ways=_by_others(channel, line),
            cheats=_by_cheating(channel, line, line.partition(" at ")[0]),
            setup=SETUP,
        )


class PasteIntoAChannel(Subtask):
    """A few words and what is on the clipboard are posted in a channel."""

    version = 5
    app = "hexchat"
    takes = {"clip": "clipboard_text"}
    gives = {"message": "message"}
    asks = (
        'post {clip} in the HexChat channel {channel}, after the words "{message}" on the same line',
        'say "{message}" followed by {clip}, all on one line, in the HexChat channel {channel}',
    )
    tied = True
    brief = 'post "{message}" and {clip} on one line in {channel} in HexChat'
    steps = (
        "Start HexChat and choose {channel}.",
        'Type "{message}" and paste {clip} after it.',
        "Send it and quit HexChat.",
    )
    demand = DEMAND
    services = ("chat",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        return introduce(draw, theme, takes, takes["clip"].value)

    def work(self, bound: Bound) -> Work:
        message, channel = bound.gives["message"], bound.params["channel"]
        intro = (*_in_channel(channel), hand.type(f"{message.value} "))
        return Work(
            moves=(*intro, *_say(hand.press("ctrl+v")), *close_slowly(HEXCHAT, "hexchat")),
            check=expect.chat_said(see.chat_log(channel), ME, message.content[0]),
            alone=_nothing_more(channel, message.content[0]),
            near_misses=(
                NearMiss(name="the words alone", moves=(*intro, hand.press("Return"))),
                NearMiss(name="the clipboard alone", moves=(*_in_channel(channel), *_say(hand.press("ctrl+v")))),
            ),
            other_ways=_by_others(channel, message.content[0]),
            cheats=_by_cheating(channel, message.content[0], message.value),
            setup=SETUP,
        )


class PostTheFirstLine(Subtask):
    """A few words and the first line of a text are posted in a channel."""

    version = 5
    app = "hexchat"
    takes = {"source": "text_file"}
    gives = {"message": "message"}
    asks = (
        'tell the HexChat channel {channel} the first line of {source}, after the words "{message}" on the same line',
        'post "{message}" followed by the first line of {source}, all on one line, in the HexChat channel {channel}',
    )
    tied = True
    brief = 'post "{message}" and the first line of {source} on one line in {channel} in HexChat'
    steps = (
        "Read the first line of {source}.",
        "Start HexChat and choose {channel}.",
        'Say "{message}" and then that line there.',
        "Quit HexChat.",
    )
    demand = DEMAND
    services = ("chat",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        return introduce(draw, theme, takes, lines_of(takes["source"])[0])

    def work(self, bound: Bound) -> Work:
        message, channel = bound.gives["message"], bound.params["channel"]
        other = next(name for name in TOPICS if name != channel)
        line = message.content[0]
        return Work(
            moves=(*_in_channel(channel), *_say(hand.type(line)), *close_slowly(HEXCHAT, "hexchat")),
            check=expect.chat_said(see.chat_log(channel), ME, line),
            alone=_nothing_more(channel, line),
            near_misses=(
                NearMiss(name="in another channel", moves=(*_in_channel(other), *_say(hand.type(line)))),
                NearMiss(name="the words alone", moves=(*_in_channel(channel), *_say(hand.type(message.value)))),
            ),
            other_ways=_by_others(channel, line),
            cheats=(
                *_by_cheating(channel, line, message.value),
                by_python(
                    "every line of the text",
                    _post_code(*((channel, f"{message.value} {each}") for each in self.decoys(bound))),
                ),
            ),
            setup=SETUP,
        )

    def decoys(self, bound: Bound) -> list[str]:
        """Return what might be posted in its place."""
        return lines_of(bound.takes["source"])


class CopyTheTopicOfAChannel(Subtask):
    """The topic of a channel goes to the clipboard."""

    app = "hexchat"
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the topic of the HexChat channel {channel} to the clipboard",
        "put the topic shown for the HexChat channel {channel} on the clipboard",
    )
    tied = True
    brief = "copy the topic of {channel} in HexChat"
    steps = ("Start HexChat and choose {channel}.", "Copy its topic to the clipboard.", "Quit HexChat.")
    demand = DEMAND
    version = 2
    services = ("chat",)

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        channel = theme.among("channel", draw, TOPICS)
        topic = TOPICS[channel]
        return Bound(gives={"clip": Resource("clipboard_text", topic, [topic])}, params={"channel": channel})

    def work(self, bound: Bound) -> Work:
        channel = bound.params["channel"]
        other = next(name for name in TOPICS if name != channel)
        return Work(
            moves=(*_topic_copied(channel), *close_slowly(HEXCHAT, "hexchat")),
            check=expect.clipboard_is(see.clipboard(), TOPICS[channel]),
            near_misses=(NearMiss(name="another channel's topic", moves=_topic_copied(other)),),
            other_ways=(
                by_python("asked for by a script", _TOPIC.format(me=ME, channel=channel)),
                typed_and_copied("typed into an editor", TOPICS[channel]),
            ),
            cheats=(
                to_clipboard("every topic", f"printf '%s\\n' {' '.join(map(repr, TOPICS.values()))}"),
                to_clipboard("the name of the channel", f"echo '{channel}'"),
                by_shell("noted in a file", f"echo '{TOPICS[channel]}' > Documents/topic.txt"),
            ),
            setup=SETUP,
        )


def _nothing_more(channel: str, line: str) -> tuple[Call, ...]:
    """Return checks that nothing but a line was said to anybody, and no topic set."""
    silent = (expect.chat_silent(see.chat_log(other), ME) for other in TOPICS if other != channel)
    said = (expect.chat_said(log, ME, line, alone=True) for log in (see.chat_log(channel), see.chat_log()))
    return (*said, *silent)


def _by_others(channel: str, line: str) -> tuple[Way, ...]:
    other = next(name for name in TOPICS if name != channel)
    return (
        by_python("by a script", _post_code((channel, line))),
        by_hand("by a command, from another channel", *_in_channel(other), *_say(hand.type(f"/msg {channel} {line}"))),
    )


def _by_cheating(channel: str, line: str, part: str) -> tuple[Way, ...]:
    return (
        by_python("in every channel", _post_code(*((each, line) for each in TOPICS))),
        by_python("said twice", _post_code((channel, line), (channel, line))),
        by_python("only a part of it", _post_code((channel, part))),
        by_python("under another name", _post_code((channel, line), nick="sam")),
        by_python("to somebody alone as well", _post_code((channel, line), (PEOPLE[0][0], line))),
    )


_CONNECTED = """
import socket

line = socket.create_connection(("127.0.0.1", 6667), 10)
heard = line.makefile(encoding="utf-8", newline="\\r\\n")
def tell(text):
    line.sendall((text + "\\r\\n").encode())
def until(code):
    for each in heard:
        if each.startswith("PING"):
            tell(each.replace("PING", "PONG").strip())
        if each.split()[1:2] == [code]:
            return each.strip()
tell("NICK {me}")
tell("USER {me} 0 * :{me}")
until("001")
"""
_TOPIC = (
    _CONNECTED
    + """
import subprocess
tell("JOIN {channel}")
topic = until("332").partition(" :")[2]
subprocess.run(["xclip", "-selection", "clipboard"], input=topic.encode(), stdout=subprocess.DEVNULL)
"""
)


def _post_code(*messages: tuple[str, str], nick: str = ME) -> str:
    """Return code that says something in channels, as another program would."""
    joined = "".join(
        f"tell('JOIN {channel}')\nuntil('366')\n"
        for channel in dict.fromkeys(name for name, _ in messages if name.startswith("#"))
    )
    told = "".join(f"tell({f'PRIVMSG {channel} :{text}'!r})\n" for channel, text in messages)
    return _CONNECTED.format(me=nick) + joined + told + "tell('QUIT')\nheard.read()\n"


def introduce(draw: Draw, theme: Theme, takes: Mapping[str, Resource], text: str) -> Bound:
    """Return what is said after a few words."""
    # What begins with a slash would be a command, and more than one line would be several messages.
    if not text.strip() or text != " ".join(text.split()) or len(text) > LONGEST_LINE:
        raise SpecError("that is not a plain line to post", remedy="give it something else")
    intro = f"{draw.choice(('For your information', 'From my notes', 'News'))} no. {draw.randint(2, 99)}:"
    if theme.part:
        intro = f"{theme.matter[:1].upper()}{theme.matter[1:]}:"
    message = Resource("message", intro, [f"{intro} {text}"])
    return Bound(takes=takes, gives={"message": message}, params={"channel": theme.among("channel", draw, TOPICS)})


def _in_channel(channel: str) -> tuple[Call, ...]:
    """Start HexChat, which joins the channels one after the other, and choose one of them."""
    *_, last = TOPICS
    return (
        *start_program("hexchat", last, timeout_sec=40),
        hand.click(channel, role="table cell", app="hexchat"),
        hand.await_window(channel),
        hand.await_element(role="text", text=TOPICS[channel], app="hexchat"),
    )


def _say(words: Call) -> tuple[Call, ...]:
    return (words, hand.press("Return"))


def _topic_copied(channel: str) -> tuple[Call, ...]:
    return (
        *_in_channel(channel),
        hand.click(role="text", text=TOPICS[channel], app="hexchat"),
        hand.press("ctrl+a"),
        hand.press("ctrl+c"),
    )
