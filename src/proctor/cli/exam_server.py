"""Examining an MCP client: the server on a thread, the episode in front, then the verdict."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from proctor.agents.external.door import Door
from proctor.agents.spec import AgentSpec
from proctor.cli.choose_tasks import chosen_tasks, suite_name
from proctor.cli.detach import end_process
from proctor.cli.mcp_options import ClientOptions
from proctor.cli.run_progress import RunSettings, hold_visibly
from proctor.cli.trust import begin_own
from proctor.errors import ProctorError, SpecError
from proctor.exam.rules import Rules
from proctor.interop.mcp.background import Background
from proctor.interop.mcp.exam_desk import ExamDesk, instructions
from proctor.interop.mcp.serve import HttpServer, Wire, address
from proctor.interop.mcp.server import build
from proctor.interop.mcp.tool import DeskTool
from proctor.interop.server_socket import listen
from proctor.plain_text import printable
from proctor.records import Result
from proctor.runner.agent_output import aside
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.preflight import check_plan
from proctor.runner.workers.local import HereWorkers
from proctor.store.run import RunRecord
from proctor.suites import DEFAULT
from proctor.tasks.task import Task

LINGER_SEC = 5.0
"""How long a server over HTTP still answers calls after the end, unless its client leaves before."""
WATCH_SEC = 1.0
INTERRUPTED = 130


@dataclass(frozen=True, kw_only=True)
class ExamRequest:
    """What is to be examined, as it was typed."""

    task: str
    suite: str
    seed: int
    client: str
    patience: float
    tell: bool
    out: Path | None
    as_json: bool
    loose_limits: bool
    rules: Mapping[str, Any]


@dataclass
class ClientVisit:
    """The client, as far as it shows: when it came, when it was last heard, whether it has left."""

    door: Door
    desk: ExamDesk
    patience: float
    came: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)
    heard: float = 0.0
    named: str = ""

    def hear(self, _who: str, name: str) -> None:
        """Take note of a message."""
        self.heard = time.monotonic()
        if name and not self.named:
            self.desk.client = self.named = name
        self.came.set()

    def leave(self, why: str) -> None:
        """Take note that the client has left."""
        self.left.set()
        self.door.leave(why)

    def ended_session(self, who: str) -> None:
        """Take note that a connection was ended."""
        if self.desk.is_examined(who):
            self.leave("the client ended its connection without a last word")

    async def watch(self) -> None:
        """Look now and then whether the client is still there."""
        while not self.left.is_set():
            await asyncio.sleep(WATCH_SEC)
            if self.came.is_set() and time.monotonic() - self.heard > self.patience:
                self.leave(f"the client sent nothing for {self.patience:g} s")


def hold(asked: ExamRequest, given: ClientOptions) -> None:
    """Hold an examination and end the process with its status."""
    door, tools = Door(), given.tools()
    if unfit := [tool.name for tool in tools if tool.errand and not tool.is_code and _is_named(tool, given)]:
        raise SpecError(
            f"the tool {unfit[0]!r} is not for examinations, where everything is an action",
            remedy="grant run_command instead, which is recorded as code that was run",
        )
    task, plan = _plan(asked, given, tools)
    plan = check_plan(plan, offered={"door": door}, loose_limits=asked.loose_limits)
    record = begin_own(plan, asked.out, plan.suite)
    desk = ExamDesk(door, tools, fit=given.fit, picture_after=given.picture_after)
    visit = ClientVisit(door, desk, asked.patience)
    server = build(desk, instructions=instructions(task.instruction), prompt=task.instruction, heard=visit.hear)
    if given.http:
        listener = listen(given.host, given.port)
        http = HttpServer(server, host=given.host, allowed=given.allowed, left=visit.ended_session)
        click.echo(f"waiting for an MCP client at {address(listener)}", err=True)

        async def serve() -> None:
            watching = asyncio.create_task(visit.watch())
            await http.serve(listener)
            watching.cancel()

        background = Background(serve, ended=lambda: visit.leave("the server has ended"))
        visit.came.wait()
    else:
        wire = Wire()
        signal.signal(signal.SIGTERM, lambda *_: visit.leave("the client had its server ended"))
        gone = "the client closed the connection without a last word"
        background = Background(lambda: wire.serve(server), ended=lambda: visit.leave(gone))
    status = _examine(asked, plan, record, door)
    if given.http:
        visit.left.wait(LINGER_SEC)
        http.stop()
        background.wait(LINGER_SEC)
    else:
        visit.left.wait()
    end_process(status)


def _examine(asked: ExamRequest, plan: Plan, record: RunRecord, door: Door) -> int:
    status, words = 0, "The examination was interrupted."
    try:
        hold_visibly(plan, record, HereWorkers({"door": door}), RunSettings(as_json=asked.as_json))
    except SystemExit as ended:
        status = int(ended.code or 0)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except ProctorError as error:
        # Not left to whoever called: a thread of the server would keep the process from ending.
        click.echo(f"error: {printable(str(error))}", err=True)
        status = 1
    finally:
        for result in record.final():
            words = _words(result, asked.tell)
        door.over(words)
    return status


def _words(result: Result, tell: bool) -> str:
    if result.void:
        return f"The exam did not take place: {result.error.splitlines()[0] if result.error else result.cause}."
    how = f"The examination is over ({result.stop.replace('_', ' ')}) and is recorded."
    return (
        f"{how} Score: {result.score:g}; {'passed' if result.passed else 'not passed'}."
        if tell and result.score is not None
        else how
    )


def _plan(asked: ExamRequest, given: ClientOptions, tools: list[DeskTool]) -> tuple[Task, Plan]:
    suite = asked.suite or DEFAULT
    # Modules of suites may print when they are imported.
    with aside():
        chosen, assets = chosen_tasks(suite, [asked.task], {}, [asked.seed])
        if len(chosen) != 1:
            raise SpecError(
                f"{asked.task!r} stands for {len(chosen)} tasks, and an examination is about one",
                remedy="name one of them; see `proctor tasks list`",
            )
        named = suite_name(suite, [asked.task], chosen)
    plan = Plan(
        suite=named,
        tasks=plan_tasks(chosen),
        agents=(_agent(asked, given, tools),),
        # A client that was in an examination that came to nothing cannot be put into the next one unawares.
        rules=Rules(**{**asked.rules, "retries": 0}),
        assets=assets,
        code=(Path.cwd(),),
    )
    return chosen[0], plan


def _agent(asked: ExamRequest, given: ClientOptions, tools: list[DeskTool]) -> AgentSpec:
    code = any(tool.is_code and (tool.group == "shell" or _is_named(tool, given)) for tool in tools)
    options = {
        "client": asked.client,
        "names": given.names if given.names != "harbor" else "",
        "grant": "+".join(given.grants or ()),
        "code": "on" if code else "",
    }
    return AgentSpec("mcp", {name: value for name, value in options.items() if value})


def _is_named(tool: DeskTool, given: ClientOptions) -> bool:
    return given.grants is not None and tool.name in given.grants
