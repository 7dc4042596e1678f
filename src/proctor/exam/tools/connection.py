"""A tool server as a run speaks with it: each question has a deadline, and each failure is a sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager, ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import anyio
from anyio.abc import TaskStatus
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from proctor.errors import HostError
from proctor.exam.tools import address
from proctor.exam.tools.pictures import MOST_PICTURES, read_picture
from proctor.exam.tools.pipes import Pipes, Streams
from proctor.exam.tools.server import ToolServer
from proctor.models.secrets import redact

START_SEC = 30.0
CALL_SEC = 60.0
MOST_PAGES = 20
"""Of the list of tools of one server."""
MOST_OUTPUT = 1_000_000
"""Characters of a tool's answer that are kept."""
GONE = "its server has ended, and none of its tools can be called any more"


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A tool as its server names it."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What came of a call."""

    text: str
    error: str = ""
    timed_out: bool = False
    pictures: tuple[str, ...] = ()
    """PNG as data URLs; the text names each of them."""


class ToolConnection:
    """One server, started or reached; `close` ends it."""

    def __init__(self, server: ToolServer, *, start_sec: float = START_SEC, call_sec: float = CALL_SEC) -> None:
        """Connect and list its tools; raises HostError that says what it said last."""
        self.server, self._start_sec, self._call_sec = server, start_sec, call_sec
        self._pipes = Pipes(server)
        self._closing = ExitStack()
        self._over: Future[None] = Future()
        self.about = ""
        """What it calls itself, with its version."""
        self.tools: tuple[Listed, ...] = ()
        self._portal: BlockingPortal = self._closing.enter_context(start_blocking_portal())
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def call(self, tool: str, arguments: dict[str, Any]) -> Answered:
        """Call a tool; whatever goes wrong is an answer in words."""
        if self._pipes.ended or self._over.done():
            return Answered(text=GONE, error="the tool server has ended")
        try:
            result = self._portal.call(self._ask, tool, arguments)
        except TimeoutError:
            words = f"the tool did not answer within {self._call_sec:g} s"
            return Answered(text=words, error="timed out", timed_out=True)
        except (Exception, CancelledError) as error:
            # The server's doing, whatever it is: an answer that is none, a connection that broke.
            gone = f"; {GONE}" if self._pipes.ended else ""
            return Answered(text=_hide_secrets(f"the tool failed: {reason(error)}{gone}"), error=type(error).__name__)
        text, pictures = read_answer(result)
        wrong = "the tool reported an error" if result.is_error else ""
        return Answered(text=_hide_secrets(text), error=wrong, pictures=pictures)

    def close(self) -> None:
        """End the server, or let go of it; what it does then changes nothing."""
        if not self._over.done():
            with suppress(RuntimeError):
                self._portal.call(self._leave)
        self._closing.close()

    def _open(self) -> None:
        # Nearly every server knows the handshake of 2025; those that know only what came after refuse it at once.
        for mode in ("legacy", "auto"):
            try:
                self._over, self.tools = self._portal.start_task(self._live, mode)
                return
            except (Exception, CancelledError) as error:
                if mode == "legacy" and isinstance(_first(error), MCPError) and not self._pipes.ended:
                    continue
                said = self._pipes.said.decode("utf-8", "replace").strip()
                raise HostError(
                    f"the tool server {self.server.shown} did not start: {_hide_secrets(reason(error))}"
                    + (f"; it said:\n{_hide_secrets(said)}" if said else ""),
                    remedy="start it by hand and check that it speaks MCP, then try again",
                ) from error

    async def _live(self, mode: str, *, task_status: TaskStatus[tuple[Listed, ...]]) -> None:
        """Be connected until it is told to leave; the deadline is for the beginning only."""
        self._left = anyio.Event()
        with anyio.fail_after(self._start_sec) as beginning:
            async with Client(self._reach_server(), mode=mode, cache=None) as client:
                self._client = client
                tools = await self._list(client)
                beginning.deadline = math.inf
                task_status.started(tools)
                await self._left.wait()

    def _reach_server(self) -> AbstractAsyncContextManager[Streams]:
        if self.server.url:
            return address.connect_address(self.server, self._call_sec)
        self._pipes = Pipes(self.server)
        return self._pipes.open_pipes()

    async def _leave(self) -> None:
        self._left.set()

    async def _list(self, client: Client) -> tuple[Listed, ...]:
        found: list[Listed] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                words = tool.description or tool.title or ""
                found.append(Listed(name=tool.name, description=words, schema=tool.input_schema))
            cursor = page.next_cursor
            if not cursor:
                break
        info = client.server_info
        self.about = f"{info.name} {info.version}"[:200] if info else ""
        return tuple(found)

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> Any:
        with anyio.fail_after(self._call_sec):
            return await self._client.call_tool(tool, arguments)


def _hide_secrets(text: str) -> str:
    return redact(text[:MOST_OUTPUT])


def reason(error: BaseException) -> str:
    """Return what an error says, or the first within a group."""
    first = _first(error)
    if isinstance(first, TimeoutError) and not str(first):
        return "it did not answer in time"
    if isinstance(first, MCPError):
        return first.message
    return f"{type(first).__name__}: {first}" if str(first) else type(first).__name__


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def read_answer(result: Any) -> tuple[str, tuple[str, ...]]:
    """Return what a tool answered as text, in which pictures and sounds are named, and the pictures."""
    pictures: list[str] = []
    said = list(_pieces(result.content or (), pictures))
    if not said and result.structured_content is not None:
        said = [json.dumps(result.structured_content, ensure_ascii=False)]
    return "\n".join(said)[:MOST_OUTPUT], tuple(pictures)


def _pieces(content: Sequence[Any], pictures: list[str]) -> Iterator[str]:
    for item in content:
        match item.type:
            case "text":
                yield item.text
            case "image" if len(pictures) < MOST_PICTURES and (found := read_picture(item.data)):
                pictures.append(found[0])
                yield f"[picture {len(pictures)}, {found[1][0]}x{found[1][1]}]"
            case "image" | "audio":
                yield f"[{item.type} of {len(item.data) * 3 // 4} bytes, {item.mime_type}; it is not shown here]"
            case "resource":
                yield getattr(item.resource, "text", None) or f"[the resource {item.resource.uri}]"
            case "resource_link":
                yield f"[the resource {item.uri}: {item.name}]"
            case _:
                yield f"[{item.type}]"
