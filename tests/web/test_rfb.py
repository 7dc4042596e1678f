"""A viewer that may only look: what it says of keys, pointer and clipboard never arrives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.web.rfb import LookingOnly, NotLooking

GREETING = b"RFB 003.008\n" + b"\1" + b"\0"
GREETED = b"RFB 003.008\n" + b"\1" + b"\1"
FORMAT = bytes([0]) + bytes(19)
ENCODINGS = bytes([2, 0, 0, 2]) + bytes(8)
UPDATE = bytes([3, 1]) + bytes(8)
FENCE = bytes([248, 0, 0, 0, 0, 0, 0, 1, 3]) + b"abc"
LOOKING = [FORMAT, ENCODINGS, UPDATE, bytes([150]) + bytes(9), FENCE]
KEY = bytes([4, 1]) + bytes(6)
CUT_TEXT = bytes([6, 0, 0, 0]) + (5).to_bytes(4) + b"paste"
EXTENDED_TEXT = bytes([6, 0, 0, 0]) + (-5).to_bytes(4, signed=True) + b"paste"
RESIZE = bytes([251, 0, 0, 9, 0, 9, 1, 0]) + bytes(16)
TOUCHING = [KEY, bytes([5, 1, 0, 9, 0, 9]), CUT_TEXT, EXTENDED_TEXT, RESIZE, bytes([255]) + bytes(11), bytes([250] * 4)]


@given(some.lists(some.sampled_from(LOOKING + TOUCHING), max_size=12), some.integers(1, 30))
def test_only_looking_goes_through_in_whatever_pieces_it_comes(messages: list[bytes], piece: int) -> None:
    said = GREETING + b"".join(messages)
    only = LookingOnly()
    passed = b"".join(only.let_through(said[at : at + piece]) for at in range(0, len(said), piece))
    assert passed == GREETED + b"".join(message for message in messages if message in LOOKING)


@given(some.binary(max_size=200))
def test_whatever_is_said_only_looking_goes_through(said: bytes) -> None:
    """What has passed is whole messages of the kinds for looking: passing it again changes nothing."""
    try:
        passed = LookingOnly().let_through(GREETING + said)
    except NotLooking:
        return
    assert LookingOnly().let_through(passed) == passed


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n", b"RFB 003.003\n", b"RFB 003.008\n\2", GREETING + b"\7"])
def test_what_no_viewer_says(said: bytes) -> None:
    with pytest.raises(NotLooking):
        LookingOnly().let_through(said)


def test_a_message_without_end() -> None:
    endless = bytes([6, 0, 0, 0]) + (0x7FFFFFFF).to_bytes(4)
    only = LookingOnly()
    assert only.let_through(GREETING + endless) == GREETED
    with pytest.raises(NotLooking, match="too long"):
        only.let_through(bytes(2 << 20))
