"""A tool server at an address: streamable HTTP, with a bound on every answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from proctor.exam.tools.pipes import MOST_BYTES, Streams, refusal
from proctor.exam.tools.server import ToolServer

CONNECT_SEC = 10.0
_EVENTS = "text/event-stream"


@asynccontextmanager
async def connect_address(server: ToolServer, patience: float) -> AsyncIterator[Streams]:
    """Speak with a server at an address; raises what the connection does."""
    timeout = httpx2.Timeout(patience + CONNECT_SEC, connect=CONNECT_SEC)
    transport = _Bounded(httpx2.AsyncHTTPTransport())
    async with (
        httpx2.AsyncClient(headers=server.sent_headers(), timeout=timeout, transport=transport) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=MOST_BYTES) as streams,
    ):
        yield streams


class _Bounded(httpx2.AsyncBaseTransport):
    """Reads no more of an answer than is kept; streams of events have a bound for each event instead."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass a request on; an answer beyond the bound becomes an error in the words of the protocol."""
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-type", "").startswith(_EVENTS):
            return response
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > MOST_BYTES:
                await response.aclose()
                return httpx2.Response(200, json=refusal(_number(request)), request=request)
        headers = [(name, value) for name, value in response.headers.raw if name.lower() != b"content-length"]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=request)

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._inner.aclose()


def _number(request: httpx2.Request) -> Any:
    """Return the number of the question that a request holds."""
    try:
        return json.loads(request.content).get("id")
    except (ValueError, AttributeError):
        return None
