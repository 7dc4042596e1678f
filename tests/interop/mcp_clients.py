"""MCP clients for the tests: the SDK's own, over memory, standard input and output, and HTTP."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

from proctor.agents.external.door import Door
from proctor.interop.mcp.families import FAMILIES
from proctor.interop.mcp.tool import grant_tools
from proctor.records import Result
from proctor.runner.job import Job
from proctor.runner.run_episode import run_episode

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from proctor.interop.mcp.exam_desk import ExamDesk, instructions
from proctor.interop.mcp.server import build

Said = TypeVar("Said")
Script = Callable[[Client], Awaitable[Said]]
PATIENCE_SEC = 60.0


def texts(result: Any) -> str:
    """Return what an answer says."""
    return "\n".join(item.text for item in result.content if item.type == "text")


def pictures(result: Any) -> list[str]:
    """Return the pictures of an answer, as base64."""
    return [item.data for item in result.content if item.type == "image"]


def speak(server: Any, script: Script[Said], mode: str = "auto", patience: float = PATIENCE_SEC) -> Said:
    """Let a client talk to a server in memory or at an address, and return what its script returns."""

    async def talk() -> Said:
        with anyio.fail_after(patience):
            async with Client(server, mode=mode) as client:
                return await script(client)

    return anyio.run(talk)


def refusal(server: Any, name: str, **arguments: Any) -> str:
    """Return the protocol error that a call is answered with."""

    async def script(client: Client) -> str:
        try:
            answered = await client.call_tool(name, arguments)
        except MCPError as error:
            assert error.code == INVALID_PARAMS
            return error.message
        raise AssertionError(texts(answered))

    return speak(server, script)


def started(arguments: Sequence[str], folder: Path) -> Any:
    """Return the transport to a command of ours that is started."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "proctor", *arguments], cwd=str(folder), env=dict(os.environ)
    )
    return stdio_client(command)


def examined(
    job: Job, script: Script[Said], *, grants: Sequence[str] | None = None, tell: str = "It is over.", **desk: Any
) -> tuple[Result, Said]:
    """Hold an episode in front of a client, and return its result and what the script returned."""
    door = Door()
    server = build(
        ExamDesk(door, grant_tools(FAMILIES["harbor"](), grants), **desk),
        instructions=instructions(job.task.instruction),
        prompt=job.task.instruction,
    )
    said: Future[Said] = Future()

    def talk() -> None:
        try:
            said.set_result(speak(server, script))
        except BaseException as error:
            said.set_exception(error)
        finally:
            door.leave("the client closed the connection without done or give_up")

    talking = threading.Thread(target=talk)
    talking.start()
    try:
        result = run_episode(job, {"door": door})
    finally:
        door.over(tell)
        talking.join()
    return result, said.result()


# What a client does on the shopping task.

WORK = (("press_key", {"key": "ctrl+End"}), ("type_text", {"text": "eggs"}), ("press_key", {"key": "ctrl+s"}))


async def work(client: Client) -> None:
    for name, arguments in WORK:
        answered = await client.call_tool(name, arguments)
        assert not answered.is_error, texts(answered)


async def ends(client: Client, **answer: str) -> Any:
    await work(client)
    return await client.call_tool("done", answer)
