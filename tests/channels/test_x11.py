"""The X11 client against a scripted server: what it sees, and how it bears silence, nonsense and sudden death."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.events import Damaged, Resized, WindowsChanged
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.channels.x11.pixels import MAX_SEGMENTS
from proctor.computers.channels.x11.protocol import Op, XError, encode
from proctor.computers.channels.x11.wire import MAX_REOPENED
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.box import Box
from tests.channels.fake_x import APP, DAMAGE_EVENT, MAJORS, ROOT, FakeX, fake_x
from tests.unhurried import now


@pytest.fixture
def fake() -> Iterator[tuple[FakeX, X11]]:
    with fake_x() as (server, sock):
        yield server, X11(sock, timeout_sec=5)


def impatient(sock: socket.socket) -> X11:
    return X11(sock, timeout_sec=0.2)


# -- seeing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extensions", [tuple(MAJORS), ("XTEST", "XFIXES", "DAMAGE")], ids=["shared", "plain"])
def test_grab_returns_the_pixels_of_a_box(extensions: tuple[str, ...]) -> None:
    with fake_x(extensions=extensions) as (server, sock):
        x = X11(sock)
        whole = bytes(x.grab())
        assert len(whole) == 64 * 48 * 4
        assert whole[4 * (5 * 64 + 7) :][:4] == server.pixel(7, 5)
        assert bytes(x.grab(Box(7, 5, 2, 1))) == server.pixel(7, 5) + server.pixel(8, 5)


def test_screenshot_is_rgb_with_the_pointer_drawn(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    blue, green, red, _ = server.pixel(20, 30)
    image = x.screenshot()
    assert (image.mode, image.size) == ("RGB", (64, 48))
    assert image.getpixel((20, 30)) == (red, green, blue)
    assert image.getpixel((9, 11)) == image.getpixel((10, 12)) == (255, 255, 255)
    assert x.screenshot(cursor=False).getpixel((9, 11)) != (255, 255, 255)


def test_an_earlier_screenshot_keeps_its_pixels(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    before = x.screenshot(cursor=False)
    old = before.getpixel((20, 30))
    server.pixel = lambda x, y: b"\xff\xff\xff\0"  # type: ignore[method-assign]
    assert x.screenshot(cursor=False).getpixel((20, 30)) == (255, 255, 255)
    assert before.getpixel((20, 30)) == old


@pytest.mark.parametrize("box", [Box(60, 0, 10, 10), Box(-1, 0, 5, 5), Box(0, 0, 0, 5), Box(100, 100, 1, 1)])
def test_grab_refuses_a_box_outside(fake: tuple[FakeX, X11], box: Box) -> None:
    with pytest.raises(ComputerError, match="not inside the desktop"):
        fake[1].grab(box)


def test_a_server_that_cannot_share_memory_is_read_the_plain_way(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.override[MAJORS["MIT-SHM"]] = lambda sequence: server.error(10, MAJORS["MIT-SHM"])
    assert bytes(x.grab(Box(7, 5, 1, 1))) == server.pixel(7, 5)


def test_shared_memory_cannot_be_shrunk_by_the_other_side(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    x.grab()
    assert server.could_shrink is False


def test_windows_are_described(fake: tuple[FakeX, X11]) -> None:
    (window,) = fake[1].windows()
    assert (window.id, window.title, window.app, window.pid) == (APP, "Fake – Editor", "Fake", 42)
    assert window.box == Box(5, 25, 30, 20)
    assert window.frame == Box(4, 5, 33, 43)
    assert window.active
    assert not window.minimised
    assert window.kind == "normal"


def test_windows_tell_kind_and_state(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.set_numbers(APP, "_NET_WM_WINDOW_TYPE", server.atom("_NET_WM_WINDOW_TYPE_DIALOG"))
    server.set_numbers(APP, "_NET_WM_STATE", server.atom("_NET_WM_STATE_HIDDEN"))
    server.set_numbers(ROOT, "_NET_ACTIVE_WINDOW", 0x999)
    (window,) = x.windows()
    assert (window.kind, window.minimised, window.active) == ("dialog", True, False)


def test_a_window_that_vanished_is_left_out(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.set_numbers(ROOT, "_NET_CLIENT_LIST_STACKING", 0x777, APP, 0x778)
    assert [window.id for window in x.windows()] == [APP]


def test_without_a_window_manager_the_mapped_windows_are_listed(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    del server.properties[ROOT, "_NET_CLIENT_LIST_STACKING"], server.properties[ROOT, "_NET_ACTIVE_WINDOW"]
    (window,) = x.windows()
    assert window.id == APP
    assert window.active


@given(
    names=st.binary(max_size=40),
    numbers=st.binary(max_size=40),
    width=st.sampled_from([0, 8, 16, 32, 255]),
)
def test_hostile_properties_are_read_without_harm(names: bytes, numbers: bytes, width: int) -> None:
    with fake_x() as (server, sock):
        x = X11(sock)
        for name in ("_NET_WM_NAME", "WM_CLASS"):
            server.properties[APP, name] = (8, names)
        for name in ("_NET_WM_PID", "_NET_FRAME_EXTENTS", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE"):
            server.properties[APP, name] = (width, numbers)
        (window,) = x.windows()
        assert window.box == Box(5, 25, 30, 20)
        assert window.frame.width >= 0


# -- touching -------------------------------------------------------------------------------------------------------


def test_pointer_and_far_away_moves(fake: tuple[FakeX, X11]) -> None:
    _, x = fake
    x.move(10**9, -(10**9))
    x.button(1, True)
    x.button(1, False)
    x.sync()
    assert (x.pointer().x, x.pointer().y) == (3, 4)


def test_ping_tells_answered_hung_and_unable(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    assert x.ping(APP) is True
    server.override[Op.SendEvent] = lambda sequence: None
    started = now()
    assert x.ping(APP, timeout_sec=0.1) is False
    assert now() - started < 2
    del server.properties[APP, "WM_PROTOCOLS"]
    assert x.ping(APP) is None
    assert x.ping(0x777) is None


# -- waiting --------------------------------------------------------------------------------------------------------


def damage(server: FakeX, box: Box) -> bytes:
    return server.event(DAMAGE_EVENT, struct.pack("<IIIhhHH", ROOT, 1, 0, *box))


def test_wait_returns_at_once_with_what_happened(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    assert x.drain() == []
    server.sock.sendall(
        damage(server, Box(1, 2, 3, 4))
        + damage(server, Box(10, 2, 3, 4))
        + server.event(19, struct.pack("<II", ROOT, APP))
        + server.event(28, struct.pack("<II", ROOT, server.atom("_SOMETHING_ELSE")))
    )
    started = now()
    events = x.wait(60)
    assert now() - started < 2
    assert [type(event) for event in events] == [WindowsChanged, Damaged]
    assert isinstance(events[1], Damaged)
    assert events[1].box == Box(1, 2, 12, 4)
    x.sync()
    assert server.damage_resets == 1
    assert x.drain() == []


def test_wait_ends_when_the_time_is_up(fake: tuple[FakeX, X11]) -> None:
    started, really = now(), time.monotonic()
    assert fake[1].wait(0.05) == []
    assert now() - started < 2
    assert time.monotonic() - really >= 0.04


def configure(server: FakeX, width: int, height: int, *, code: int = 22) -> bytes:
    return server.event(code, struct.pack("<IIIhhHH", ROOT, ROOT, 0, 0, 0, width, height))


def test_a_smaller_screen_is_followed_by_black(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.sock.sendall(configure(server, 40, 30))
    (event,) = x.wait(60)
    assert isinstance(event, Resized)
    assert event.size == x.size == (40, 30)
    image = x.screenshot(cursor=False)
    assert image.size == (64, 48)
    assert image.getpixel((39, 29)) == tuple(server.pixel(39, 29)[2::-1])
    assert image.getpixel((40, 29)) == image.getpixel((39, 30)) == (0, 0, 0)


@pytest.mark.parametrize("size", [(80, 60), (16000, 16000), (65535, 65535)])
def test_a_larger_screen_is_cut_to_the_planned_size(fake: tuple[FakeX, X11], size: tuple[int, int]) -> None:
    server, x = fake
    before = x.screenshot()
    server.sock.sendall(configure(server, *size))
    x.wait(60)
    assert x.size == size
    assert x.screenshot() == before
    assert len(x.grab()) == 64 * 48 * 4
    assert server.shared_bytes == [64 * 48 * 4]
    with pytest.raises(ComputerError, match="not inside"):
        x.grab(Box(0, 0, 65, 1))


def test_the_planned_size_counts_from_the_first_moment() -> None:
    with fake_x() as (_, sock):
        assert X11(sock, size=(100, 20)).screenshot().size == (100, 20)


def test_events_that_a_program_sent_are_not_the_servers(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    mapping = x.keymap_changes
    forged = configure(server, 9, 9, code=22 | 0x80)
    for code in (DAMAGE_EVENT, 16, 17, 18, 19, 21, 24, 26, 34):
        forged += server.event(code | 0x80, struct.pack("<IIIhhHH", ROOT, ROOT, 0, 0, 0, 9, 9))
    forged += server.event(28 | 0x80, struct.pack("<II", ROOT, server.atom("_NET_ACTIVE_WINDOW")))
    server.sock.sendall(forged + bytes([11 | 0x80]) + b"\xff" * 31 + server.event(35 | 0x80, b"\xff" * 28))
    assert x.wait(0.1) == []
    assert (x.size, x.keymap_changes) == ((64, 48), mapping)
    assert x.pointer().x == 3


def test_the_object_that_follows_the_screen_is_made_again(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    notes: list[str] = []
    x._note = notes.append
    answer = server.override[MAJORS["DAMAGE"]] = lambda sequence: server.error(152, MAJORS["DAMAGE"], 3)
    x.nudge()
    x.sync()
    assert answer and len(notes) == 1
    del server.override[MAJORS["DAMAGE"]]
    made = server.damages
    assert [type(event) for event in x.drain()] == [Damaged]
    x.sync()
    assert server.damages == made + 1


# -- being cut off --------------------------------------------------------------------------------------------------


class Switchboard:
    """Fake servers that are called one after another."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.servers: list[FakeX] = []
        self.refuse = False
        self.prepare: Callable[[FakeX], object] = lambda server: None

    def __call__(self) -> socket.socket:
        if self.refuse:
            raise ConnectionRefusedError(111, "Connection refused")
        server, sock = self.stack.enter_context(fake_x())
        self.servers.append(server)
        self.prepare(server)
        return sock

    def cut(self) -> None:
        self.servers[-1].sock.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def switchboard() -> Iterator[Switchboard]:
    with ExitStack() as stack:
        yield Switchboard(stack)


