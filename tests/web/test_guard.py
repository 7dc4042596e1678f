"""Who is let in when the pages are served to others; the rest of the guard is seen over HTTP."""

from __future__ import annotations

import asyncio
import socket

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from proctor.web.guard import PageGuard


def status(served_at: str, asked_for: str) -> int:
    """Return how a server at one address answers a request for a name."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", asked_for.encode())]}
    asyncio.run(PageGuard(PlainTextResponse("in"), host=served_at)(scope, receive, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    ("served_at", "asked_for", "expected"),
    [
        ("127.0.0.1", "localhost:8420", 200),
        ("127.0.0.1", "192.168.1.5:8420", 403),
        ("lab.example", "LAB.example:8420", 200),
        ("lab.example", "other.example", 403),
        ("0.0.0.0", "192.168.1.5:8420", 200),
        ("::", "[fd00::5]:8420", 200),
        ("0.0.0.0", socket.gethostname(), 200),
        # Every address is served, but a foreign name may have been turned to one of them.
        ("0.0.0.0", "evil.example", 403),
    ],
)
def test_names_that_are_served(served_at: str, asked_for: str, expected: int) -> None:
    assert status(served_at, asked_for) == expected
