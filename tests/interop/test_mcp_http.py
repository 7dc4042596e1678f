"""MCP over HTTP: clients of both revisions, headers that are looked at, bodies that are too large."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest

from proctor.computers import open_computer
from proctor.errors import HostError
from proctor.interop.mcp.background import Background
from proctor.interop.mcp.families import FAMILIES
from proctor.interop.mcp.live import LiveDesk
from proctor.interop.mcp.serve import MOST_BODY, HttpServer, address
from proctor.interop.mcp.server import build
from proctor.interop.mcp.tool import grant_tools
from proctor.interop.server_socket import listen
from tests.interop.mcp_clients import Client, pictures, speak, texts

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of a fake computer that listens on a loopback port."""
    with LiveDesk(lambda: open_computer("fake"), grant_tools(FAMILIES["harbor"](), None)) as desk:
        listener = listen("127.0.0.1", 0)
        server = HttpServer(build(desk, instructions="Try it."), host="127.0.0.1")
        background = Background(lambda: server.serve(listener))
        yield address(listener)
        server.stop()
        assert background.wait(60)


def post(url: str, body: bytes, **headers: str) -> int:
    """Send a request and return the status of its answer."""
    parts = urlsplit(url)
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    with closing(http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)) as connection:
        connection.request("POST", parts.path, body, {**usual, **headers})
        with connection.getresponse() as answer:
            return answer.status


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_clients_of_both_revisions_are_served(url: str, mode: str) -> None:
    async def script(client: Client) -> Any:
        assert "left_click" in {tool.name for tool in (await client.list_tools()).tools}
        assert texts(await client.call_tool("left_click", {"x": "3", "y": 4})) == "Left clicked at (3, 4)"
        return await client.call_tool("screenshot", {})

    assert pictures(speak(url, script, mode))


def test_several_clients_share_one_computer(url: str) -> None:
    async def moves(client: Client) -> Any:
        return await client.call_tool("mouse_move", {"x": 77, "y": 88})

    async def asks(client: Client) -> Any:
        return await client.call_tool("cursor_position", {})

    speak(url, moves)
    assert json.loads(texts(speak(url, asks))) == {"x": 77, "y": 88}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Host": "localhost"}, 421),
        ({"Host": "localhost:1", "Origin": "http://localhost:1"}, 421),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
def test_a_page_in_a_browser_cannot_call(url: str, headers: dict[str, str], status: int) -> None:
    assert post(url, json.dumps(INITIALIZE).encode(), **headers) == status


def test_local_names_and_origins_may_call(url: str) -> None:
    port = urlsplit(url).port
    headers = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert post(url, json.dumps(INITIALIZE).encode(), **headers) == 200


def test_a_body_beyond_all_bounds_is_refused_by_its_status(url: str) -> None:
    assert post(url, b"{}", **{"Content-Length": str(MOST_BODY + 1)}) == 413


def test_ten_megabytes_are_told_as_by_any_other_way(url: str) -> None:
    async def script(client: Client) -> Any:
        return await client.call_tool("type_text", {"text": "x" * 10_000_000})

    result = speak(url, script)
    assert result.is_error and len(texts(result)) < 500


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b"[" * 5000])
def test_what_is_no_message_is_refused(url: str, body: bytes) -> None:
    assert 400 <= post(url, body) < 500


def test_an_address_in_use_is_named() -> None:
    taken = listen("127.0.0.1", 0)
    with taken, pytest.raises(HostError, match="cannot listen"):
        listen("127.0.0.1", taken.getsockname()[1])
