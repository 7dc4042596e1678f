"""Examining an MCP client: the server on a thread, the episode in front, then the verdict."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from proctor.agents.external.door import Door
from proctor.agents.external.lobby import Lobby
from proctor.agents.spec import AgentSpec
from proctor.cli.choose_tasks import chosen_tasks, suite_name
from proctor.cli.detach import end_process
from proctor.cli.mcp_options import ClientOptions
from proctor.cli.run_progress import RunSettings, hold_visibly
from proctor.cli.trust import begin_own
from proctor.errors import ProctorError, SpecError
from proctor.exam.rules import Rules
from proctor.interop.mcp.background import Background
from proctor.interop.mcp.serve import HttpServer, Wire, address
from proctor.interop.mcp.server import build
from proctor.interop.mcp.tool import DeskTool
from proctor.interop.mcp.visit import greet, open_visit
from proctor.interop.server_socket import listen
from proctor.plain_text import printable
from proctor.runner.agent_output import aside
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.preflight import check_plan
from proctor.runner.workers.lobby import LobbyWorkers
from proctor.store.run import RunRecord
from proctor.suites import DEFAULT
from proctor.tasks.task import Task

LINGER_SEC = 5.0
"""How long a server over HTTP still answers calls after the end, unless its client leaves before."""
INTERRUPTED = 130


@dataclass(frozen=True, kw_only=True)
class ExamRequest:
    """What is to be examined, as it was typed."""

    tasks: tuple[str, ...]
    suite: str
    seed: int
    client: str
    patience: float
    tell: bool
    out: Path | None
    as_json: bool
    loose_limits: bool
    rules: Mapping[str, Any]


def hold(asked: ExamRequest, given: ClientOptions) -> None:
    """Hold an examination, on one task or on many, and end the process with its status."""
    tools = given.tools()
    if unfit := [tool.name for tool in tools if tool.errand and not tool.is_code and _is_named(tool, given)]:
        raise SpecError(
            f"the tool {unfit[0]!r} cannot be used while an agent is evaluated, where everything is an action",
            remedy="grant run_command instead, which is recorded as code that was run",
        )
    tasks, plan = _plan(asked, given, tools)
    plan = check_plan(plan, offered={"door": Door()}, loose_limits=asked.loose_limits)
    record = begin_own(plan, asked.out, plan.suite)
    lobby = Lobby([task.id for task in tasks])
    visit = open_visit(lobby, tools, patience=asked.patience, fit=given.fit, picture_after=given.picture_after)
    server = build(visit.desk, **greet(tasks), heard=visit.hear)
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
        gone = "the client closed the connection without done or give_up"
        background = Background(lambda: wire.serve(server), ended=lambda: visit.leave(gone))
    status = _examine(asked, plan, record, LobbyWorkers(lobby, tell=asked.tell))
    if given.http:
        visit.left.wait(LINGER_SEC)
        http.stop()
        background.wait(LINGER_SEC)
    else:
        visit.left.wait()
    end_process(status)


def _examine(asked: ExamRequest, plan: Plan, record: RunRecord, workers: LobbyWorkers) -> int:
    status = 0
    try:
        hold_visibly(plan, record, workers, RunSettings(as_json=asked.as_json, resumable=False))
    except SystemExit as ended:
        status = int(ended.code or 0)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except ProctorError as error:
        # Not left to whoever called: a thread of the server would keep the process from ending.
        click.echo(f"error: {printable(str(error))}", err=True)
        status = 1
    finally:
        workers.tell_last()
    return status


def _plan(asked: ExamRequest, given: ClientOptions, tools: list[DeskTool]) -> tuple[list[Task], Plan]:
    if not asked.tasks and not asked.suite:
        raise SpecError(
            "no task is named", remedy="name tasks, or a whole suite with --suite; see `proctor tasks list`"
        )
    suite = asked.suite or DEFAULT
    # Modules of suites may print when they are imported.
    with aside():
        chosen, assets = chosen_tasks(suite, asked.tasks, {}, [asked.seed])
        named = suite_name(suite, asked.tasks, chosen)
    plan = Plan(
        suite=named,
        tasks=plan_tasks(chosen),
        agents=(_agent(asked, given, tools),),
        # A client that was in an examination that came to nothing cannot be put into the next one unawares.
        rules=Rules(**{**asked.rules, "retries": 0}),
        assets=assets,
        code=(Path.cwd(),),
    )
    return chosen, plan


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
