"""Who may speak to a server of computers: no other site, no foreign name, nothing too long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from proctor.interop.callers import Callers

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 16 * 1024 * 1024
"""Of one request or message."""
NO_OBJECT = json.dumps({"type": "none, because the message is not a JSON object"})
"""What stands in the place of such a message: a type that nobody knows, which is told to the client."""


class Guard:
    """Asks before each request whether it may pass; when the server ends, calls `release`.

    A server that is `local` listens for this machine only, and is asked for by no other name.
    """

    def __init__(self, app: App, *, callers: Callers, release: Callable[[], None]) -> None:
        self._app, self._callers, self._release = app, callers, release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            try:
                await self._app(scope, receive, send)
            finally:
                await asyncio.to_thread(self._release)
            return
        if scope["type"] in ("http", "websocket") and (refused := self._refusal(scope)):
            await _refuse(scope, receive, send, *refused)
            return
        passed = _at_most(MOST_BYTES, receive) if scope["type"] == "http" else _objects(receive)
        await self._app(scope, passed, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        if refused := self._callers.refusal(scope.get("headers", ()), scope.get("server")):
            return refused
        said = {name.lower(): value.decode("latin-1") for name, value in scope.get("headers", ())}
        length = said.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:20]) > MOST_BYTES:
            return 413, f"a request may have {MOST_BYTES} bytes"
        return None


def _at_most(bytes_: int, receive: Receive) -> Receive:
    """Return what reads a request up to a bound; beyond it the client has left."""
    left = bytes_

    async def receive_some() -> MutableMapping[str, Any]:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return receive_some


def _objects(receive: Receive) -> Receive:
    """Return what reads a websocket; what cannot be an object would end its client's session."""

    async def receive_object() -> MutableMapping[str, Any]:
        message = await receive()
        text = (message.get("text") or "null").strip()
        other = text[:1] in '["-0123456789' or text in ("true", "false", "null")
        if other and message["type"] == "websocket.receive":
            return {"type": "websocket.receive", "text": NO_OBJECT}
        return message

    return receive_object


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    body = json.dumps({"detail": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
