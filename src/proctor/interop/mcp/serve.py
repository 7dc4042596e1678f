"""Where MCP clients reach a server: standard input and output, or streamable HTTP."""

from __future__ import annotations

import io
import json
import logging
import os
import socket
from collections.abc import Callable, Sequence
from typing import Any

from proctor.errors import MissingExtra
from proctor.interop.callers import Callers
from proctor.interop.mcp.server import SESSION
from proctor.interop.server_socket import http_address

try:
    import anyio
    import uvicorn
    from mcp.server.lowlevel.server import Server
    from mcp.server.stdio import stdio_server
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from proctor.interop.mcp.lines import Answers, Lines
except ModuleNotFoundError as error:
    raise MissingExtra("the MCP server", "mcp") from error

MOST_BODY = 16 * 1024 * 1024
"""Bytes of one request over HTTP; what is larger is refused by its status."""
PATH = "/mcp"
GRACE_SEC = 2
"""How long open connections are waited for at the end."""


class Wire:
    """Standard input and output for one client; all else is printed to standard error."""

    def __init__(self) -> None:
        self._reading, self._writing = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    async def serve(self, server: Server[Any]) -> None:
        """Serve the client until it leaves."""
        lines = io.TextIOWrapper(os.fdopen(self._reading, "rb"), encoding="utf-8", errors="replace")
        answers = io.TextIOWrapper(os.fdopen(self._writing, "wb"), encoding="utf-8")
        written = Answers(anyio.wrap_file(answers))
        try:
            # It reads lines and writes texts, whoever hands them over.
            source: Any = Lines(lines, written)
            sink: Any = written
            async with stdio_server(source, sink) as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())
        except* (BrokenPipeError, anyio.BrokenResourceError):
            logging.getLogger(__name__).debug("the client left while it was being answered")


def address(listener: socket.socket) -> str:
    """Return where clients find a server that listens."""
    return f"{http_address(listener)}{PATH}"


class HttpServer:
    """An MCP server over streamable HTTP.

    It is called by the name of its host and those that are `allowed`; `left` is told which connection a client ended.
    """

    def __init__(
        self,
        server: Server[Any],
        *,
        host: str,
        allowed: Sequence[str] = (),
        left: Callable[[str], None] | None = None,
    ) -> None:
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=MOST_BODY,
            # Its own lists know no exact ports; the kind of content is looked at all the same.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            host=host,
        )
        guarded = _Guarded(_Leaving(app, left) if left else app, Callers(host, allowed))
        config = uvicorn.Config(
            guarded,
            log_level=logging.WARNING,
            access_log=False,
            timeout_graceful_shutdown=GRACE_SEC,
            lifespan="on",
        )
        self._uvicorn = uvicorn.Server(config)

    async def serve(self, listener: socket.socket) -> None:
        """Serve until told to stop, or interrupted."""
        await self._uvicorn.serve(sockets=[listener])

    def stop(self) -> None:
        """Have it stop soon; may be called from any thread."""
        self._uvicorn.should_exit = True


class _Guarded:
    """Refuses who calls by another name, or from a page of another server."""

    def __init__(self, app: ASGIApp, callers: Callers) -> None:
        self._app, self._callers = app, callers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._callers.refusal(scope["headers"], scope.get("server")) if scope["type"] == "http" else None
        if refused is None:
            await self._app(scope, receive, send)
            return
        status, why = refused
        body = json.dumps({"detail": why}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class _Leaving:
    """Passes requests on, and hears when a client ends its connection."""

    def __init__(self, app: ASGIApp, left: Callable[[str], None]) -> None:
        self._app, self._left = app, left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "DELETE":
            await self._app(scope, receive, send)
            return
        status = 0

        async def watch(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        await self._app(scope, receive, watch)
        who = dict(scope["headers"]).get(SESSION.encode(), b"").decode("latin-1")
        if 200 <= status < 300 and who:
            self._left(who)
