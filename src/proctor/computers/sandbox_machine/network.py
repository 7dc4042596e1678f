"""What a sandbox may reach: nothing, its own loopback services, or a list of named hosts through a relay."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from proctor.computers.sandbox_machine import script
from proctor.computers.sandbox_machine.machine import SandboxMachine
from proctor.errors import SpecError

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_TARGET = re.compile(rf"(?P<host>{_LABEL}(?:\.{_LABEL})*):(?P<port>[0-9]{{1,5}})")
_NUMBERS = re.compile(r"[0-9.]+")
_ADDRESSES = "127.77.0."
MOST_TARGETS = 200
HOSTNAME = "desktop"
LOCAL = {"localhost": "127.0.0.1"}
"""Keeps its address inside: a port of the harness's own loopback is reached at the same place there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NetworkTarget:
    """A host and port outside that may be reached."""

    host: str
    port: int
    address: str
    """The loopback address inside that stands for the host."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NetworkPlan:
    """A network policy."""

    kind: Literal["off", "loopback", "allow"]
    targets: tuple[NetworkTarget, ...] = ()

    @property
    def hosts_file(self) -> str:
        """Content of /etc/hosts inside."""
        lines = [f"127.0.0.1 localhost {HOSTNAME}", "::1 localhost"]
        lines += sorted({f"{target.address} {target.host}" for target in self.targets if target.host not in LOCAL})
        return "\n".join(lines) + "\n"


def parse(policy: str | Sequence[str]) -> NetworkPlan:
    """Read a policy: `off`, `loopback`, or a list of `host:port`."""
    if policy == "off":
        return NetworkPlan(kind="off")
    if policy == "loopback":
        return NetworkPlan(kind="loopback")
    entries = [policy] if isinstance(policy, str) else policy
    if not isinstance(entries, list | tuple) or not entries:
        raise _not_understood(policy)
    if len(entries) > MOST_TARGETS:
        raise SpecError(f"option network allows {len(entries)} places", remedy=f"at most {MOST_TARGETS} are possible")
    addresses = dict(LOCAL)
    targets = {}
    for entry in entries:
        host, port = _place(entry)
        address = addresses.setdefault(host, f"{_ADDRESSES}{len(addresses)}")
        targets[host, port] = NetworkTarget(host=host, port=port, address=address)
    return NetworkPlan(kind="allow", targets=tuple(targets.values()))


def _place(entry: str) -> tuple[str, int]:
    match = _TARGET.fullmatch(entry.lower()) if isinstance(entry, str) else None
    if not match or not 0 < int(match["port"]) < 65536:
        raise _not_understood(entry)
    host = "localhost" if match["host"] == LOCAL["localhost"] else match["host"]
    if host == HOSTNAME or _NUMBERS.fullmatch(host):
        raise SpecError(
            f"option network cannot allow {entry!r}: inside the sandbox, {host} would not lead there",
            remedy="allow it by a name that this machine can look up; only 127.0.0.1 may be given as an address",
        )
    return host, int(match["port"])


def _not_understood(given: object) -> SpecError:
    return SpecError(
        f"option network={given!r} is not understood",
        remedy="use 'off', 'loopback' or a list of 'host:port', such as ['example.org:443']",
    )


class NetworkRelay:
    """Carries connections from listening sockets inside to the allowed hosts outside.

    Nothing else gets through.

    Each allowed host has a loopback address of its own inside, named in /etc/hosts, so that programs need no proxy
    setting and TLS passes unchanged.
    """

    def __init__(self, machine: SandboxMachine, targets: Sequence[NetworkTarget]) -> None:
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
