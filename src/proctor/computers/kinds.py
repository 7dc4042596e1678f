"""Every kind of computer there is: whether one can be opened on this machine, what it lacks, what it is made of."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from proctor.computers import COMPUTERS
from proctor.computers.capabilities import CAPABILITIES
from proctor.computers.computer import Computer
from proctor.computers.fit import Lack
from proctor.computers.images import store
from proctor.computers.sandbox_machine.computer import SandboxedComputer
from proctor.errors import ProctorError


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One kind of computer."""

    name: str
    usable: bool
    """Whether one can be opened here, as far as can be seen without opening it."""
    lacks: tuple[Lack, ...] = ()
    """What keeps one from being opened."""
    parts: tuple[str, ...] | None = None
    """What it is made of; None where that shows only when it is opened."""
    without: tuple[str, ...] | None = None
    """Which parts it does not have."""
    remark: str = ""
    """What to know before one is opened."""


def list_computers(sandbox_lacks: Sequence[Lack] = ()) -> list[Listed]:
    """Return every registered computer; nothing is started.

    Args:
        sandbox_lacks: What this machine lacks to start a sandbox, which others are made of.
    """
    return [_listed(name, sandbox_lacks) for name in COMPUTERS.names()]


def _listed(name: str, sandbox_lacks: Sequence[Lack]) -> Listed:
    try:
        kind: object = COMPUTERS.get(name)
        if not (isinstance(kind, type) and issubclass(kind, Computer)):
            return Listed(name=name, usable=False, lacks=(Lack(what="it is not a computer"),))
        lacks = [*_sandbox(kind, sandbox_lacks), *kind.lacks_here()]
    except ProctorError as error:
        return Listed(name=name, usable=False, lacks=(Lack(what=error.message, remedy=error.remedy),))
    parts = _parts(kind)
    without = None if parts is None else tuple(part for part in CAPABILITIES if part not in parts)
    return Listed(name=name, usable=not lacks, lacks=tuple(lacks), parts=parts, without=without, remark=kind.remark)


def _sandbox(kind: type[Computer], sandbox_lacks: Sequence[Lack]) -> list[Lack]:
    """Return what a kind lacks that is a sandbox: whatever keeps one from starting, and its image."""
    if not issubclass(kind, SandboxedComputer):
        return []
    lacks = list(sandbox_lacks)
    image = inspect.signature(kind).parameters.get("image")
    if image is not None and image.default not in {built.name for built in store.images()}:
        lacks.append(Lack(what=f"the image {image.default!r}", remedy=f"proctor image build {image.default}"))
    return lacks


def _parts(kind: type[Computer]) -> tuple[str, ...] | None:
    try:
        made = kind(**kind.example).capabilities
    except (ProctorError, TypeError):  # without its image, or with options that only its user knows
        return None
    return tuple(part for part in CAPABILITIES if part in made)