def test_a_line_that_is_cut_is_opened_again(switchboard: Switchboard) -> None:
    notes: list[str] = []
    x = X11(switchboard(), dial=switchboard, note=notes.append)
    before = x.screenshot()
    for look in (x.screenshot, x.windows, x.pointer, lambda: x.ping(APP)):
        switchboard.cut()
        assert x.surviving(look)
    assert x.screenshot() == before
    assert len(notes) == len(switchboard.servers) - 1 == 4
    assert all("reopened" in note for note in notes)


def test_typing_goes_on_over_a_new_line(switchboard: Switchboard) -> None:
    x = X11(switchboard(), dial=switchboard)
    keyboard = Keyboard(x)
    switchboard.cut()
    x.surviving(lambda: keyboard.type("abc"))
    assert switchboard.servers[-1].text == "abc"


def test_a_line_is_opened_again_only_so_often(switchboard: Switchboard) -> None:
    x = X11(switchboard(), dial=switchboard)

    def look() -> None:
        switchboard.cut()
        x.pointer()

    with pytest.raises(ComputerLost, match=f"reopened {MAX_REOPENED} times"):
        x.surviving(look)
    assert len(switchboard.servers) == MAX_REOPENED + 1
    with pytest.raises(ComputerLost):
        x.pointer()


