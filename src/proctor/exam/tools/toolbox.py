"""The tools of an episode: servers opened for it, their tools offered under names of their own, calls carried out."""

from __future__ import annotations

import json
import re
import time
import types
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from proctor.actions.action import CallTool
from proctor.computers.values import CodeResult, Performed
from proctor.errors import AgentError, HostError, MissingExtra, SpecError, UnknownName
from proctor.exam.tools.server import ToolServer
from proctor.records import Tool

if TYPE_CHECKING:
    from proctor.exam.tools.connection import ToolConnection

MOST_TOOLS = 128
"""Of all servers together; providers take no more."""
MOST_NAME = 64
"""Characters of a tool's name; providers take no more."""
MOST_WORDS = 4_000
"""Characters of a tool's description."""
MOST_SCHEMA = 50_000
"""Characters of a tool's schema; of a larger one models are told nothing but that it is an object."""
_ODD = re.compile(r"[^A-Za-z0-9_-]", re.ASCII)

Opening = Callable[..., "ToolConnection"]


class Wanting(Protocol):
    """Whoever asks for servers: the rules of a run."""

    @property
    def tool_servers(self) -> tuple[ToolServer, ...]:
        """Which."""

    @property
    def tool_sec(self) -> float:
        """How long a tool may take."""


@dataclass(frozen=True)
class _Place:
    connection: ToolConnection
    tool: str
    """What its server calls it."""


class Toolbox:
    """Every tool of some servers; whoever opened it closes it."""

    def __init__(self, servers: Sequence[ToolServer], *, opening: Opening | None = None) -> None:
        """Start or reach the servers.

        Raises HostError for one that does not start, SpecError for tools that cannot be offered, MissingExtra.
        """
        self._open: list[ToolConnection] = []
        self._places: dict[str, _Place] = {}
        offers: list[Tool] = []
        try:
            for server in servers:
                connection = (opening or _find_opening())(server)
                self._open.append(connection)
                offers += self._take_in(connection)
            if len(offers) > MOST_TOOLS:
                raise SpecError(
                    f"the tool servers have {len(offers)} tools",
                    remedy=f"providers take {MOST_TOOLS}; leave servers out, or have them offer less",
                )
        except BaseException:
            self.close()
            raise
        self.offers = tuple(offers)
        """What an agent is told of them."""

    def __enter__(self) -> Toolbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every server."""
        while self._open:
            self._open.pop().close()

    def use(self, action: CallTool) -> Performed:
        """Call a tool; what fails out there is its output. Raises AgentError for a tool that is not offered."""
        place = self._places.get(action.tool)
        if place is None:
            unknown = UnknownName("tool", action.tool, self._places)
            raise AgentError(unknown.message, remedy=unknown.remedy)
        started = time.time()
        said = place.connection.call(place.tool, dict(action.arguments or {}))
        result = CodeResult(output=said.text, error=said.error, timed_out=said.timed_out, pictures=said.pictures)
        return Performed(action=action, started=started, ended=time.time(), result=result)

    def _take_in(self, connection: ToolConnection) -> list[Tool]:
        server, offers = connection.server, []
        for tool in connection.tools:
            name = f"{server.name}__{_ODD.sub('_', tool.name)}"
            if len(name) > MOST_NAME or name in self._places:
                why = f"is longer than {MOST_NAME} characters" if len(name) > MOST_NAME else "is there twice"
                raise SpecError(
                    f"tool server {server.name!r}: the name {name[:100]!r} {why}",
                    remedy="give the server a shorter name, or give its tools shorter names",
                )
            self._places[name] = _Place(connection, tool.name)
            offers.append(
                Tool(
                    name=name,
                    description=tool.description[:MOST_WORDS],
                    schema=_bound_schema(tool.schema),
                    server=connection.about,
                )
            )
        return offers


def open_toolbox(rules: Wanting) -> AbstractContextManager[Toolbox | None]:
    """Return the tools that the rules of a run ask for, to be closed; none where they ask for none."""
    if not rules.tool_servers:
        return nullcontext()
    opening = _find_opening()
    return Toolbox(rules.tool_servers, opening=lambda server: opening(server, call_sec=rules.tool_sec))


def try_servers(servers: Sequence[ToolServer], said: Callable[[str], object] = str) -> None:
    """Start each server once and end it; raises SpecError that says what is wrong and what to do."""
    for server in servers:
        said(f"trying the tool server {server.shown}")
    try:
        with Toolbox(servers) as box:
            if servers and not box.offers:
                raise SpecError(
                    "the tool servers have no tools", remedy="leave the servers out, or check what they list"
                )
    except HostError as error:
        raise SpecError(error.message, remedy=error.remedy) from error


def _bound_schema(schema: object) -> dict[str, object]:
    """Return a schema as models are told it: an object of bounded size."""
    try:
        small = isinstance(schema, dict) and len(json.dumps(schema, allow_nan=False)) <= MOST_SCHEMA
    except (TypeError, ValueError, RecursionError):
        small = False
    if not small or not isinstance(schema, dict):
        return {"type": "object"}
    # Providers insist on both.
    return {**schema, "type": "object", "properties": schema.get("properties") or {}}


def _find_opening() -> Opening:
    try:
        found: Opening = import_module("proctor.exam.tools.connection").ToolConnection
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("proctor"):
            raise
        raise MissingExtra("a run with tool servers", "mcp") from error
    except ImportError as error:
        raise MissingExtra("a run with tool servers", "mcp") from error
    return found
