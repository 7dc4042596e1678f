"""Every kind of computer there is."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from proctor.computers import COMPUTERS, DEFAULT, class_of
from proctor.computers.capabilities import CAPABILITIES
from proctor.computers.computer import Computer
from proctor.computers.fit import Lack
from proctor.computers.option_list import ListedOption, list_options
from proctor.errors import ProctorError


@dataclass(frozen=True, kw_only=True)
class ListedComputer:
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
    options: tuple[ListedOption, ...] = ()
    """What can be said of one when it is opened."""


def kinds() -> dict[str, type[Computer]]:
    """Return every kind that can be imported, the usual one first."""
    found: dict[str, type[Computer]] = {}
    for name in sorted(COMPUTERS.names(), key=lambda name: (name != DEFAULT, name)):
        with contextlib.suppress(ProctorError):  # `list_computers` tells what is wrong with it
            found[name] = class_of(name)
    return found


def list_computers(missing: Sequence[Lack] = ()) -> list[ListedComputer]:
    """Return every computer, with which of the checks `missing` concern it; none is started."""
    return [_describe(name, missing) for name in COMPUTERS.names()]


def _describe(name: str, missing: Sequence[Lack]) -> ListedComputer:
    try:
        kind = class_of(name)
        lacks = [*(lack for lack in missing if lack.what in kind.checks()), *kind.lacks_here()]
    except ProctorError as error:
        return ListedComputer(name=name, usable=False, lacks=(Lack(what=error.message, remedy=error.remedy),))
    parts = _parts(kind)
    return ListedComputer(
        name=name,
        usable=not lacks,
        lacks=tuple(lacks),
        parts=parts,
        without=None if parts is None else tuple(part for part in CAPABILITIES if part not in parts),
        remark=kind.remark,
        options=tuple(list_options(kind.Options or kind)),
    )


def _parts(kind: type[Computer]) -> tuple[str, ...] | None:
    try:
        made = kind(**kind.example).capabilities
    except (ProctorError, TypeError):  # without its image, or with options that only its user knows
        return None
    return tuple(part for part in CAPABILITIES if part in made)
