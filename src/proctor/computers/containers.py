"""Whether this process runs in a container, and what that container must be allowed for sandboxes to start in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CAPABILITIES = {"SYS_ADMIN": 21, "SYS_PTRACE": 19, "IPC_OWNER": 15}
"""What root needs: to mount and make namespaces, to look at those of its children, and for the display's memory."""
ROOTLESS = ("SYS_ADMIN",)
"""What an ordinary user needs of the container, for the mapping of subordinate ids."""


@dataclass(frozen=True, kw_only=True)
class Container:
    """What is around this process."""

    kind: str = ""
    """`podman`, `docker`, `kubernetes` or `container`; empty where there is none."""
    lacks: tuple[str, ...] = ()
    """Capabilities that sandboxes need and that it does not give."""
    hidden: bool = False
    """Whether parts of /proc are covered up, which keeps an ordinary user from mounting one of its own."""


def look(*, root: bool, place: Path = Path("/"), env: Mapping[str, str] | None = None) -> Container:
    """Return what is around this process, and what it lacks for sandboxes of root or of a user.

    Below `place` lie `/proc`, `/run` and the rest.
    """
    kind = _kind(place, os.environ if env is None else env)
    if not kind:
        return Container()
    allowed = _bounding_set(place / "proc/self/status")
    needed = CAPABILITIES if root else ROOTLESS
    lacks = tuple(name for name in needed if not allowed >> CAPABILITIES[name] & 1)
    return Container(kind=kind, lacks=lacks, hidden=not root and _covers_proc(place / "proc/self/mountinfo"))


def remedy(found: Container) -> str:
    """Return how to start the container again."""
    if not found.lacks and not found.hidden:
        return ""
    if found.kind == "kubernetes":
        added = ", ".join(found.lacks or ROOTLESS)
        masked = " and procMount: Unmasked" if found.hidden else ""
        return f"give the pod securityContext.capabilities.add: [{added}]{masked}; see docs/containers.md"
    words = [f"--cap-add {name}" for name in found.lacks]
    if found.hidden:
        words.append("--security-opt systempaths=unconfined" if found.kind == "docker" else "--security-opt unmask=ALL")
    return f"start the container with {' '.join(words)}; see docs/containers.md"


def _kind(place: Path, env: Mapping[str, str]) -> str:
    if "KUBERNETES_SERVICE_HOST" in env:
        return "kubernetes"
    if (place / "run/.containerenv").exists():
        return "podman"
    if (place / ".dockerenv").exists():
        return "docker"
    return "container" if env.get("container") else ""


def _bounding_set(status: Path) -> int:
    """Return the capabilities any program here can have, as bits; all where that is not told."""
    try:
        lines = status.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return -1
    found = [line.split()[1] for line in lines if line.startswith("CapBnd:")]
    return int(found[0], 16) if found else -1


def _covers_proc(mounts: Path) -> bool:
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return any(len(line.split()) > 4 and line.split()[4].startswith("/proc/") for line in lines)
