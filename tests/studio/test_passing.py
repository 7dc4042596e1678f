"""What a person's viewer says goes on to the display whole and at once, and is told as it was passed on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.studio.record.events import Event, KeyMoved, PointerAt
from proctor.studio.record.stopwatch import Stopwatch
from proctor.studio.record.viewer_input import HandListener
from proctor.web.rfb import NotLooking
from tests.studio.displayed import ENCODINGS, GREETING, UPDATE, key, pointer

GREETED = GREETING[:-1] + b"\1"
PLACE_KEY = bytes([255, 0, 0, 1]) + (97).to_bytes(4) + (30).to_bytes(4)
CUT_TEXT = bytes([6, 0, 0, 0]) + (3).to_bytes(4) + b"abc"
RESIZE = bytes([251, 0, 1, 0, 1, 0, 1, 0]) + bytes(16)


def hands(told: list[Event] | None = None) -> HandListener:
    made = HandListener((100, 80), (told if told is not None else []).append)
    assert made.let_through(GREETING) == GREETED
    return made


def test_pointer_and_keys_go_on_and_are_told() -> None:
    told: list[Event] = []
    sent = pointer(5, 6) + pointer(5, 6, 1) + UPDATE + key(97, True) + key(97, False)
    assert hands(told).let_through(sent) == sent
    assert [(event.x, event.y, event.mask) for event in told if isinstance(event, PointerAt)] == [(5, 6, 0), (5, 6, 1)]
    assert [(event.keysym, event.down) for event in told if isinstance(event, KeyMoved)] == [(97, True), (97, False)]


def test_places_beyond_the_desktop_are_the_nearest_on_it() -> None:
    told: list[Event] = []
    assert hands(told).let_through(pointer(500, 79)) == pointer(99, 79)
    assert isinstance(told[0], PointerAt)
    assert told[0].x == 99


@pytest.mark.parametrize("message", [PLACE_KEY, CUT_TEXT, RESIZE, key(97, False)])
def test_what_could_not_be_told_does_not_go_on(message: bytes) -> None:
    told: list[Event] = []
    assert hands(told).let_through(message + UPDATE) == UPDATE
    assert told == []


def test_the_viewer_is_not_offered_keys_by_place() -> None:
    passed = hands().let_through(ENCODINGS)
    assert passed == bytes([2, 0, 0, 2]) + (0).to_bytes(4) + (-239).to_bytes(4, signed=True)


def test_a_pause_lets_nothing_through_but_looking() -> None:
    told: list[Event] = []
    made = hands(told)
    made.let_through(key(97, True) + pointer(1, 2, 1))
    assert made.let_go() == pointer(1, 2) + key(97, False)
    made.paused = True
    assert made.let_through(key(98, True) + pointer(3, 3, 1) + UPDATE) == UPDATE
    made.paused = False
    # It went down while nothing was passed on, so its release means nothing.
    assert made.let_through(key(98, False)) == b""
    assert made.let_go() == b""


@given(st.lists(st.binary(max_size=40), max_size=10), st.booleans())
def test_whatever_is_sent_only_whole_messages_go_on(chunks: list[bytes], paused: bool) -> None:
    told: list[Event] = []
    made = hands(told)
    made.paused = paused
    passed = b""
    try:
        for chunk in chunks:
            passed += made.let_through(chunk)
    except NotLooking:
        return
    assert not (paused and told)
    # What goes on is itself what a viewer may say.
    again = hands()
    assert again.let_through(passed) == (b"" if paused and told else passed)


@given(st.binary(min_size=1, max_size=60), st.integers(1, 5))
def test_how_the_bytes_are_cut_makes_no_difference(data: bytes, size: int) -> None:
    def passing(pieces: list[bytes]) -> tuple[bytes, bool]:
        made, passed = hands(), b""
        try:
            for piece in pieces:
                passed += made.let_through(piece)
        except NotLooking:
            return b"", False
        return passed, True

    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert passing([data]) == passing(pieces)


def test_the_clock_stands_while_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    watch = Stopwatch()
    assert watch.seconds == 0
    watch.start()
    now[0] += 5
    watch.stop()
    watch.stop()
    now[0] += 60
    assert watch.seconds == 5
    watch.start()
    watch.start()
    now[0] += 2
    assert watch.seconds == 7
    assert watch.pauses == [60]
