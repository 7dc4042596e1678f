"""The DevTools client against a scripted browser at the other ends of its pipes."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.computers.channels.cdp import pipe as pipes
from proctor.computers.channels.cdp.client import CdpRefused, Devtools, NoAnswer
from proctor.computers.channels.cdp.pipe import BrowserGone, Pipe
from proctor.errors import ComputerError
from tests.unhurried import now

Answer = Callable[[dict[str, Any]], list[bytes]]


class Scripted:
    """A browser that answers each message as it is told, on a thread of its own."""

    def __init__(self, answer: Answer) -> None:
        self._read, ours_write = os.pipe()
        ours_read, self._write = os.pipe()
        self.pipe = Pipe(ours_read, ours_write)
        self.heard: list[tuple[str, dict[str, Any], str]] = []
        self.asked: list[dict[str, Any]] = []
        self.devtools = Devtools(self.pipe, lambda *event: self.heard.append(event))
        self._answer = answer
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        waiting = b""
        while data := os.read(self._read, 65536):
            waiting += data
            while b"\0" in waiting:
                text, _, waiting = waiting.partition(b"\0")
                message = json.loads(text)
                self.asked.append(message)
                for part in self._answer(message):
                    if part == b"END":
                        os.close(self._write)
                        return
                    os.write(self._write, part)

    def close(self) -> None:
        self.pipe.close()
        self._thread.join(5)


def said(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\0"


@pytest.fixture
def browser() -> Iterator[Callable[[Answer], Scripted]]:
    made: list[Scripted] = []

    def make(answer: Answer) -> Scripted:
        made.append(Scripted(answer))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_answer_is_that_of_its_own_question(browser: Callable[[Answer], Scripted]) -> None:
    def late(message: dict[str, Any]) -> list[bytes]:
        number = message["id"]
        return [said(id=number - 1, result={"of": "before"}), said(id=number, result={"of": number})]

    scripted = browser(late)
    assert scripted.devtools.ask("Browser.getVersion") == {"of": 1}
    assert scripted.devtools.ask("Page.enable", "tab", deep=True) == {"of": 2}
    assert scripted.asked[1] == {"id": 2, "method": "Page.enable", "params": {"deep": True}, "sessionId": "tab"}
    assert "sessionId" not in scripted.asked[0]


def test_several_questions_are_under_way_at_once(browser: Callable[[Answer], Scripted]) -> None:
    held: list[dict[str, Any]] = []

    def when_all_are_there(message: dict[str, Any]) -> list[bytes]:
        held.append(message)
        if len(held) < 3:
            return []
        return [said(id=each["id"], result={"of": each["method"]}) for each in reversed(held)]

    scripted = browser(when_all_are_there)
    commands = [("A.a", "", {}), ("B.b", "tab", {"deep": True}), ("C.c", "", {})]
    assert scripted.devtools.ask_all(commands) == [{"of": "A.a"}, {"of": "B.b"}, {"of": "C.c"}]
    assert scripted.asked[1]["sessionId"] == "tab" and scripted.asked[1]["params"] == {"deep": True}


def test_one_of_several_that_is_refused_is_named(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(
        lambda message: [
            said(id=message["id"], error={"message": "no"}) if message["method"] == "B.b" else said(id=message["id"])
        ]
    )
    with pytest.raises(CdpRefused, match=r"refused B\.b: no"):
        scripted.devtools.ask_all([("A.a", "", {}), ("B.b", "", {}), ("C.c", "", {})])
    assert scripted.devtools.ask("D.d") == {}


def test_events_are_heard_in_order_before_the_answer(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(
        lambda message: [
            said(method="Page.frameStartedLoading", params={"frameId": "f"}, sessionId="tab"),
            said(method="Target.targetCreated", params={}),
            said(id=message["id"], result={}),
        ]
    )
    scripted.devtools.ask("Page.navigate")
    assert scripted.heard == [
        ("Page.frameStartedLoading", {"frameId": "f"}, "tab"),
        ("Target.targetCreated", {}, ""),
    ]


def test_a_message_may_come_in_pieces_and_several_in_one(browser: Callable[[Answer], Scripted]) -> None:
    def pieces(message: dict[str, Any]) -> list[bytes]:
        whole = said(method="A.b", params={}) + said(id=message["id"], result={"text": "é" * 50_000})
        return [whole[start : start + 7001] for start in range(0, len(whole), 7001)]

    scripted = browser(pieces)
    assert scripted.devtools.ask("X.y")["text"] == "é" * 50_000
    assert len(scripted.heard) == 1


def test_an_answer_to_nothing_is_passed_over(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(lambda message: [said(id=[1], result={}), said(id="1"), said(id=message["id"], result=5)])
    assert scripted.devtools.ask("Browser.getVersion") == {}


def test_a_refusal_says_what_the_browser_said(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(lambda message: [said(id=message["id"], error={"code": -1, "message": "No such tab"})])
    with pytest.raises(CdpRefused, match=r"refused Page\.reload: No such tab"):
        scripted.devtools.ask("Page.reload")


def test_silence_ends_with_the_patience_and_a_late_answer_is_nobodys(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(
        lambda message: [said(id=1, result={}), said(id=2, result={"n": 2})] if message["id"] == 2 else []
    )
    with pytest.raises(NoAnswer, match=r"Runtime\.evaluate was not answered within 0\.05 s"):
        scripted.devtools.ask("Runtime.evaluate", timeout_sec=0.05)
    assert scripted.devtools.ask("Runtime.evaluate") == {"n": 2}


def test_what_keeps_the_answer_from_coming_ends_the_waiting(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(lambda message: [said(method="Page.javascriptDialogOpening", params={}, sessionId="tab")])
    began = now()
    with pytest.raises(NoAnswer, match="something else came up"):
        scripted.devtools.ask("Runtime.evaluate", timeout_sec=60, unless=lambda: bool(scripted.heard))
    assert now() - began < 30


def test_a_browser_that_ends_is_said_to_be_closed_then_and_later(browser: Callable[[Answer], Scripted]) -> None:
    scripted = browser(lambda message: [b'{"half": ', b"END"])
    for _ in range(2):
        with pytest.raises(BrowserGone, match="the browser was closed"):
            scripted.devtools.ask("Browser.getVersion")
    assert not scripted.devtools.alive


def test_a_message_without_end_is_not_taken_in(
    browser: Callable[[Answer], Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipes, "MOST_BYTES", 100_000)
    scripted = browser(lambda message: [b"x" * 60_000, b"x" * 60_000, b"END"])
    with pytest.raises(BrowserGone, match="more than"):
        scripted.devtools.ask("Browser.getVersion")


def test_a_browser_that_does_not_read_is_not_waited_for_without_end() -> None:
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    pipe = Pipe(our_read, our_write)
    try:
        with pytest.raises(ComputerError, match="does not read"):
            pipe.send({"text": "x" * 1_000_000}, time.monotonic() + 0.05)
    finally:
        pipe.close()
        os.close(their_read)
        os.close(their_write)


@given(st.lists(st.one_of(st.binary(max_size=30), st.just(b"[1]"), st.just(b"null"), st.just(b'{"id": [1]}'))))
def test_what_is_no_message_is_passed_over(noise: list[bytes]) -> None:
    our_read, their_write = os.pipe()
    pipe = Pipe(our_read, os.dup(their_write))
    try:
        os.write(their_write, b"".join(part.replace(b"\0", b"") + b"\0" for part in noise) + said(id=7, result={}))
        while (message := pipe.receive(time.monotonic() + 60)) != {"id": 7, "result": {}}:
            assert isinstance(message, dict)
    finally:
        pipe.close()
        os.close(their_write)
