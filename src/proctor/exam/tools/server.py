"""Which tool servers a run is given: named by its user, written into its record, started on the host.

They are written as the configuration files of MCP clients have them, or as `NAME=COMMAND` and `NAME=URL`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.models.provider_model import checked_url
from proctor.models.secrets import redact
from proctor.plain_text import one_line
from proctor.records import without_defaults

MOST_SERVERS = 32
MOST_BYTES = 1024 * 1024
"""Of a configuration file."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
_FROM_OUTSIDE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", re.ASCII)
_SECRET = re.compile(r"key|token|secret|passw|credential|authorization|cookie", re.IGNORECASE)
_FORM = 'write {"mcpServers": {"NAME": {"command": "...", "args": [...], "env": {...}}}}, or {"url": "http..."} for one'
_FIELDS = {"command", "args", "env", "url", "headers", "type", "transport", "description", "disabled", "cwd"}
_TYPES = {None, "stdio", "http", "streamable-http", "streamableHttp", "streamable_http"}


@dataclass(frozen=True, kw_only=True)
class ToolServer:
    """One server: a program that is started, or an address.

    `${NAME}` in a value of `env` or `headers` stands for a variable of the environment, so that no key is recorded.
    """

    name: str
    """Its tools are called `name__tool`."""
    command: tuple[str, ...] = ()
    """The program and its arguments; empty for one with an address."""
    env: tuple[tuple[str, str], ...] = ()
    """Variables that it is given beside the few that every program needs."""
    cwd: str = ""
    """The folder that it is started in; that of the run when empty."""
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        where = f"tool server {self.name[:40]!r}"
        if not _NAME.fullmatch(self.name) or "__" in self.name:
            raise SpecError(
                f"{where} is no name for a server",
                remedy="use up to 32 letters, digits, - and single _",
            )
        if bool(self.command) == bool(self.url):
            raise SpecError(f"{where} needs a command or a url, and not both", remedy=_FORM)
        checked_url(self.url)
        if self.command and not self.command[0].strip():
            raise SpecError(f"{where} has an empty command", remedy=_FORM)
        for kind, pairs in (("env", self.env), ("headers", self.headers)):
            for name, value in pairs:
                _refuse_secret(f"{where}: {kind} {name!r}", name, value)
        for word in (*self.command, self.url):
            if redact(word) != word:
                raise _secret(f"{where}: its {'url' if self.url else 'command'}")
        if any("\0" in word for word in (*self.command, *(text for pair in self.env for text in pair), self.cwd)):
            raise SpecError(f"{where} holds the character NUL")

    @property
    def shown(self) -> str:
        """What is started or asked, on one line."""
        return one_line(f"{self.name}: {self.url or shlex.join(self.command)}")

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return without_defaults(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ToolServer:
        """Read what `to_json` wrote."""

        def pairs(name: str) -> tuple[tuple[str, str], ...]:
            return tuple((str(key), str(value)) for key, value in data.get(name, ()))

        return cls(
            name=str(data.get("name", "")),
            command=tuple(str(word) for word in data.get("command", ())),
            env=pairs("env"),
            cwd=str(data.get("cwd", "")),
            url=str(data.get("url", "")),
            headers=pairs("headers"),
        )

    def environment(self) -> dict[str, str]:
        """Return its variables with values from the environment filled in; raises SpecError where one is not set."""
        return {name: _fill_in(value, f"tool server {self.name!r}: env {name!r}") for name, value in self.env}

    def sent_headers(self) -> dict[str, str]:
        """Return its headers with values from the environment filled in; raises SpecError where one is not set."""
        return {name: _fill_in(value, f"tool server {self.name!r}: header {name!r}") for name, value in self.headers}


def read_servers(texts: Sequence[str]) -> tuple[ToolServer, ...]:
    """Return the servers that are meant by files, `NAME=COMMAND` and `NAME=URL`; raises SpecError."""
    found = [server for text in texts for server in _read(text)]
    names = [server.name for server in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise SpecError(f"two tool servers are called {twice[0]!r}", remedy="give one of them another name")
    if len(found) > MOST_SERVERS:
        raise SpecError(f"{len(found)} tool servers", remedy=f"name at most {MOST_SERVERS}")
    return tuple(found)


def _read(text: str) -> list[ToolServer]:
    name, equals, rest = text.partition("=")
    if equals and _NAME.fullmatch(name):
        return [_read_argument(name, rest.strip())]
    path = Path(text)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SpecError(f"{path} is larger than {MOST_BYTES} bytes", remedy=_FORM)
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise SpecError(
            f"the tool servers {text!r} cannot be read: {why}", remedy="name a JSON file, or write NAME=COMMAND"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SpecError(f"{path} is not JSON: {error}", remedy=_FORM) from error
    servers = data.get("mcpServers", data.get("servers")) if isinstance(data, dict) else None
    if not isinstance(servers, dict) or not servers:
        raise SpecError(f"{path} names no servers", remedy=_FORM)
    return [
        _read_entry(str(name), entry, f"{path}: server {str(name)[:40]!r}")
        for name, entry in servers.items()
        if not (isinstance(entry, dict) and entry.get("disabled") is True)
    ]


def _read_argument(name: str, rest: str) -> ToolServer:
    if rest.startswith(("http://", "https://")):
        return ToolServer(name=name, url=rest)
    try:
        words = tuple(shlex.split(rest))
    except ValueError as error:
        raise SpecError(f"tool server {name!r}: {rest!r} is no command: {error}", remedy="check the quotes") from error
    return ToolServer(name=name, command=words)


def _read_entry(name: str, entry: object, where: str) -> ToolServer:
    """Return a server as a configuration file has it."""
    if not isinstance(entry, dict):
        raise SpecError(f"{where} is not an object", remedy=_FORM)
    if unknown := sorted(set(entry) - _FIELDS):
        raise SpecError(f"{where}: unknown field {unknown[0]!r}", remedy=_FORM)
    kind = entry.get("type", entry.get("transport"))
    if kind not in _TYPES:
        raise SpecError(f"{where}: the transport {kind!r} is not supported", remedy="use stdio or streamable HTTP")
    command, args = entry.get("command", ""), entry.get("args", [])
    texts = {"command": command, "url": entry.get("url", ""), "cwd": entry.get("cwd", "")}
    if wrong := [field for field, value in texts.items() if not isinstance(value, str)]:
        raise SpecError(f"{where}: {wrong[0]} is not a text", remedy=_FORM)
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        raise SpecError(f"{where}: args is not a list of texts", remedy=_FORM)
    return ToolServer(
        name=name,
        command=(command, *args) if command else (),
        env=_pairs(entry.get("env"), f"{where}: env"),
        cwd=texts["cwd"],
        url=texts["url"],
        headers=_pairs(entry.get("headers"), f"{where}: headers"),
    )


def _pairs(data: object, where: str) -> tuple[tuple[str, str], ...]:
    if data is None:
        return ()
    if not isinstance(data, dict) or not all(isinstance(value, str) for value in data.values()):
        raise SpecError(f"{where} is not an object of texts", remedy=_FORM)
    return tuple((str(name), value) for name, value in data.items())


def _refuse_secret(where: str, name: str, value: str) -> None:
    if not _FROM_OUTSIDE.search(value) and (redact(value) != value or (value and _SECRET.search(name))):
        raise _secret(where)


def _secret(where: str) -> SpecError:
    return SpecError(
        f"{where} holds what looks like a key or a password, and would be written into records",
        remedy='export it as a variable, and write "${THE_VARIABLE}" in env or headers',
    )


def _fill_in(value: str, where: str) -> str:
    def fill(found: re.Match[str]) -> str:
        held = os.environ.get(found[1])
        if held is None:
            raise SpecError(f"{where} needs the variable {found[1]}, which is not set", remedy=f"export {found[1]}=...")
        return held

    return _FROM_OUTSIDE.sub(fill, value)
