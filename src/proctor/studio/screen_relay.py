"""A desk's screen carried to one browser, and the person's hand carried to the computer."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from starlette.websockets import WebSocket, WebSocketDisconnect

from proctor.studio.control.control import Control
from proctor.studio.record.desk import Desk
from proctor.studio.record.viewer_input import HandListener
from proctor.web.live import CHUNK, screen_of, show_screen, until_one_ends
from proctor.web.rfb import NotLooking

ELSEWHERE = 4001
"""The desk was opened in another tab."""
NOT_READY = 4002
GONE = 4003
"""The screen went away: the desk has ended, or its computer has."""

Seat = Desk | Control
"""Where a person sits before a screen; `paused` they only look."""
_sent_away: dict[str, asyncio.Event] = {}
"""For each desk that a browser has, by the desk's id, what sends it away: another takes the desk over."""


async def carry(desk: Seat, socket: WebSocket) -> None:
    """Carry until either side goes; everything held is let go then."""
    await socket.accept()
    place = screen_of(desk.folder) if desk.folder and desk.state in ("working", "paused") else ""
    if not isinstance(place, Path):
        await socket.close(NOT_READY)
        return
    try:
        reader, writer = await asyncio.open_unix_connection(place, limit=CHUNK)
    except OSError:
        await socket.close(GONE)
        return
    before, away = _sent_away.get(desk.id), asyncio.Event()
    _sent_away[desk.id] = away
    if before is not None:
        before.set()
    hands = HandListener(desk.size, lambda event: desk.hand.hear(event))
    try:
        await until_one_ends(show_screen(reader, socket), _hear(desk, socket, hands, writer), away.wait())
    finally:
        with contextlib.suppress(OSError):  # the computer may be gone
            writer.write(hands.let_go())
            await writer.drain()
        writer.close()
        if _sent_away.get(desk.id) is away:
            del _sent_away[desk.id]
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the browser was first
            await socket.close(ELSEWHERE if away.is_set() else GONE)


async def _hear(desk: Seat, socket: WebSocket, hands: HandListener, writer: asyncio.StreamWriter) -> None:
    # A browser that goes or says what no viewer says (a text is a KeyError here), or a computer that is gone, ends it.
    with contextlib.suppress(WebSocketDisconnect, NotLooking, OSError, RuntimeError, KeyError):
        while True:
            data = await socket.receive_bytes()
            if desk.state != "working" and not hands.paused:
                writer.write(hands.let_go())
            hands.paused = desk.state != "working"
            writer.write(hands.let_through(data))
            await writer.drain()