def test_a_display_that_is_gone_is_lost(switchboard: Switchboard) -> None:
    x = X11(switchboard(), dial=switchboard)
    switchboard.refuse = True
    switchboard.cut()
    with pytest.raises(ComputerLost, match="reconnecting failed: Connection refused"):
        x.surviving(x.screenshot)


def test_a_closed_connection_stays_closed(switchboard: Switchboard) -> None:
    x = X11(switchboard(), dial=switchboard)
    x.close()
    with pytest.raises(ComputerLost, match="was closed"):
        x.surviving(x.screenshot)
    assert len(switchboard.servers) == 1


def test_a_detached_segment_is_made_again_a_few_times(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    before = x.screenshot()
    notes: list[str] = []
    x._note = notes.append
    for _ in range(3):
        server.detach()
        assert x.screenshot() == before
    assert len(notes) == 3
    server.detach_always = True
    for _ in range(3):
        assert x.screenshot() == before
    assert len(server.shared_bytes) == MAX_SEGMENTS + 1 or len(server.shared_bytes) == MAX_SEGMENTS


# -- bounds ---------------------------------------------------------------------------------------------------------


def test_many_late_answers_together_do_not_outlast_a_look() -> None:
    with fake_x() as (server, sock):
        x = X11(sock, timeout_sec=5)
        server.delay_sec = 0.1
        started = now()
        with pytest.raises(ComputerLost, match="one look at it took longer than 0.3 s"), x.within(0.3):
            for _ in range(100):
                x.pointer()
        assert now() - started < 3


def test_events_without_end_do_not_outlast_the_patience() -> None:
    with fake_x() as (server, sock):
        x = impatient(sock)
        server.flood = True
        started = now()
        with pytest.raises(ComputerLost, match="did not answer QueryPointer"):
            x.pointer()
        assert now() - started < 5


def test_titles_and_classes_are_cut_with_a_mark(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.properties[APP, "_NET_WM_NAME"] = (8, b"t" * 100_000)
    server.properties[APP, "WM_CLASS"] = (8, b"c" * 100_000)
    (window,) = x.windows()
    assert window.title == "t" * 500 + "…"
    assert window.app == "c" * 500 + "…"
    server.properties[APP, "_NET_WM_NAME"] = (8, "𝄞".encode() * 600)
    assert x.windows()[0].title == "𝄞" * 500 + "…"
    server.properties[APP, "_NET_WM_NAME"] = (8, "𝄞".encode() * 500)
    assert x.windows()[0].title == "𝄞" * 500


def test_the_topmost_of_too_many_windows_are_told(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.known |= set(range(0x1000, 0x2000))
    server.set_numbers(ROOT, "_NET_CLIENT_LIST_STACKING", *range(0x1000, 0x2000))
    windows = x.windows()
    assert [window.id for window in windows] == list(range(0x2000 - 500, 0x2000))


def test_a_reply_beyond_its_limit_is_an_error_and_the_next_one_read(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    words = 700 * 700
    server.override[MAJORS["XFIXES"]] = replying(words, bytes(4 * words))
    assert x.cursor() is None
    assert x.pointer().x == 3
    assert x.screenshot().size == (64, 48)


# -- errors ---------------------------------------------------------------------------------------------------------


def test_a_refused_request_is_named(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.errors[Op.QueryPointer] = 3
    with pytest.raises(XError, match="BadWindow to QueryPointer"):
        x.pointer()
    server.errors.clear()
    assert x.pointer().x == 3


def test_late_errors_about_vanished_windows_are_dropped_and_others_raised(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.errors[Op.SendEvent] = 3
    x.activate(0x777)
    x.sync()
    server.errors[Op.SendEvent] = 2
    x.activate(0x777)
    with pytest.raises(XError, match="BadValue to SendEvent"):
        x.sync()
    x.sync()


def test_missing_extension_is_named() -> None:
    with fake_x(extensions=("XFIXES", "DAMAGE")) as (_, sock), pytest.raises(ComputerError, match="XTEST"):
        X11(sock)


def test_sequence_numbers_wrap(fake: tuple[FakeX, X11]) -> None:
    _, x = fake
    for _ in range(70):
        x.send_raw(encode(127, 0, b"") * 1000, 1000)
    assert x.pointer().x == 3
    assert x.windows()


# -- a server that fails ----------------------------------------------------------------------------------------------


def test_silent_from_the_start() -> None:
    client, server = socket.socketpair()
    with server, pytest.raises(ComputerLost, match="did not accept"):
        impatient(client)


def test_connection_refused_with_a_reason() -> None:
    client, server = socket.socketpair()
    reason = b"No protocol specified\n  "
    server.sendall(struct.pack("<BBHHH", 0, len(reason), 11, 0, len(reason) // 4) + reason)
    with server, pytest.raises(ComputerLost, match="No protocol specified"):
        impatient(client)


@given(st.binary(max_size=400))
def test_garbage_instead_of_a_greeting(garbage: bytes) -> None:
    client, server = socket.socketpair()
    server.sendall(b"\x01\0\x0b\0\0\0\x20\0" + garbage)
    server.shutdown(socket.SHUT_WR)
    with server, pytest.raises(ComputerError):
        impatient(client)


def test_a_greeting_cut_short() -> None:
    with fake_x() as (server, _):
        greeting = server.setup()
    for end in range(0, len(greeting), 8):
        client, peer = socket.socketpair()
        peer.sendall(greeting[:end])
        peer.shutdown(socket.SHUT_WR)
        with peer, pytest.raises(ComputerLost):
            impatient(client)


def test_silence_in_the_middle_loses_the_computer_for_good() -> None:
    with fake_x() as (server, sock):
        x = impatient(sock)
        server.mute = True
        started = now()
        with pytest.raises(ComputerLost, match="did not answer QueryPointer"):
            x.pointer()
        assert now() - started < 2
        for again in (x.sync, x.grab, x.drain, x.windows):
            with pytest.raises(ComputerLost):
                again()


def test_sudden_death() -> None:
    with fake_x() as (server, sock):
        x = impatient(sock)
        server.sock.shutdown(socket.SHUT_RDWR)
        with pytest.raises(ComputerLost):
            x.sync()


def test_a_server_that_reads_nothing_does_not_block_the_writer() -> None:
    client, server = socket.socketpair()
    with fake_x() as (fake, _):
        server.sendall(fake.setup())
    with server, pytest.raises(ComputerLost):
        x = impatient(client)
        while True:
            x.send_raw(encode(127, 0, b"") * 1000, 1000)
            x.flush()


def replying(words: int, extra: bytes = b"") -> Callable[[int], bytes]:
    return lambda sequence: struct.pack("<BBHI", 1, 0, sequence & 0xFFFF, words) + bytes(24) + extra


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (replying(2, b"half"), "did not answer"),
        (lambda sequence: struct.pack("<BBHI", 1, 0, sequence + 9 & 0xFFFF, 0) + bytes(24), "unexpected"),
        (lambda sequence: struct.pack("<BBH", 19, 0, sequence + 9 & 0xFFFF) + bytes(28), "never sent"),
    ],
    ids=["truncated", "unasked", "future"],
)
def test_nonsense_in_the_middle(answer: Callable[[int], bytes], complaint: str) -> None:
    with fake_x() as (server, sock):
        x = impatient(sock)
        server.override[Op.QueryPointer] = answer
        with pytest.raises(ComputerLost, match=complaint):
            x.pointer()


def test_an_endless_reply_is_not_waited_for(switchboard: Switchboard) -> None:
    x = X11(switchboard(), dial=switchboard)
    switchboard.servers[0].override[MAJORS["XFIXES"]] = replying(0x3FFFFFFF)
    switchboard.prepare = lambda server: server.override.update({Op.QueryPointer: replying(0x3FFFFFFF)})
    started = now()
    assert x.surviving(x.screenshot).size == (64, 48)
    assert x._no_cursor_until > started, "the pointer is not asked for again at once"
    with pytest.raises(ComputerLost, match="answered QueryPointer with 4294967324 bytes"):
        x.surviving(x.pointer)
    assert now() - started < 5


def test_a_kind_of_event_that_was_never_asked_for_is_passed_over(fake: tuple[FakeX, X11]) -> None:
    server, x = fake
    server.sock.sendall(struct.pack("<BBHI", 35, 0, 0, 10) + bytes(24 + 40))
    assert x.pointer().x == 3


@settings(max_examples=40)
@given(st.binary(min_size=1, max_size=200))
def test_any_bytes_in_the_middle_end_in_an_error(garbage: bytes) -> None:
    with fake_x() as (server, sock):
        x = X11(sock)
        x._timeout_sec = 0.05  # only now: a busy machine may take longer to set up
        server.override[Op.QueryPointer] = lambda sequence: garbage
        with pytest.raises(ComputerError):
            x.pointer()


def test_pixels_of_the_wrong_size_are_refused() -> None:
    with fake_x(extensions=("XTEST", "XFIXES", "DAMAGE")) as (server, sock):
        x = impatient(sock)
        server.override[Op.GetImage] = replying(1, b"1234")
        with pytest.raises(ComputerLost, match="4 bytes for 3072 pixels"):
            x.grab()
