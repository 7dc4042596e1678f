"""What an MCP call adds to the action that it carries: both timed by turns in one run, on the fake computer."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median

from proctor.actions.action import Move
from proctor.bench.measure import Figure
from proctor.computers import open_computer
from proctor.errors import MissingExtra
from proctor.interop.mcp.background import Background
from proctor.interop.mcp.families import FAMILIES
from proctor.interop.mcp.live import LiveDesk
from proctor.interop.mcp.serve import HttpServer, address
from proctor.interop.mcp.server import build
from proctor.interop.mcp.tool import grant_tools
from proctor.interop.server_socket import listen

try:
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
except ModuleNotFoundError as error:
    raise MissingExtra("the MCP client", "mcp") from error

GOAL_MS = 5.0
WARMING = 5
"""Calls before any is timed: the first ones load what the others use."""


def measure_mcp(calls: int) -> list[Figure]:
    """Time calls over standard input and output, and over HTTP, beside the same action without them."""
    return [
        _figure("mcp_stdio_added_ms", "an MCP call over standard input and output", asyncio.run(_stdio(calls)), calls),
        _figure("mcp_http_added_ms", "an MCP call over HTTP", _http(calls), calls),
    ]


def _figure(key: str, what: str, added: float, calls: int) -> Figure:
    note = f"beside the action itself, on the fake computer; medians of {calls:,} by turns"
    return Figure(key=key, what=what, value=added, goal=GOAL_MS, note=note)


async def _stdio(calls: int) -> float:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "proctor", "serve", "mcp", "--computer", "fake"], env=dict(os.environ)
    )
    async with Client(stdio_client(command)) as client:
        return await _added(client, calls)


def _http(calls: int) -> float:
    async def measured(url: str) -> float:
        async with Client(url) as client:
            return await _added(client, calls)

    with LiveDesk(lambda: open_computer("fake"), grant_tools(FAMILIES["harbor"](), None)) as desk:
        listener = listen("127.0.0.1", 0)
        server = HttpServer(build(desk, instructions=""), host="127.0.0.1")
        background = Background(lambda: server.serve(listener))
        try:
            return asyncio.run(measured(address(listener)))
        finally:
            server.stop()
            background.wait()


async def _added(client: Client, calls: int) -> float:
    """Return how many milliseconds longer a call takes than its action, each after the other."""
    with open_computer("fake") as computer:

        async def bare(x: int) -> None:
            computer.perform(Move(x=x, y=10))

        async def called(x: int) -> None:
            answered = await client.call_tool("mouse_move", {"x": x, "y": 10})
            assert not answered.is_error, answered.content

        for x in range(WARMING):
            await called(x)
        pairs = [(await _ms(bare, x % 1000), await _ms(called, x % 1000)) for x in range(calls)]
    return median(there for _, there in pairs) - median(here for here, _ in pairs)


async def _ms(work: Callable[[int], Awaitable[None]], x: int) -> float:
    began = time.perf_counter()
    await work(x)
    return (time.perf_counter() - began) * 1000
