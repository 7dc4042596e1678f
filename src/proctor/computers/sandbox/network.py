"""What a sandbox may reach: nothing, its own loopback services, or a list of named hosts through a relay."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from proctor.computers.sandbox import script
from proctor.computers.sandbox.machine import Machine
from proctor.errors import SpecError

_TARGET = re.compile(r"(?P<host>[A-Za-z0-9.-]{1,253}):(?P<port>\d{1,5})")
_FIRST = (127, 77, 0, 1)
MOST_TARGETS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A host and port outside that may be reached."""

    host: str
    port: int
    address: str
    """The loopback address inside that stands for the host."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Network:
    """A network policy."""

    kind: Literal["off", "loopback", "allow"]
    targets: tuple[Target, ...] = ()

    @property
    def hosts_file(self) -> str:
        """Content of /etc/hosts inside."""
        lines = ["127.0.0.1 localhost desktop", "::1 localhost"]
        lines += sorted({f"{target.address} {target.host}" for target in self.targets})
        return "\n".join(lines) + "\n"


def parse(policy: str | Sequence[str]) -> Network:
    """Read a policy: `off`, `loopback`, or a list of `host:port`."""
    if policy in ("off", "loopback"):
        return Network(kind="off" if policy == "off" else "loopback")
    if isinstance(policy, str):
        policy = [policy]
    if len(policy) > MOST_TARGETS:
        raise SpecError(f"network allow-list has {len(policy)} entries", remedy=f"at most {MOST_TARGETS} are possible")
    addresses: dict[str, str] = {}
    targets = []
    for entry in policy:
        match = _TARGET.fullmatch(entry)
        if not match or not 0 < int(match["port"]) < 65536:
            raise SpecError(
                f"network policy {entry!r} is not understood",
                remedy="use 'off', 'loopback' or a list of 'host:port', such as ['example.org:443']",
            )
        host = match["host"].lower()
        if host not in addresses:
            addresses[host] = ".".join(map(str, (*_FIRST[:3], _FIRST[3] + len(addresses))))
        targets.append(Target(host=host, port=int(match["port"]), address=addresses[host]))
    return Network(kind="allow", targets=tuple(targets))


class Relay:
    """Carries connections from listening sockets inside to the allowed hosts outside; nothing else gets through.

    Each allowed host has a loopback address of its own inside, named in /etc/hosts, so that programs need no proxy
    setting and TLS passes unchanged.
    """

    def __init__(self, machine: Machine, targets: Sequence[Target]) -> None:
        listeners = [machine.listen(target.address, target.port) for target in targets]
        lifeline_read, self._lifeline = os.pipe2(os.O_CLOEXEC)
        plan = [[sock.fileno(), target.host, target.port] for sock, target in zip(listeners, targets, strict=True)]
        fds = [lifeline_read, *(sock.fileno() for sock in listeners)]
        arguments = [lifeline_read, os.getpid(), json.dumps(plan)]
        try:
            self._process = script.start("relay.py", arguments, fds=fds, namespace=False)
        finally:
            os.close(lifeline_read)
            for sock in listeners:
                sock.close()

    def close(self) -> None:
        """Stop relaying."""
        os.close(self._lifeline)
        self._process.communicate()
