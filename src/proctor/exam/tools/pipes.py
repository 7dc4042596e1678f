"""A tool server's program, spoken to in lines of JSON of bounded length, and ended with its children."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import mcp_types as wire
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from proctor.exam.tools.server import ToolServer

MOST_BYTES = 8 * 1024 * 1024
"""Of one message; what is longer is thrown away as it comes."""
GRACE_SEC = 1.0
"""How long a server may take to end once its input is closed."""
STDERR_KEPT = 2_000
_NOT_KEPT = -32000
Streams = tuple[Any, Any]


class Pipes:
    """The program of one server, once it is started."""

    def __init__(self, server: ToolServer) -> None:
        self._server = server
        self._asked: set[str | int] = set()
        """Requests that it has not answered yet."""
        self.said = b""
        """The end of what it wrote to standard error."""
        self.ended = False
        """Whether it says nothing any more."""

    @asynccontextmanager
    async def open_pipes(self) -> AsyncIterator[Streams]:
        """Start the program; raises OSError where that fails. However the block is left, it is gone afterwards."""
        process = await anyio.open_process(
            self._server.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**get_default_environment(), **self._server.environment()},
            cwd=self._server.cwd or None,
            start_new_session=True,
        )
        heard_in, heard = anyio.create_memory_object_stream[SessionMessage | Exception](16)
        sent, sent_out = anyio.create_memory_object_stream[SessionMessage](0)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._hear, process, heard_in)
                tasks.start_soon(self._tell, process, sent_out)
                tasks.start_soon(self._overhear, process)
                try:
                    yield heard, sent
                finally:
                    with anyio.CancelScope(shield=True):
                        await _end(process)
                    tasks.cancel_scope.cancel()
        finally:
            for stream in (heard_in, heard, sent, sent_out):
                stream.close()

    async def _hear(self, process: Any, heard: Any) -> None:
        """Hand on what it says, message by message; when it says no more, so is told."""
        line, too_long = bytearray(), False
        async with heard:
            with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                while True:
                    *ended, rest = (await process.stdout.receive(65_536)).split(b"\n")
                    for piece in ended:
                        if not too_long:
                            line += piece
                            await self._pass_on(bytes(line), len(line) > MOST_BYTES, heard)
                        line, too_long = bytearray(), False
                    line += b"" if too_long else rest
                    if len(line) > MOST_BYTES:
                        # Told at once: it may go on for ever.
                        await self._pass_on(b"", True, heard)
                        line, too_long = bytearray(), True
            self.ended = True

    async def _pass_on(self, line: bytes, too_long: bool, heard: Any) -> None:
        if too_long:
            # Whose answer it was cannot be known without reading it; all that wait have waited in vain.
            for request in tuple(self._asked):
                self._asked.discard(request)
                error = wire.jsonrpc_message_adapter.validate_python(refusal(request), by_name=False)
                await heard.send(SessionMessage(error))
            return
        if not line.strip():
            return
        try:
            message = wire.jsonrpc_message_adapter.validate_json(line, by_name=False)
        except (ValueError, RecursionError):
            # A program that prints to its standard output, as many do while they start.
            self.said = (self.said + line + b"\n")[-STDERR_KEPT:]
            return
        self._asked.discard(getattr(message, "id", None) or "")
        await heard.send(SessionMessage(message))

    async def _tell(self, process: Any, sent: Any) -> None:
        async with sent:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                async for message in sent:
                    content = message.message
                    if isinstance(content, wire.JSONRPCRequest):
                        self._asked.add(content.id)
                    text = content.model_dump_json(by_alias=True, exclude_unset=True)
                    await process.stdin.send(text.encode() + b"\n")

    async def _overhear(self, process: Any) -> None:
        """Keep the end of its standard error, and pass it on to ours: a run keeps that with the episode."""
        with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            while True:
                said = await process.stderr.receive(65_536)
                self.said = (self.said + said)[-STDERR_KEPT:]
                with suppress(OSError):
                    os.write(2, said)


async def _end(process: Any) -> None:
    """End a program and its children: kindly by closing its input, then by force."""
    with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        await process.stdin.aclose()
    with anyio.move_on_after(GRACE_SEC):
        await process.wait()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with anyio.move_on_after(GRACE_SEC):
        await process.wait()
    for pipe in (process.stdout, process.stderr):
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await pipe.aclose()


def refusal(request: str | int | None) -> dict[str, Any]:
    """Return what stands for an answer that is too long to be read."""
    said = f"it answered with more than {MOST_BYTES // 2**20} MB"
    return {"jsonrpc": "2.0", "id": request, "error": {"code": _NOT_KEPT, "message": said}}
