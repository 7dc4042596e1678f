"""Where MCP clients reach a server: standard input and output, or streamable HTTP."""

from __future__ import annotations

import io
import ipaddress
import logging
import os
import socket
from collections.abc import Callable, Sequence
from typing import Any

from proctor.errors import MissingExtra, SpecError
from proctor.interop.listen import http_address
from proctor.interop.listen import listen as listen
from proctor.interop.mcp.server import SESSION

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
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


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
            transport_security=security(host, allowed),
            host=host,
        )
        config = uvicorn.Config(
            _Leaving(app, left) if left else app,
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


def security(host: str, allowed: Sequence[str]) -> TransportSecuritySettings:
    """Return which Host and Origin headers are accepted: local, the host's own, and allowed ones.

    Otherwise a page in somebody's browser could operate the computer, by a name that leads here.
    """
    for name in allowed:
        if not name or "/" in name or "*" in name:
            raise SpecError(f"{name!r} is not the name of a host", remedy="write it as NAME or NAME:PORT")
    names = [*_LOCAL, *([] if _is_any(host) else [f"[{host}]" if ":" in host else host]), *allowed]
    every = [form for name in dict.fromkeys(names) for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in every]
    return TransportSecuritySettings(allowed_hosts=every, allowed_origins=origins)


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


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
